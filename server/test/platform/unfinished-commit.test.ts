// A commit whose answer was lost may still be under way when the work is tried again: the second try must wait for it
// and find it, neither fail on it nor do it twice.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { Reservation } from '../../src/credit-reports/live/reserve-reports.ts';
import { createReportQueue } from '../../src/credit-reports/queue.ts';
import { newId } from '../../src/lib/ids.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';

let server: LiveServer;
let earlier: Client;
beforeAll(async () => {
  // Its waits for locks are as short as in production.
  server = await startLiveServer({ overrides: { patience: 1 } });
  earlier = new Client({ connectionString: server.config.database.ownerUrl });
  await earlier.connect();
});
afterAll(async () => {
  await earlier.end();
  await server.close();
});

test('a reservation that meets its own earlier commit is reserved once', async () => {
  const { tenantId } = server.demo;
  await server.fund(tenantId, 100_000);
  const creditReportId = newId();
  const { wallet } = server;
  const before = await wallet(tenantId);
  const reservation: Reservation = {
    report: {
      tenantId,
      id: creditReportId,
      isTest: false,
      callerId: newId(),
      source: 'api',
      status: 'pending',
      externalReferenceHash: null,
      sealedRequest: Buffer.from('sealed'),
      sealedReport: null,
      sealedProvenance: null,
      wrapped: { ringKeyId: 'none', wrappedKey: Buffer.from('wrapped') },
      firstSendId: null,
    },
    bureaus: 3,
    key: undefined,
    session: undefined,
    subjects: [{ person: Buffer.alloc(16), network: Buffer.alloc(16), device: undefined, mobile: undefined }],
  };
  // What an earlier attempt wrote, before the server has ended its commit.
  await earlier.query('begin');
  await earlier.query(
    `insert into credit_reports (tenant_id, id, is_test, caller_id, status, sealed_request)
     values ($1, $2, false, $3, 'pending', 'sealed')`,
    [tenantId, creditReportId, reservation.report.callerId],
  );
  const { reserve } = createReportQueue(server.database.queue, () => undefined);
  const reserving = reserve(reservation, performance.now() + 30_000);
  // The first try waits for the row until its lock runs out; the second one, beside the queue, waits again.
  const tries = new Set<string>();
  await eventually(async () => {
    const waiting = await server.query<{ since: string }>(
      `select xact_start::text as since from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(waiting).toHaveLength(1);
    expect(tries.add(waiting[0]?.since ?? '').size).toBe(2);
  });
  await earlier.query('commit');
  expect(await reserving).toMatchObject({ kind: 'reserved' });
  // The earlier attempt of this test wrote no hold; the second one must not have added one.
  expect(await wallet(tenantId)).toEqual(before);
  await server.query('delete from credit_reports where id = $1', [creditReportId]);
  await expectBooksToBalance(server);
});
