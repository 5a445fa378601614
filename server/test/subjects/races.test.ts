// Erasures against what else happens at the same moment: other erasures, new reports, the purge, a rotation of keys, and the death
// of the process in the middle.
import { randomUUID } from 'node:crypto';
import type { ErasedSubject, SubjectRequest } from '@trefoil/contract';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { REPORT_TABLES } from '../../src/credit-reports/retention/retention-jobs.ts';
import { rewrapDataKeys } from '../../src/credit-reports/retention/rewrap-keys.ts';
import { forgetNow } from '../../src/lib/postgres/retention.ts';
import { beginErasure } from '../../src/subjects/erase-subject.ts';
import { subjectJobs } from '../../src/subjects/jobs.ts';
import { createSubjectDependencies } from '../../src/subjects/open-subjects.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { callAs } from '../support/people.ts';
import { type Rights, rightsOf, vaultOf } from '../support/subjects.ts';

let server: TestServer;
let rights: Rights;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
  rights = await rightsOf(server);
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

const newSubject = (): SubjectRequest => ({
  ...{ firstName: 'Ada', lastName: `Exemplar${randomUUID().replace(/[^a-f]/g, '')}` },
  ...{ dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' },
});

async function makeReports({ postcode: _, ...person }: SubjectRequest, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => server.trefoil.generate(generateBody(person))));
  return made.map(({ data }) => data.creditReportId);
}

/** As a client does: one that waits too long for another's locks is 503, and is sent again. */
async function eraseInTurn(subject: SubjectRequest): Promise<ErasedSubject> {
  const { status, data } = await eventually(
    async () => {
      const reply = await rights.call('erase', subject);
      expect(reply.status).not.toBe(503);
      return reply;
    },
    { everyMs: 1 },
  );
  expect(status).toBe(200);
  return data as ErasedSubject;
}

const isReadable = async (id: string) =>
  server.trefoil.getReport(id).then(
    () => true,
    ({ status }: { status: number }) => {
      expect(status).toBe(410);
      return false;
    },
  );

test('ten erasures of one person at once: every one gets its receipt, and each report is erased once', async () => {
  const subject = newSubject();
  const ids = await makeReports(subject, 20);
  const erased = await Promise.all(Array.from({ length: 10 }, () => eraseInTurn(subject)));
  for (const id of ids) expect(await isReadable(id)).toBe(false);
  const named = new Set(erased.flatMap(({ receipt }) => JSON.parse(receipt).creditReportIds as string[]));
  expect(named).toEqual(new Set(ids));
  // However many receipts name a report, its sealed data was destroyed once.
  const destroyed = erased.map(({ receipt }) => JSON.parse(receipt).erased.reports as number);
  expect(destroyed.reduce((sum, each) => sum + each, 0)).toBe(20);
});

test('erasures, new reports, the purge and a rotation at once: no report is half erased', async () => {
  const subject = newSubject();
  const others = await makeReports(newSubject(), 10);
  const { postcode: _, ...person } = subject;
  await makeReports(subject, 10);
  const [aged] = await makeReports(newSubject(), 1);
  await server.query(
    `update credit_reports set created_at = now() - interval '99 days', settled_at = now() - interval '99 days' where id = $1`,
    [aged],
  );
  const settled = { keep: 'nothing', keepMonths: false };
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 5 }, () => eraseInTurn(subject)),
    ...Array.from({ length: 10 }, () => server.trefoil.generate(generateBody(person))),
    ...Array.from({ length: 5 }, () => forgetNow(server.database, REPORT_TABLES)),
    rewrapDataKeys(server.database, { vault: vaultOf(server), settled, onProgress: () => undefined }),
  ]);
  expect(outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))).toEqual([]);
  await rights.erase(subject);
  expect((await rights.find(subject)).total).toBe(0);
  const half = await server.query(
    `select id from credit_reports left join data_keys on credit_report_id = id
      where (purged_at is null) <> (wrapped_key is not null) or (purged_at is null) <> (octet_length(sealed_request) > 0)`,
  );
  expect(half).toEqual([]);
  expect(
    await server.query(
      'select from subject_hashes left join data_keys using (tenant_id, credit_report_id) where wrapped_key is null',
    ),
  ).toEqual([]);
  for (const id of others) expect(await isReadable(id)).toBe(true);
});

test('503 with its number: an erasure that cannot be finished now is finished by a job, and its receipt is kept', async () => {
  const subject = newSubject();
  const ids = await makeReports(subject, 2);
  const { tenantId } = server.demo;
  // It waits in vain, and so not longer than in production.
  const hasty = await server.startNode({}, { patience: 1 });
  const holding = new Client({ connectionString: server.config.database.ownerUrl ?? '' });
  await holding.connect();
  let answer: Awaited<ReturnType<typeof rights.call>>;
  try {
    // The last step writes the audit log: it waits, in vain.
    await holding.query('begin');
    await holding.query('select from audit_heads where tenant_id = $1 for update', [tenantId]);
    answer = await callAs(hasty, rights.owner, 'POST', `/${tenantId}/v1/subjects/erase`, subject);
  } finally {
    await holding.end();
    await hasty.close();
  }
  const { erasureId, message } = JSON.parse(answer.reply.text) as { erasureId: string; message: string };
  expect(answer.status).toBe(503);
  expect(message).toContain(erasureId);
  for (const id of ids) expect(await isReadable(id)).toBe(false);
  await server.query(`update erasures set began_at = began_at - interval '2 minutes' where id = $1`, [erasureId]);
  const around = { database: server.database, vault: vaultOf(server), now: () => new Date() };
  const jobs = subjectJobs(createSubjectDependencies(server.config, around));
  expect(await jobs.find(({ name }) => name === 'finish-erasures')?.run()).toBe(1);
  const [row] = await server.query<{ receipt: string }>('select receipt from erasures where id = $1', [erasureId]);
  expect(new Set(JSON.parse(row?.receipt ?? '{}').creditReportIds)).toEqual(new Set(ids));
});

test('a process that dies after it noted the erasure: a job finishes it, and its receipt is signed', async () => {
  const subject = newSubject();
  const ids = await makeReports(subject, 3);
  const around = { database: server.database, vault: vaultOf(server), now: () => new Date() };
  const dependencies = createSubjectDependencies(server.config, around);
  const id = '01998b50-3c20-7e52-9f63-7a8192a3b4c5';
  const { tenantId } = server.demo;
  await beginErasure(dependencies, { tenantId, actor: rights.owner.userId, id, ids });
  // Nothing is lost so far: the person is found and the reports are read.
  expect((await rights.find(subject)).total).toBe(3);
  await server.query(`update erasures set began_at = began_at - interval '2 minutes' where id = $1`, [id]);
  const finish = subjectJobs(dependencies).find(({ name }) => name === 'finish-erasures');
  expect(await finish?.run()).toBe(1);
  for (const each of ids) expect(await isReadable(each)).toBe(false);
  const [row] = await server.query<{ receipt: string }>('select receipt from erasures where id = $1', [id]);
  expect(JSON.parse(row?.receipt ?? '{}')).toMatchObject({ erasureId: id, erased: { reports: 3 } });
  expect(await finish?.run()).toBe(0);
});
