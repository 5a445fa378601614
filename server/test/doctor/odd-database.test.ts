// The doctor on a database that is big and busy, that takes no writes or that somebody has locked: it says so, in time.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openReadOnly } from '../../src/lib/postgres/read-only.ts';
import { generateBody } from '../harness.ts';
import { brokenFor, checkOf, examine, expectCheck } from '../support/doctor.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  const { data } = await server.trefoil.generate(generateBody());
  await server.trefoil.getEvidence(data.creditReportId);
});
afterAll(async () => {
  await server.close();
});

test('its connections cannot write, whatever the role may do', async () => {
  const database = openReadOnly(server.config.database, 2_000);
  try {
    const disable = 'update tenants set is_enabled = false';
    await expect(database.asSystem((tx) => tx.query(disable, []))).rejects.toMatchObject({ code: '25006' });
    expect(await server.query('select from tenants where not is_enabled')).toEqual([]);
  } finally {
    await database.close();
  }
});

describe('a big and busy database', () => {
  test('a look that asks for time has it up to a limit, and waits for a place for as long as it takes', async () => {
    const database = openReadOnly(server.config.database, 1_000, 3_000);
    const sleepFor = (seconds: number, statementMs?: number) =>
      database.asSystem(
        (tx) => tx.query('select pg_sleep($1)', [seconds]),
        statementMs === undefined ? {} : { statementMs },
      );
    try {
      await sleepFor(1.5, 1_800_000);
      await expect(sleepFor(1.5)).rejects.toThrow(/timeout/);
      const beganMs = performance.now();
      await expect(sleepFor(9, 1_800_000)).rejects.toThrow(/timeout/);
      expect(performance.now() - beganMs).toBeLessThan(6_000);
      // Three at a time: the last three begin after more than a connection may take.
      await Promise.all(Array.from({ length: 9 }, () => sleepFor(0.6)));
    } finally {
      await database.close();
    }
  });

  const policy = (table: string, condition: string) => `alter policy system_access on ${table} using (${condition})`;
  /** Makes one statement of the reconciliation slow. */
  const SLOW_TAILS = `(select case when current_query() like '%the last line is%' then pg_sleep(4.5)::text end) is distinct from 'x'`;
  test(
    'a ledger that takes longer than other checks may is examined',
    () =>
      brokenFor(server, [policy('wallets', SLOW_TAILS), policy('wallets', 'true')], async () => {
        const { timeMs } = checkOf(await expectCheck(examine(server), 'ledger', 'ok'), 'ledger');
        expect(timeMs).toBeGreaterThan(4_500);
      }),
    40_000,
  );

  test(
    'what cannot be read in time is skipped and not failed, while the database answers',
    () =>
      brokenFor(
        server,
        [policy('audit_heads', '(select pg_sleep(30)) is not null'), policy('audit_heads', 'true')],
        async () => {
          const examination = await expectCheck(examine(server), 'audit', 'skip', 'too much to examine here');
          expect(checkOf(examination, 'database').status).toBe('ok');
        },
      ),
    30_000,
  );
});

describe('a database that is not itself', () => {
  test('one that takes no writes fails, and everything else is still looked at', () =>
    brokenFor(
      server,
      [
        `alter database "${server.databaseName}" set default_transaction_read_only = on`,
        `set default_transaction_read_only = off; alter database "${server.databaseName}" reset default_transaction_read_only`,
      ],
      async () => {
        const examination = await expectCheck(examine(server), 'database', 'fail', 'takes no writes');
        for (const name of ['schema', 'grants', 'keys', 'ledger']) expect(checkOf(examination, name).status).toBe('ok');
      },
    ));

  test('a table that somebody has locked holds up the checks that read it and no other', async () => {
    const other = new Client({ connectionString: server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '' });
    await other.connect();
    try {
      await other.query('begin; lock table holds in access exclusive mode');
      const examination = await expectCheck(examine(server), 'ledger', 'fail', 'held up by a lock');
      for (const name of ['schema', 'keys', 'audit', 'base-address'])
        expect(checkOf(examination, name).status).toBe('ok');
    } finally {
      await other.end();
    }
  });
});
