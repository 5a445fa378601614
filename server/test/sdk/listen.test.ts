// The listener between a real server and a receiver on this machine: a test report arrives as signed webhooks.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Event, webhooks } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { readNames } from '../../src/events/name-events.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';

const CLI = fileURLToPath(new URL('../../../sdk/src/cli.ts', import.meta.url));

let server: TestServer;
let receiver: Server;
let listener: ChildProcess | undefined;
const deliveries: { headers: IncomingHttpHeaders; body: string }[] = [];
beforeAll(async () => {
  server = await startServer();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      deliveries.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  listener?.kill('SIGKILL');
  receiver.close();
  await server.close();
});

const countEventRequests = () => server.logText().split('"route":"/:tenantId/v1/events"').length - 1;

test('a report that is made while the listener runs arrives signed; one from before does not', async () => {
  await server.trefoil.generate(generateBody());
  const { tenantId, clientId, clientSecret } = server.demo;
  // A month of a busy tenant: the listener must not read it to find its end.
  await server.query(
    `insert into outbox (tenant_id, type, subject_id, credit_report_id, is_test)
     select $1, 'report.completed', report, report, true
       from (select gen_random_uuid() as report from generate_series(1, 50000)) as made`,
    [tenantId],
  );
  const [last] = await server.query<{ place: string }>(
    `select xact_id || '.' || id as place from outbox where tenant_id = $1 order by xact_id desc, id desc limit 1`,
    [tenantId],
  );
  const { readPlace } = await server.database.asSystem(readNames);
  await eventually(async () => {
    const { place } = readPlace((await server.trefoil.listEvents({ cursor: 'end' })).data.nextCursor);
    expect(`${place.xactId}.${place.id}`).toBe(last?.place);
  });
  const requestsBefore = countEventRequests();
  const forwardTo = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  const settings = ['--base-url', server.baseUrl, '--tenant', tenantId, '--client-id', clientId];
  const child = spawn(process.execPath, [CLI, 'listen', '--forward-to', forwardTo, ...settings], {
    env: { ...process.env, TREFOIL_CLIENT_SECRET: clientSecret },
  });
  listener = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await eventually(() => expect(output).toContain('Ready.'));
  expect(countEventRequests() - requestsBefore).toBe(1);
  const { data } = await server.trefoil.generate(generateBody());
  await eventually(() => expect(output).toMatch(/credit-report\.completed {2}evt_\w+ {2}204/));
  const secret = /whsec_\S+/.exec(output)?.[0] ?? '';
  const events = await Promise.all(
    deliveries.map(({ headers, body }) => webhooks.unwrap<Event>(body, headers, secret)),
  );
  const completed = events.filter(({ type }) => type === 'credit-report.completed');
  expect(completed).toMatchObject([{ test: true, tenantId, data: { creditReportId: data.creditReportId } }]);
});
