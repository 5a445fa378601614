// Rotation of the vault key while the service works: nodes change over one after the other, `keys rotate` wraps everything anew
// under load, and in the end the old key can leave.
import { createTrefoil } from '@trefoil/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { rewrapDataKeys } from '../../src/credit-reports/retention/rewrap-keys.ts';
import { insertTotp, lockTotp } from '../../src/identity/factors/factor-store.ts';
import { newKey } from '../../src/lib/crypto/secret-keys.ts';
import { createSecretSeal } from '../../src/lib/crypto/secret-seal.ts';
import { createVault } from '../../src/lib/crypto/vault.ts';
import { execute, sql } from '../../src/lib/postgres/sql.ts';
import { sealText } from '../../src/webhooks/sealing/sealed-texts.ts';
import { generateBody } from '../harness.ts';
import { runHere } from '../support/command-line.ts';
import { makeMonthKeyFolder } from '../support/month-keys.ts';
import { readKeyRow } from '../support/old-months.ts';
import { addWebhookTenant, startWebhookServer } from '../support/webhooks.ts';

const [K1, K2] = [`k1:${newKey()}`, `k2:${newKey()}`];
const OLD_FIRST = { TREFOIL_VAULT_KEYS: `${K1},${K2}` };
const NEW_FIRST = { TREFOIL_VAULT_KEYS: `${K2},${K1}` };
const NEW_ALONE = { TREFOIL_VAULT_KEYS: K2 };

type Rotated = {
  dataKeys: { count: number; skipped: number };
  authenticators: number;
  endpoints: number;
  free: string[];
  months: { rewrapped: string[]; failed: string[] } | null;
};

let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeEach(async () => {
  server = await startWebhookServer({ environment: OLD_FIRST });
});
afterEach(() => server.close());

const configOf = (changes: Record<string, string>) => ({ config: loadConfig({ ...server.environment, ...changes }) });
const LANES = 10;
const keysInUse = async () =>
  (await server.query<{ id: string }>('select distinct ring_key_id as id from data_keys order by 1')).map(
    ({ id }) => id,
  );

async function makeReports(count: number, trefoil = server.trefoil): Promise<string[]> {
  const made: string[] = [];
  // No more at once than one node takes.
  for (let left = count; left > 0; left -= LANES) {
    const some = Array.from({ length: Math.min(LANES, left) }, () => trefoil.generate(generateBody()));
    made.push(...(await Promise.all(some)).map(({ data }) => data.creditReportId));
  }
  return made;
}

const clientAt = (baseUrl: string) =>
  createTrefoil({ baseUrl, tenantId: server.demo.tenantId, getToken: () => server.trefoil.getToken(), maxRetries: 0 });

test('under load on two nodes nothing fails, everything moves, and a node without the old key reads all of it', async () => {
  const ids = await makeReports(250);
  const second = await server.startNode(NEW_FIRST);
  const clients = [server.trefoil, clientAt(second.baseUrl)];
  const failures: string[] = [];
  let isOver = false;
  let reads = 0;
  const load = clients.flatMap((trefoil) =>
    Array.from({ length: 4 }, async (_, lane) => {
      for (let turn = lane; !isOver; turn += 7) {
        try {
          const { data } = await trefoil.getReport(ids[turn % ids.length] ?? '');
          if (data.status !== 'complete') failures.push(data.status);
          ids.push((await trefoil.generate(generateBody())).data.creditReportId);
          reads += 1;
        } catch (error) {
          failures.push(String(error));
        }
      }
    }),
  );
  const first = await jsonHereQuietly<Rotated>(configOf(NEW_FIRST), 'keys', 'rotate');
  expect(first.dataKeys.count).toBeGreaterThanOrEqual(250);
  isOver = true;
  await Promise.all(load);
  expect(failures).toEqual([]);
  expect(reads).toBeGreaterThan(0);
  // What the first node wrapped meanwhile by the old key.
  const rest = await jsonHereQuietly<Rotated>(configOf(NEW_FIRST), 'keys', 'rotate');
  expect(rest.free).toEqual(['k1']);
  expect(await keysInUse()).toEqual(['k2']);
  const third = await server.startNode(NEW_ALONE);
  const alone = clientAt(third.baseUrl);
  const read = await Promise.all(ids.map(async (id) => (await alone.getReport(id)).data.status));
  expect(new Set(read)).toEqual(new Set(['complete']));
  await Promise.all([second.close(), third.close()]);
  const [audited] = await server.query<{ rows: string }>(
    `select count(*) as rows from audit_log where action = 'vault-key.rotated' and tenant_id = $1`,
    [server.demo.tenantId],
  );
  expect(Number(audited?.rows)).toBeGreaterThanOrEqual(1);
});

/** Progress goes to standard error, which is not part of the answer. */
async function jsonHereQuietly<T>(of: ReturnType<typeof configOf>, ...args: string[]): Promise<T> {
  const { code, stdout } = await runHere(of, ...args, '--json');
  expect(code).toBe(0);
  return JSON.parse(stdout) as T;
}

test('a rotation that is cut off goes on where it stopped', async () => {
  const ids = await makeReports(450);
  const { config } = configOf(NEW_FIRST);
  const rotation = {
    vault: createVault(config.vaultKeys),
    settled: { keep: 'k2', keepMonths: false },
    onProgress: () => {
      throw new Error('cut off');
    },
  };
  await expect(rewrapDataKeys(server.database, rotation)).rejects.toThrow('cut off');
  expect(await keysInUse()).toEqual(['k1', 'k2']);
  // Also when the newest report is of the new key, a node without the old one does not start.
  const second = await server.startNode(NEW_FIRST);
  await makeReports(1, clientAt(second.baseUrl));
  await second.close();
  await expect(server.startNode(NEW_ALONE)).rejects.toThrow('TREFOIL_VAULT_KEYS lacks k1');
  const rest = await jsonHereQuietly<Rotated>({ config }, 'keys', 'rotate');
  expect(rest.dataKeys.count).toBe(ids.length - 200);
  expect(await keysInUse()).toEqual(['k2']);
  expect((await jsonHereQuietly<Rotated>({ config }, 'keys', 'rotate')).dataKeys.count).toBe(0);
});

test('a key that was erased meanwhile stays erased, and one that cannot be opened stays as it is', async () => {
  const [lost = '', good = ''] = await makeReports(2);
  await server.query(`update data_keys set ring_key_id = 'k0' where credit_report_id = $1`, [lost]);
  const rotated = await jsonHereQuietly<Rotated>(configOf(NEW_FIRST), 'keys', 'rotate');
  expect(rotated.dataKeys).toEqual({ count: 1, skipped: 1 });
  expect((await readKeyRow(server, lost)).ringKeyId).toBe('k0');
  expect((await readKeyRow(server, good)).ringKeyId).toBe('k2');
});

test('a rotation waits for no row that is being erased', async () => {
  const [erased = '', other = ''] = await makeReports(2);
  await server.database.forTenants([server.demo.tenantId], async (tx) => {
    await execute(tx, sql`select from data_keys where credit_report_id = ${erased} for update`);
    const rotated = await jsonHereQuietly<Rotated>(configOf(NEW_FIRST), 'keys', 'rotate');
    expect(rotated.dataKeys).toEqual({ count: 1, skipped: 0 });
  });
  expect([(await readKeyRow(server, erased)).ringKeyId, (await readKeyRow(server, other)).ringKeyId]).toEqual([
    'k1',
    'k2',
  ]);
});

test('authenticator apps and webhook endpoints are sealed anew, and open as before', async () => {
  const seal = createSecretSeal(server.config.vaultKeys);
  const [user] = await server.query<{ id: string }>('select id from users limit 1');
  const userId = user?.id ?? '';
  const sealedSecret = seal.seal(`totp/${userId}`, Buffer.from('JBSWY3DPEHPK3PXP'));
  await server.database.asSystem((tx) => insertTotp(tx, userId, { step: 1, sealedSecret }));
  const tenant = await addWebhookTenant(server);
  const { id, secret } = await tenant.add({ url: 'http://127.0.0.1:9999/hook', eventTypes: null });
  const place = { tenantId: tenant.tenantId, id };
  await server.query(
    `update webhook_endpoints set sealed_old_secret = $2, old_secret_until = now() + interval '1 day' where id = $1`,
    [id, sealText(seal, 'secret', place, 'whsec_old')],
  );
  const rotated = await jsonHereQuietly<Rotated>(configOf(NEW_FIRST), 'keys', 'rotate');
  expect([rotated.authenticators, rotated.endpoints, rotated.free]).toEqual([1, 1, ['k1']]);
  const alone = createSecretSeal(configOf(NEW_ALONE).config.vaultKeys);
  const totp = await server.database.asSystem((tx) => lockTotp(tx, userId));
  expect(alone.open(`totp/${userId}`, totp?.sealedSecret ?? Buffer.alloc(0)).toString()).toBe('JBSWY3DPEHPK3PXP');
  const [row] = await server.query<{ url: Buffer; secret: Buffer; old: Buffer }>(
    'select sealed_url as url, sealed_secret as secret, sealed_old_secret as old from webhook_endpoints where id = $1',
    [id],
  );
  const opened = (purpose: 'url' | 'secret', sealed: Buffer = Buffer.alloc(0)) =>
    alone.open(`webhook-${purpose}/${tenant.tenantId}/${id}`, sealed).toString();
  expect(opened('url', row?.url)).toBe('http://127.0.0.1:9999/hook');
  expect(opened('secret', row?.secret)).toBe(secret);
  expect(opened('secret', row?.old)).toBe('whsec_old');
});

test('into a key service: nodes change over one by one, and rows of the ring move to the month', async () => {
  const folder = makeMonthKeyFolder();
  try {
    const ids = await makeReports(20);
    const second = await server.startNode(folder.environment);
    const made = (await makeReports(5, clientAt(second.baseUrl))).concat(ids);
    const rotated = await jsonHereQuietly<Rotated>(configOf(folder.environment), 'keys', 'rotate');
    expect([rotated.dataKeys.count, rotated.months?.failed]).toEqual([20, []]);
    expect(await keysInUse()).toEqual([`month:${new Date().toISOString().slice(0, 7)}:file`]);
    const read = await Promise.all(made.map(async (id) => (await clientAt(second.baseUrl).getReport(id)).data.status));
    expect(new Set(read)).toEqual(new Set(['complete']));
    await second.close();
    // Without the setting a node does not start: it could open none of them.
    await expect(server.startNode({})).rejects.toThrow('TREFOIL_KEY_SERVICE is not the one whose keys rows still need');
    const left = await jsonHereQuietly<Rotated>(configOf(folder.environment), 'keys', 'rotate', '--onto', 'ring');
    expect(left.dataKeys.count).toBe(25);
    const back = await server.startNode({});
    await back.close();
  } finally {
    folder.remove();
  }
});

test('without a key service there are no months, and the commands say so', async () => {
  for (const command of [['months'], ['destroy-month', '2026-01', '--yes'], ['rotate', '--onto', 'months']]) {
    const { code, stderr } = await runHere(server, 'keys', ...command);
    expect([code, stderr]).toEqual([1, expect.stringContaining('TREFOIL_KEY_SERVICE is not set')]);
  }
  const wrong = await runHere(server, 'keys', 'destroy-month', '2026-13', '--yes');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('a month such as 2026-08')]);
});

test('the key service is away: the command says so, and what is done stays done', async () => {
  const folder = makeMonthKeyFolder();
  folder.remove();
  await makeReports(3);
  const { code, stderr } = await runHere(configOf(folder.environment), 'keys', 'rotate');
  expect([code, stderr]).toEqual([1, expect.stringContaining('The key service does not give a key')]);
  expect(await keysInUse()).toEqual(['k1']);
});
