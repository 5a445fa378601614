// What a carrier has of a message, its reference and its receipts, once the report is purged or erased. The reference leads to the
// number at the carrier, and it is what a message without a final state is asked about and charged by: it goes with the report, or
// as soon as the message is settled.
import type { SubjectRequest } from '@trefoil/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { updateCarrierRef } from '../../src/credit-reports/messages/sms-store.ts';
import { REPORT_TABLES } from '../../src/credit-reports/retention/retention-jobs.ts';
import { forgetNow } from '../../src/lib/postgres/retention.ts';
import { subjectJobs } from '../../src/subjects/jobs.ts';
import { createSubjectDependencies } from '../../src/subjects/open-subjects.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { sendReceipt } from '../support/providers.ts';
import { type Rights, rightsOf, vaultOf } from '../support/subjects.ts';
import { newMobile, newName, quietMobile, S } from '../support/words.ts';

let server: LiveServer;
let rights: Rights;
beforeAll(async () => {
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  await server.fund(server.demo.tenantId, 1_000_000);
  rights = await rightsOf(server);
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

type Sent = { readonly reportId: string; readonly sendId: string; readonly subject: SubjectRequest };

/** A challenged report whose message the carrier has, and which is ended by three wrong codes. */
async function makeEnded(mobileNumber: string): Promise<Sent> {
  const lastName = newName();
  const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber, lastName });
  const { data } = await server.trefoil.generate(body);
  if (data.status !== 'authentication-required') throw new Error(data.status);
  const reportId = data.creditReportId;
  const sendId = await eventually(async () => {
    const query = 'select id from sms_sends where credit_report_id = $1 and carrier_ref is not null';
    const [row] = await server.query<{ id: string }>(query, [reportId]);
    if (!row) throw new Error('the carrier has not answered yet');
    return row.id;
  });
  const wrong = (await server.code(mobileNumber)) === '111111' ? '222222' : '111111';
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await server.trefoil.submitOtp(reportId, { ...data.challenge, code: wrong }).catch(() => undefined);
  }
  const [row] = await server.query<{ status: string }>('select status from credit_reports where id = $1', [reportId]);
  expect(row?.status).toBe('failed');
  const { firstName, dateOfBirth, addresses } = body;
  return {
    reportId,
    sendId,
    subject: { firstName, lastName, dateOfBirth, postcode: addresses[0]?.ukAddress.postcode ?? '' },
  };
}

const messageOf = async ({ sendId }: Sent) => {
  const [row] = await server.query<{ state: string; hasReference: boolean; receipts: number }>(
    `select state, carrier_ref is not null as "hasReference",
            (select count(*)::int from sms_receipts where send_id = sms_sends.id) as receipts
       from sms_sends where id = $1`,
    [sendId],
  );
  return row;
};

async function becomeDelivered(sent: Sent): Promise<void> {
  await sendReceipt(server, sent.sendId, 'delivered');
  await eventually(async () => expect(await messageOf(sent)).toMatchObject({ state: 'delivered' }));
  await server.receiptsApplied();
}

/** Its retention is over, and the job has run. */
async function purge({ reportId }: Sent): Promise<void> {
  await server.query(
    `update credit_reports set created_at = created_at - interval '99 days', settled_at = settled_at - interval '99 days'
      where id = $1`,
    [reportId],
  );
  await forgetNow(server.database, REPORT_TABLES.slice(0, 1));
  const purged = 'select from credit_reports where id = $1 and purged_at is not null';
  expect(await server.query(purged, [reportId])).toHaveLength(1);
}

test('retention takes the reference of a settled message with the report', async () => {
  const sent = await makeEnded(quietMobile());
  await becomeDelivered(sent);
  expect(await messageOf(sent)).toMatchObject({ hasReference: true });
  await purge(sent);
  expect(await messageOf(sent)).toMatchObject({ state: 'delivered', hasReference: false });
});

test('a message that is not settled keeps it, is charged by the carrier’s word, and loses it then; a late receipt brings none back', async () => {
  const sent = await makeEnded(quietMobile());
  await purge(sent);
  expect(await messageOf(sent)).toMatchObject({ hasReference: true });
  const before = await server.wallet(server.demo.tenantId);
  await becomeDelivered(sent);
  expect((await server.wallet(server.demo.tenantId)).balance).toBe(before.balance - S);
  expect(await messageOf(sent)).toMatchObject({ state: 'delivered', hasReference: false });
  await sendReceipt(server, sent.sendId, 'sent');
  await server.receiptsApplied();
  expect(await messageOf(sent)).toMatchObject({ state: 'delivered', hasReference: false });
});

test('a message that is being settled while its report is purged is waited for, and loses its reference', async () => {
  const sent = await makeEnded(quietMobile());
  const settling = new Client({ connectionString: server.config.database.ownerUrl ?? '' });
  await settling.connect();
  try {
    await settling.query('begin');
    await settling.query(`update sms_sends set state = 'delivered', settled_at = now() where id = $1`, [sent.sendId]);
    const purging = purge(sent);
    await eventually(async () => {
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(await server.query(waiting)).toHaveLength(1);
    });
    await settling.query('commit');
    await purging;
  } finally {
    await settling.end();
  }
  expect(await messageOf(sent)).toMatchObject({ state: 'delivered', hasReference: false });
  // The books know nothing of it: it was settled past them.
  await server.query(`update sms_sends set state = 'submitted', settled_at = null where id = $1`, [sent.sendId]);
  await becomeDelivered(sent);
});

test('nor does the carrier’s first answer bring one back, if it comes after the report was erased', async () => {
  const sent = await makeEnded(quietMobile());
  await becomeDelivered(sent);
  expect((await rights.erase(sent.subject)).erased).toBe(1);
  const { tenantId } = server.demo;
  await server.database.forTenants([tenantId], (tx) =>
    updateCarrierRef(tx, { tenantId, sendId: sent.sendId }, 'SM-late'),
  );
  expect(await messageOf(sent)).toMatchObject({ state: 'delivered', hasReference: false });
});

test('a receipt that waits to be applied outlives the erasure and is deleted after it was applied', async () => {
  const sent = await makeEnded(newMobile(3));
  await becomeDelivered(sent);
  // As a process leaves it that died between the storing and the applying.
  await server.query('update sms_receipts set pending_since = clock_timestamp() where send_id = $1', [sent.sendId]);
  expect((await rights.erase(sent.subject)).erased).toBe(1);
  expect(await messageOf(sent)).toEqual({ state: 'delivered', hasReference: false, receipts: 1 });
  await server.query('update sms_receipts set pending_since = null where send_id = $1', [sent.sendId]);
  const around = { database: server.database, vault: vaultOf(server), now: () => new Date() };
  const jobs = subjectJobs(createSubjectDependencies(server.config, around));
  await jobs.find(({ name }) => name === 'erase-late-receipts')?.run();
  expect(await messageOf(sent)).toEqual({ state: 'delivered', hasReference: false, receipts: 0 });
});
