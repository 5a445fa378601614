// A person's rights through the API: found by every spelling, exported whole, erased with a receipt; and who is refused.
import { randomUUID } from 'node:crypto';
import type { HeldReport, Role } from '@trefoil/contract';
import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { verifyReceipt } from '../../src/subjects/receipt.ts';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { publishedKeys } from '../support/evidence.ts';
import { addPerson, auditOf } from '../support/people.ts';
import { type Rights, rightsOf } from '../support/subjects.ts';
import { send } from '../support/wire.ts';

let server: TestServer;
let rights: Rights;
beforeAll(async () => {
  // Nothing is hashed ahead of a search, so that each search shows what it does by itself.
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
  rights = await rightsOf(server);
});
afterAll(() => server.close());

/** Nobody else in this database has the name. */
const newName = () => `Exemplar${randomUUID().replace(/[^a-f]/g, '')}`;
const address = (postcode: string) => ({
  type: 'current',
  ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode },
});

type Person = { firstName: string; lastName: string; dateOfBirth: string };

async function makeReport(person: Person, ...postcodes: string[]): Promise<string> {
  const { data } = await server.trefoil.generate(generateBody({ ...person, addresses: postcodes.map(address) }));
  expect(data.status).toBe('complete');
  return data.creditReportId;
}

test('200: a report is found by every spelling of its names and by each of its postcodes', async () => {
  const lastName = newName();
  const person = { firstName: 'Zoë-Ann', lastName: `O'${lastName}`, dateOfBirth: '1984-03-09' };
  const id = await makeReport(person, 'HR10 2AB', 'ZE1 0AA');
  for (const firstName of ['Zoë-Ann', 'ZOE ANN', 'zoeann', 'Zoe\u0308 ann']) {
    for (const last of [`O'${lastName}`, `o ${lastName}`, `O’${lastName.toUpperCase()}`]) {
      for (const postcode of ['HR10 2AB', 'hr102ab', 'ZE1 0AA']) {
        const found = await rights.find({ ...person, firstName, lastName: last, postcode });
        expect(found.reports.map(({ creditReportId }) => creditReportId)).toEqual([id]);
      }
    }
  }
  const nobody = [
    { firstName: 'Zara' },
    { lastName: newName() },
    { dateOfBirth: '1984-03-10' },
    { postcode: 'HR10 2AD' },
  ];
  for (const change of nobody) {
    expect(await rights.find({ ...person, postcode: 'HR10 2AB', ...change })).toEqual({ total: 0, reports: [] });
  }
});

test('200: reports of other companies do not exist, and an erasure leaves them alone', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  const own = await makeReport(person, 'HR10 2AB');
  const foreign = await server.otherTrefoil.generate(generateBody({ ...person, addresses: [address('HR10 2AB')] }));
  const subject = { ...person, postcode: 'HR10 2AB' };
  expect((await rights.find(subject)).reports.map(({ creditReportId }) => creditReportId)).toEqual([own]);
  expect((await rights.erase(subject)).erased).toBe(1);
  const theirs = await (await rightsOf(server, server.other.tenantId)).find(subject);
  expect(theirs.reports.map(({ creditReportId }) => creditReportId)).toEqual([foreign.data.creditReportId]);
  expect((await server.otherTrefoil.getReport(foreign.data.creditReportId)).data.status).toBe('complete');
});

test('200: an export has the request, the report, what bureaus said and where it was requested', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  const { data } = await server.trefoil.generate(
    generateBody({
      ...person,
      mobileNumber: '+447700900123',
      externalReference: 'claim-77',
      addresses: [address('HR10 2AB')],
    }),
  );
  if (data.status !== 'complete') throw new Error(data.status);
  const exported = await rights.export({ ...person, postcode: 'HR10 2AB' });
  expect(exported).toMatchObject({ total: 1, nextCursor: null });
  const [held] = exported.reports as [HeldReport];
  expect(held).toMatchObject({ creditReportId: data.creditReportId, status: 'complete', test: true, source: 'api' });
  expect(held.request).toMatchObject({ ...person, mobileNumber: '+447700900123', externalReference: 'claim-77' });
  expect(held.creditReport).toEqual(data.creditReport);
  expect(held.provenance).toMatchObject({ type: 'trefoil/provenance/1' });
  expect(held).toMatchObject({ messages: [], statementLines: [] });
});

test('200: more reports than a page has come page by page, each once, newest first', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  const ids: string[] = [];
  for (let count = 0; count < 12; count += 1) ids.unshift(await makeReport(person, 'HR10 2AB'));
  const subject = { ...person, postcode: 'HR10 2AB' };
  const first = await rights.export(subject);
  const second = await rights.export(subject, first.nextCursor ?? '');
  expect([first.total, first.reports.length, second.reports.length, second.nextCursor]).toEqual([12, 10, 2, null]);
  expect([...first.reports, ...second.reports].map(({ creditReportId }) => creditReportId)).toEqual(ids);
});

test('200: the export as a document is a PDF, under a name that says nothing of the person; 404 of nobody', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  await makeReport(person, 'HR10 2AB');
  const pdf = await createTrefoil({ ...server.demo, baseUrl: server.baseUrl }).exportSubjectDocument({
    ...person,
    postcode: 'HR10 2AB',
  });
  expect(Buffer.from(pdf).toString('latin1', 0, 8)).toBe('%PDF-1.7');
  const nobody = await rights.call('export-document', { ...person, postcode: 'HR10 2AD' });
  expect([nobody.status, nobody.code]).toEqual([404, 'not-found']);
});

test('200: after an erasure every read is 410, nothing is found, and a second receipt is over no report', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  const subject = { ...person, postcode: 'HR10 2AB' };
  const ids = [await makeReport(person, 'HR10 2AB'), await makeReport(person, 'HR10 2AB', 'ZE1 0AA')];
  const erased = await rights.erase(subject);
  expect(erased).toMatchObject({ erased: 2, remaining: 0 });
  const receipt = JSON.parse(erased.receipt);
  expect(receipt).toMatchObject({
    ...{ type: 'trefoil/erasure/1', erasureId: erased.erasureId, tenantId: server.demo.tenantId },
    erased: { reports: 2 },
    kept: { statementLines: [] },
  });
  expect(receipt.creditReportIds.toSorted()).toEqual(ids.toSorted());
  for (const id of ids) {
    await expect(server.trefoil.getReport(id)).rejects.toMatchObject({ status: 410, code: 'credit-report-purged' });
    await expect(server.trefoil.getDocument(id, 'pdf')).rejects.toMatchObject({ status: 410 });
  }
  expect(await rights.find(subject)).toEqual({ total: 0, reports: [] });
  expect(await rights.export(subject)).toEqual({ total: 0, reports: [], nextCursor: null });
  const again = await rights.erase(subject);
  expect(again).toMatchObject({ erased: 0, remaining: 0 });
  expect(JSON.parse(again.receipt)).toMatchObject({ creditReportIds: [], erased: { reports: 0 } });
});

test('the published keys verify a receipt, and refuse it with one byte changed anywhere', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  await makeReport(person, 'HR10 2AB');
  const { receipt, signature, kid } = await rights.erase({ ...person, postcode: 'HR10 2AB' });
  const keys = await publishedKeys(server);
  expect(verifyReceipt({ receipt, signature, kid }, keys).verdict).toBe('good');
  for (let at = 0; at < receipt.length; at += 7) {
    const changed = `${receipt.slice(0, at)}${receipt[at] === '1' ? '2' : '1'}${receipt.slice(at + 1)}`;
    expect(verifyReceipt({ receipt: changed, signature, kid }, keys).verdict, String(at)).not.toBe('good');
  }
  const turned = `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`;
  expect(verifyReceipt({ receipt, signature: turned, kid }, keys).verdict).toBe('altered');
  expect(verifyReceipt({ receipt, signature, kid }, []).verdict).toBe('unknown-key');
});

test('409 request-in-progress: nothing is erased while a report waits for its code; afterwards everything is', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  const subject = { ...person, postcode: 'HR10 2AB' };
  const done = await makeReport(person, 'HR10 2AB');
  const open = await startChallenge(server.trefoil, { ...person, addresses: [address('HR10 2AB')] });
  const found = await rights.find(subject);
  expect(found.reports.map(({ status }) => status)).toEqual(['authentication-required', 'complete']);
  const refused = await rights.call('erase', subject);
  expect([refused.status, refused.code]).toEqual([409, 'request-in-progress']);
  expect(refused.reply.headers['retry-after']).toBe('30');
  expect((await server.trefoil.getReport(done)).data.status).toBe('complete');
  await server.trefoil.submitOtp(open.creditReportId, { challengeId: open.challengeId, code: '123456' });
  expect((await rights.erase(subject)).erased).toBe(2);
});

test.each(['finance', 'developer', 'analyst', 'caseworker'] satisfies Role[])(
  '403 forbidden: the role %s, which lacks the scope',
  async (role) => {
    const member = await addPerson(server, server.demo.tenantId, role);
    const subject = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' };
    for (const action of ['find', 'export', 'export-document', 'erase']) {
      const { status, code } = await rights.call(action, subject, member);
      expect([status, code]).toEqual([403, 'forbidden']);
    }
  },
);

test('403 step-up-required: an erasure by an admin whose second factor is old; a search needs none', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  const subject = { ...person, postcode: 'HR10 2AB' };
  await makeReport(person, 'HR10 2AB');
  const admin = await addPerson(server, server.demo.tenantId, 'admin', { secondFactorAgoMs: 601_000 });
  expect((await rights.call('erase', subject, admin)).code).toBe('step-up-required');
  expect((await rights.call('find', subject, admin)).data).toMatchObject({ total: 1 });
});

test('400: each missing or wrong field is named, and none is repeated', async () => {
  const { status, reply } = await rights.call('find', {
    firstName: 'Quillonette',
    dateOfBirth: '1884-02-30',
    postcode: 'QQ1',
  });
  expect(status).toBe(400);
  const { details } = JSON.parse(reply.text) as { details: { path: string }[] };
  expect(details.map(({ path }) => path).toSorted()).toEqual(['/dateOfBirth', '/lastName', '/postcode']);
  expect(reply.text).not.toMatch(/Quillonette|1884-02-30|QQ1/);
});

test('a test-only credential finds test reports', async () => {
  const person = { firstName: 'Ada', lastName: newName(), dateOfBirth: '1984-03-09' };
  const id = await makeReport(person, 'HR10 2AB');
  await server.query('update credit_reports set is_test = false, bureau_results = $2 where id = $1', [id, '[]']);
  const test = await makeReport(person, 'HR10 2AB');
  const subject = { ...person, postcode: 'HR10 2AB' };
  expect((await server.trefoil.findSubject(subject)).data.total).toBe(2);
  await server.query('update credentials set is_test_only = true where id = $1', [server.demo.clientId]);
  try {
    await eventually(async () =>
      expect((await server.trefoil.findSubject(subject)).data.reports.map((each) => each.creditReportId)).toEqual([
        test,
      ]),
    );
  } finally {
    await server.query('update credentials set is_test_only = false where id = $1', [server.demo.clientId]);
  }
});

test('the audit log says who searched, exported and erased, with counts and ids and without the person', async () => {
  const person = { firstName: 'Quillonette', lastName: newName(), dateOfBirth: '1957-11-23' };
  const subject = { ...person, postcode: 'ZE3 9JZ' };
  const id = await makeReport(person, 'ZE3 9JZ');
  await rights.find(subject);
  await rights.export(subject);
  const { erasureId } = await rights.erase(subject);
  const lines = (await auditOf(server, server.demo.tenantId)).slice(-4);
  const { userId: actor } = rights.owner;
  const { tenantId } = server.demo;
  expect(lines).toEqual([
    { actor, action: 'subject.searched', subject: tenantId, details: { reports: 1 } },
    { actor, action: 'subject.exported', subject: tenantId, details: { reports: 1, format: 'json' } },
    { actor, action: 'report.erased', subject: id, details: { erasureId } },
    { actor, action: 'subject.erased', subject: erasureId, details: { reports: 1 } },
  ]);
  expect(server.logText()).not.toMatch(/Quillonette|1957-11-23|ZE3 9JZ/);
});

test('404: there is no address with a person in it', async () => {
  const headers = { authorization: `Bearer ${rights.owner.token}` };
  const path = `/${server.demo.tenantId}/v1/subjects?lastName=Example`;
  expect((await send(server.baseUrl, { method: 'GET', path, headers })).status).toBe(404);
});
