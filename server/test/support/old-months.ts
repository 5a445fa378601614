// Builds the state of months ago: a report whose data key an old month's working key wraps, and copies of a database.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { Registry } from 'prom-client';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../../../tools/dev/local-database.ts';
import { loadLocalServers } from '../../src/config.ts';
import { createKeyMetrics } from '../../src/keys/key-metrics.ts';
import { openKeyService } from '../../src/keys/open-key-service.ts';
import { openWorkingKeys } from '../../src/keys/working-keys.ts';
import { withKeys } from '../../src/lib/crypto/key-not-at-hand.ts';
import { createVault, type Vault } from '../../src/lib/crypto/vault.ts';
import { createLog } from '../../src/lib/log.ts';
import type { TestServer } from '../harness.ts';
import { dumpDatabase } from './dump.ts';
import { openEverything, vaultOfAny } from './subjects.ts';

const run = promisify(execFile);

/** The vault of a node whose clock shows this month. */
async function withVaultOf<T>(server: TestServer, month: string, work: (vault: Vault) => T | Promise<T>): Promise<T> {
  const { keyService, vaultKeys } = server.config;
  if (!keyService) throw new Error('the server has no key service');
  const service = openKeyService(keyService);
  const metrics = createKeyMetrics(new Registry());
  const now = () => new Date(`${month}-10T12:00:00Z`);
  const working = openWorkingKeys({ service, database: server.database, metrics, log: createLog('silent'), now });
  try {
    return await withKeys(() => work(createVault(vaultKeys, { working })));
  } finally {
    await service.close();
  }
}

type KeyRow = { readonly ringKeyId: string; readonly wrappedKey: Buffer };

export async function readKeyRow(server: Pick<TestServer, 'query'>, creditReportId: string): Promise<KeyRow> {
  const [row] = await server.query<KeyRow>(
    `select ring_key_id as "ringKeyId", wrapped_key as "wrappedKey" from data_keys where credit_report_id = $1`,
    [creditReportId],
  );
  if (!row) throw new Error('the report has no data key');
  return row;
}

/** As if the report had been made in that month. */
export async function moveToMonth(server: TestServer, month: string, creditReportId: string, tenantId: string) {
  const row = await readKeyRow(server, creditReportId);
  const moved = await withVaultOf(server, month, (vault) =>
    vault.rewrapDataKey({ tenantId, subjectId: creditReportId }, row),
  );
  await server.query('update data_keys set ring_key_id = $2, wrapped_key = $3 where credit_report_id = $1', [
    ...[creditReportId, moved.ringKeyId, moved.wrappedKey],
  ]);
}

export type Backup = {
  /** A copy of the database as it was, and the settings that lead a node to it. */
  restore(): Promise<{ environment: Record<string, string>; drop(): Promise<void> }>;
  remove(): void;
};

export async function takeBackup(server: TestServer): Promise<Backup> {
  const folder = mkdtempSync(join(tmpdir(), 'trefoil-backup-'));
  const file = join(folder, 'backup.dump');
  const url = server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '';
  await run('pg_dump', ['--dbname', url, '--format', 'custom', '--file', file]);
  return {
    async restore() {
      const { adminUrl } = loadLocalServers();
      const name = `trefoil_test_${randomBytes(6).toString('hex')}`;
      await ensureDatabase(adminUrl, name);
      const environment = databaseEnvironment(adminUrl, name);
      await run('pg_restore', ['--dbname', environment['TREFOIL_OWNER_DATABASE_URL'] ?? '', '--exit-on-error', file]);
      return {
        environment: { ...environment, TREFOIL_REDIS_PREFIX: `${name}:` },
        drop: () => dropDatabase(adminUrl, name),
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** As a superuser of a copy. */
export async function onCopy<T>(
  environment: Record<string, string>,
  work: (query: TestServer['query']) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: environment['TREFOIL_OWNER_DATABASE_URL'] ?? '' });
  await client.connect();
  try {
    return await work(
      async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
        (await client.query<Row>(text, values)).rows,
    );
  } finally {
    await client.end();
  }
}

/**
 * What a thief of a copy reads who has every key that there is: those of the ring, and each working key of the copy that the key
 * service still unwraps. Asked of the key service itself: what our own code refuses is no obstacle to a thief.
 */
export async function readAsThief(server: TestServer, environment: Record<string, string>): Promise<string> {
  const { keyService, vaultKeys } = server.config;
  if (!keyService) throw new Error('the server has no key service');
  const service = openKeyService(keyService);
  try {
    return await onCopy(environment, async (query) => {
      const rows = await query<{ month: string; wrapped: Buffer }>(
        'select month, wrapped_key as wrapped from working_keys',
      );
      const answers = await Promise.all(rows.map(({ month, wrapped }) => service.unwrap(month, wrapped)));
      const keys = [
        ...vaultKeys.map(({ key }) => key),
        ...answers.flatMap((answer) => (answer.kind === 'done' ? [answer.value] : [])),
      ];
      const opened = await openEverything({ query }, vaultOfAny(keys));
      return [...opened.values(), await dumpDatabase({ environment })].join('\n');
    });
  } finally {
    await service.close();
  }
}
