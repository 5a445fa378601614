// A read writes an audit row before it shows anything. While other transactions stand in line for the head of the same chain,
// the read keeps its turn in that line: it waits, and is not refused.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';

const WRITERS = 8;
/** More than in production, for a machine that stands still, and less than in other tests: a run's wait must be seen to end. */
const PATIENCE = 2;
const RUN_WAITS_S = PATIENCE * 2;

let server: TestServer;
const clients: Client[] = [];
beforeAll(async () => {
  server = await startServer({ overrides: { patience: PATIENCE } });
  for (let number = 0; number <= WRITERS; number += 1) {
    const client = new Client({ connectionString: server.config.database.ownerUrl });
    await client.connect();
    clients.push(client);
  }
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await server.close();
});

/** Holds the head of the tenant's chain as a transaction that writes an audit row does, only longer. */
async function holdHead(client: Client, seconds: number): Promise<void> {
  await client.query('begin');
  await client.query('select from audit_heads where tenant_id = $1 for no key update', [server.demo.tenantId]);
  // steady: a transaction that takes long is what the reader meets.
  await client.query('select pg_sleep($1)', [seconds]);
  await client.query('commit');
}

test('200: a read beside eight writers of the same audit log, after one that held it longer than a run waits', async () => {
  const { data } = await server.trefoil.generate(generateBody({ challengeOptions: { status: 'allow' } }));
  const [first, ...writers] = clients as [Client, ...Client[]];
  let isOver = false;
  const holding = holdHead(first, RUN_WAITS_S + 2);
  const held = async () =>
    (
      await server.query(
        `select from pg_stat_activity where query like 'select pg_sleep%' and datname = current_database()`,
      )
    ).length;
  await eventually(async () => expect(await held()).toBeGreaterThan(0));
  const writing = Promise.all(
    writers.map(async (client) => {
      while (!isOver) await holdHead(client, 0.1);
    }),
  );
  try {
    const read = await server.trefoil.getReport(data.creditReportId);
    expect(read.data.status).toBe('complete');
  } finally {
    isOver = true;
    await Promise.all([holding, writing]);
  }
});
