// The working keys in memory: their bounds in number and time, and what happens while the key service is away.
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { destroyMonth } from '../../src/credit-reports/retention/month-keys.ts';
import { createKeyMetrics } from '../../src/keys/key-metrics.ts';
import { type OpenWorkingKeys, openWorkingKeys } from '../../src/keys/working-keys.ts';
import { KeyNotAtHand, withKeys } from '../../src/lib/crypto/key-not-at-hand.ts';
import { workingKeyId } from '../../src/lib/crypto/vault.ts';
import { createLog } from '../../src/lib/log.ts';
import { startServer, type TestServer } from '../harness.ts';
import { type FickleService, type MonthKeyFolder, makeFickle, makeMonthKeyFolder } from '../support/month-keys.ts';

const BOUND_MS = 300_000;
/** As long as clients are told to wait. */
const RETRY_MS = 5_000;
const NOVEMBER = workingKeyId('2026-11', 'file');
const DECEMBER = workingKeyId('2026-12', 'file');

let server: TestServer;
let folder: MonthKeyFolder;
let service: FickleService;
let atMs: number;
let today: Date;
const logs: string[] = [];

beforeEach(async () => {
  server = await startServer();
  folder = makeMonthKeyFolder();
  service = makeFickle(folder.folder);
  atMs = 1_000;
  today = new Date('2026-11-10T12:00:00Z');
  logs.length = 0;
});
afterEach(async () => {
  await server.close();
  folder.remove();
});

const open = (options: { keysMax?: number } = {}): OpenWorkingKeys =>
  openWorkingKeys({
    ...{ service, database: server.database, metrics: createKeyMetrics(new Registry()) },
    log: createLog('debug', { write: (line) => logs.push(line) }),
    now: () => today,
    clock: () => atMs,
    ...options,
  });

/** Months of the past, as rows. */
async function makeMonths(...months: string[]): Promise<string[]> {
  for (const month of months) {
    today = new Date(`${month}-10T12:00:00Z`);
    await withKeys(open().current);
  }
  return months.map((month) => workingKeyId(month, 'file'));
}

const exported = (keys: OpenWorkingKeys, id: string) => keys.find(id).export().toString('hex');

test('the first use makes the key of the month, and a second process uses the same', async () => {
  const keys = open();
  expect(() => keys.current()).toThrow(KeyNotAtHand);
  const { id, key } = await withKeys(keys.current);
  expect(id).toBe('month:2026-11:file');
  const other = open();
  const theirs = await withKeys(other.current);
  expect(theirs.key.export()).toEqual(key.export());
  expect(service.calls.create).toBe(1);
});

test('ten processes that begin a month at once have one key', async () => {
  const found = await Promise.all(Array.from({ length: 10 }, () => withKeys(open().current)));
  expect(new Set(found.map(({ key }) => key.export().toString('hex'))).size).toBe(1);
  expect(await server.query('select from working_keys')).toHaveLength(1);
});

test('many who ask at once cause one load', async () => {
  await makeMonths('2026-11');
  const keys = open();
  service.calls.unwrap = 0;
  await Promise.all(Array.from({ length: 50 }, () => withKeys(() => keys.find(NOVEMBER))));
  expect(service.calls.unwrap).toBe(1);
});

test('while the service is away a key goes on until its bound, then it is 503 with Retry-After', async () => {
  const keys = open();
  await withKeys(keys.current);
  service.isAway = true;
  atMs += BOUND_MS - 1;
  expect(keys.current().id).toBe(NOVEMBER);
  // Asking did not make it younger.
  atMs += 1;
  expect(() => keys.current()).toThrow(KeyNotAtHand);
  await expect(withKeys(keys.current)).rejects.toMatchObject({
    code: 'service-unavailable',
    headers: { 'retry-after': '5' },
  });
  expect(keys.size()).toBe(0);
  service.isAway = false;
  atMs += RETRY_MS;
  expect((await withKeys(keys.current)).id).toBe(NOVEMBER);
});

test('a load that failed is not repeated before clients may ask again, and other months are not held up by it', async () => {
  const [september = ''] = await makeMonths('2026-09', '2026-10');
  today = new Date('2026-11-10T12:00:00Z');
  const keys = open();
  service.isAway = true;
  service.calls.create = 0;
  for (let count = 0; count < 20; count += 1) {
    await expect(withKeys(keys.current)).rejects.toMatchObject({ code: 'service-unavailable' });
  }
  expect(service.calls.create).toBe(1);
  service.isAway = false;
  atMs += RETRY_MS - 1;
  await expect(withKeys(keys.current)).rejects.toMatchObject({ code: 'service-unavailable' });
  await withKeys(() => keys.find(september));
  atMs += 1;
  expect((await withKeys(keys.current)).id).toBe(NOVEMBER);
  expect(service.calls.create).toBe(2);
});

test('503, and an error in the log: a key without a row, and one of another key service', async () => {
  const [august = ''] = await makeMonths('2026-08');
  await server.query(`update working_keys set service = 'aws-kms' where id = $1`, [august]);
  for (const [id, sentence] of [
    ['month:2020-01:file', 'a report needs a working key that does not exist'],
    [august, 'a working key needs another key service'],
  ] as const) {
    logs.length = 0;
    await expect(withKeys(() => open().find(id))).rejects.toMatchObject({ code: 'service-unavailable' });
    expect(JSON.parse(logs[0] ?? '{}')).toMatchObject({ level: 'error', kid: id });
    expect(logs[0]).toContain(sentence);
  }
});

test('a destruction that is cut off at its audit rows is finished by the next, and every tenant has its row', async () => {
  await makeMonths('2026-04', '2026-11');
  await server.query(
    `create function cut_off() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$`,
  );
  await server.query(
    `create trigger cut_off before insert on audit_log for each row
       when (new.action = 'month-key.destroyed') execute function cut_off()`,
  );
  const destroy = () => destroyMonth(server.database, service, '2026-04', today);
  await expect(destroy()).rejects.toThrow();
  await server.query('drop trigger cut_off on audit_log');
  expect((await destroy()).kind).toBe('destroyed');
  const without = await server.query(
    `select from tenants where not exists
       (select from audit_log where tenant_id = tenants.id and action = 'month-key.destroyed')`,
  );
  expect(without).toHaveLength(0);
  expect((await destroy()).kind).toBe('destroyed-before');
});

test('a key that is not in memory is 503 while the service is away, and so is a new month', async () => {
  await makeMonths('2026-11');
  service.isAway = true;
  const keys = open();
  await expect(withKeys(() => keys.find(NOVEMBER))).rejects.toMatchObject({ code: 'service-unavailable' });
  today = new Date('2026-12-01T00:00:00Z');
  await expect(withKeys(keys.current)).rejects.toMatchObject({ code: 'service-unavailable' });
});

test('confirmed keys live on, those that nobody used are forgotten', async () => {
  const [august = ''] = await makeMonths('2026-08', '2026-11');
  const keys = open();
  await keys.prepare();
  await withKeys(() => keys.find(august));
  atMs += BOUND_MS - 1;
  await keys.job.run();
  atMs += 1;
  // Confirmed a moment ago, although made longer ago than the bound.
  expect(keys.current().id).toBe(NOVEMBER);
  expect(keys.size()).toBe(2);
  atMs += BOUND_MS - 2;
  await keys.job.run();
  expect(keys.size()).toBe(1);
  expect(() => keys.find(august)).toThrow(KeyNotAtHand);
});

test('a confirmation that fails takes nothing away before the bound', async () => {
  const keys = open();
  await keys.prepare();
  service.isAway = true;
  atMs += BOUND_MS / 2;
  await keys.job.run();
  expect(keys.current().id).toBe(NOVEMBER);
  expect(logs.join('')).toContain('the key service did not confirm keys');
});

test('no more keys than the bound are in memory, and the current one stays', async () => {
  const months = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
  const ids = await makeMonths(...months);
  const keys = open({ keysMax: 3 });
  await withKeys(keys.current);
  for (const id of ids.slice(0, -1)) {
    atMs += 1;
    await withKeys(() => keys.find(id));
    expect(keys.size()).toBeLessThanOrEqual(3);
  }
  expect(keys.current().id).toBe(NOVEMBER);
  expect(() => keys.find(ids[0] ?? '')).toThrow(KeyNotAtHand);
  expect(exported(keys, ids.at(-2) ?? '')).toMatch(/^[0-9a-f]{64}$/);
});

test('the next month is at hand before it begins: at midnight nothing waits for the service', async () => {
  today = new Date('2026-11-25T00:00:00Z');
  const keys = open();
  await keys.prepare();
  service.isAway = true;
  today = new Date('2026-11-30T23:59:59.999Z');
  expect(keys.current().id).toBe(NOVEMBER);
  today = new Date('2026-12-01T00:00:00Z');
  expect(keys.current().id).toBe(DECEMBER);
});

test('a service that gives other bytes back is not believed: neither for a new key nor for a known one', async () => {
  service.isLying = true;
  const keys = open();
  await expect(withKeys(keys.current)).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(await server.query('select from working_keys')).toHaveLength(0);
  service.isLying = false;
  atMs += RETRY_MS;
  const { key } = await withKeys(keys.current);
  service.isLying = true;
  await keys.job.run();
  expect(keys.current().key.export()).toEqual(key.export());
  await expect(withKeys(() => open().find(NOVEMBER))).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(logs.join('')).toContain('other bytes');
});

test('410: a closed month is never loaded again; 503: a month that only the service lacks', async () => {
  const [august = '', september = ''] = await makeMonths('2026-08', '2026-09');
  await server.query('update working_keys set closed_at = now() where id = $1', [august]);
  await expect(withKeys(() => open().find(august))).rejects.toMatchObject({ code: 'credit-report-purged' });
  await service.destroy('2026-09');
  await expect(withKeys(() => open().find(september))).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(logs.join('')).toContain('has no key for a working key');
});
