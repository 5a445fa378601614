// `trigger` of the client library's command line makes each event of test mode happen, on a real server.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TRIGGERS } from '../../../sdk/src/trigger.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';

const CLI = fileURLToPath(new URL('../../../sdk/src/cli.ts', import.meta.url));
const run = promisify(execFile);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('every type that can be triggered happens to what is printed', async () => {
  const { tenantId, clientId, clientSecret } = server.demo;
  const settings = ['--base-url', server.baseUrl, '--tenant', tenantId, '--client-id', clientId];
  const env = { ...process.env, TREFOIL_CLIENT_SECRET: clientSecret };
  const printed = new Map<string, string | undefined>();
  for (const type of TRIGGERS) {
    const { stdout } = await run(process.execPath, [CLI, 'trigger', type, ...settings], { env });
    const [, report] = /^\S+ {2}(?:report (\S+)|test wallet with 1000000 credits)\n$/.exec(stdout) ?? [];
    printed.set(type, report);
  }
  for (const [type, creditReportId] of printed) {
    await eventually(async () => {
      const query = { type, test: true, ...(creditReportId && { creditReportId }) };
      const { items } = (await server.trefoil.listEvents(query)).data;
      expect(items.map((event) => event.type)).toContain(type);
    });
  }
});
