// The listener between a real server and a receiver on this machine: a test report arrives as signed webhooks.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Event, webhooks } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('a report that is made while the listener runs arrives signed; one from before does not', async () => {
  await server.trefoil.generate(generateBody());
  const { tenantId, clientId, clientSecret } = server.demo;
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
  await expect.poll(() => output, { timeout: 20_000 }).toContain('Ready.');
  const { data } = await server.trefoil.generate(generateBody());
  await expect.poll(() => output, { timeout: 20_000 }).toMatch(/credit-report\.completed {2}evt_\w+ {2}204/);
  const secret = /whsec_\S+/.exec(output)?.[0] ?? '';
  const events = await Promise.all(
    deliveries.map(({ headers, body }) => webhooks.unwrap<Event>(body, headers, secret)),
  );
  const completed = events.filter(({ type }) => type === 'credit-report.completed');
  expect(completed).toMatchObject([{ test: true, tenantId, data: { creditReportId: data.creditReportId } }]);
});
