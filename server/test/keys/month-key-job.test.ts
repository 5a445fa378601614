// The daily job of month keys, which can destroy what no backup brings back (docs/decisions/0259-month-keys.md): without the setting
// it only says which months could go, and with it no other month goes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { monthKeyJob } from '../../src/credit-reports/retention/month-keys.ts';
import { listMonthKeys } from '../../src/keys/month-keys.ts';
import { openKeyService } from '../../src/keys/open-key-service.ts';
import { createLog } from '../../src/lib/log.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { type MonthKeyFolder, makeMonthKeyFolder } from '../support/month-keys.ts';
import { moveToMonth } from '../support/old-months.ts';

// At NOW, with 90 days and two more: the first two are old enough, the second just so; the third only for a company with 30 days.
const [FREE, NEEDED, YOUNG] = ['2024-01', '2024-02', '2024-03'] as const;
const NOW = new Date('2024-06-01T00:00:00Z');

let folder: MonthKeyFolder;
let server: TestServer;
beforeAll(async () => {
  folder = makeMonthKeyFolder();
  server = await startServer({ environment: { ...folder.environment, TREFOIL_JOBS: 'off' } });
  const { tenantId } = server.demo;
  await server.query('update tenants set retention_days = case when id = $1 then 30 else 90 end', [tenantId]);
  const { data } = await server.trefoil.generate(generateBody());
  for (const month of [FREE, YOUNG, NEEDED]) await moveToMonth(server, month, data.creditReportId, tenantId);
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

async function runJob(isDestroying: boolean) {
  const lines: { msg: string; kid: string }[] = [];
  const log = createLog('debug', { write: (line) => lines.push(JSON.parse(line)) });
  const { keyService } = server.config;
  if (!keyService) throw new Error('no key service');
  const service = openKeyService(keyService);
  const job = monthKeyJob({ database: server.database, log, now: () => NOW, service, isDestroying });
  const count = await job.run();
  await service.close();
  const keys = await listMonthKeys(server.database);
  const ids = new Map(keys.map(({ id, month }) => [id, month]));
  return {
    count,
    told: lines.map(({ msg, kid }) => `${msg}: ${ids.get(kid)}`),
    destroyed: keys.filter(({ destroyedAt }) => destroyedAt).map(({ month }) => month),
    onDisk: [FREE, NEEDED, YOUNG].filter((month) => existsSync(join(folder.folder, `trefoil-${month}.key`))),
  };
}

test('without destroyMonths nothing is destroyed, and a line says which month could be', async () => {
  const told = [`a month key can be destroyed: ${FREE}`];
  const expected = { count: 0, told, destroyed: [], onDisk: [FREE, NEEDED, YOUNG] };
  expect(await runJob(false)).toEqual(expected);
  // Every day.
  expect(await runJob(false)).toEqual(expected);
});

test('with destroyMonths only the month goes that is past the longest retention of any company and has no live row', async () => {
  expect(await runJob(true)).toEqual({ count: 1, told: [], destroyed: [FREE], onDisk: [NEEDED, YOUNG] });
  expect(await runJob(true)).toEqual({ count: 0, told: [], destroyed: [FREE], onDisk: [NEEDED, YOUNG] });
});
