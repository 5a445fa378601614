// How reports are found: those of before this feature, in bounded steps; under a hash key that was replaced; while they run; and
// while the key service is away.
import { randomBytes, randomUUID } from 'node:crypto';
import type { SubjectRequest } from '@trefoil/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealRequest } from '../../src/credit-reports/seal-report.ts';
import { insertReports, type NewReport } from '../../src/credit-reports/store.ts';
import { parseHashRing } from '../../src/lib/crypto/hash-ring.ts';
import { newKey } from '../../src/lib/crypto/secret-keys.ts';
import { createVault } from '../../src/lib/crypto/vault.ts';
import type { ServiceError } from '../../src/lib/errors.ts';
import { newId } from '../../src/lib/ids.ts';
import { findMatches } from '../../src/subjects/find-subject.ts';
import { createSubjectHash } from '../../src/subjects/hash-subject.ts';
import { type IndexDependencies, indexReports } from '../../src/subjects/index-reports.ts';
import { keyOfPerson } from '../../src/subjects/rules/person.ts';
import { findIdsOfHashes, type Sought } from '../../src/subjects/store.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { makeMonthKeyFolder } from '../support/month-keys.ts';
import { rightsOf, vaultOf } from '../support/subjects.ts';

let server: TestServer;
let dependencies: IndexDependencies;
beforeAll(async () => {
  server = await startServer({ environment: { TREFOIL_JOBS: 'off' } });
  dependencies = {
    database: server.database,
    vault: vaultOf(server),
    subjectHash: createSubjectHash(server.config.hashKeys),
    isLossAccepted: false,
    runningHashes: new Map(),
    now: () => new Date(),
  };
});
afterAll(() => server.close());

const newSubject = (): SubjectRequest => ({
  ...{ firstName: 'Ada', lastName: `Exemplar${randomUUID().replace(/[^a-f]/g, '')}` },
  ...{ dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' },
});

async function makeReport({ postcode: _, ...person }: SubjectRequest): Promise<string> {
  return (await server.trefoil.generate(generateBody(person))).data.creditReportId;
}

/** Past the service, with ids of their own: as another node has made them. */
async function addReports(reports: readonly { at: number; subject: SubjectRequest }[]): Promise<string[]> {
  const { tenantId } = server.demo;
  const vault = vaultOf(server);
  const rows = reports.map(({ at, subject: { postcode: _, ...person } }): NewReport => {
    const id = newId(at);
    const { dataKey, wrapped } = vault.createDataKey({ tenantId, subjectId: id });
    return {
      ...{ tenantId, id, isTest: true, callerId: randomUUID(), source: 'api', status: 'failed', wrapped },
      ...{ externalReferenceHash: null, sealedReport: null, sealedProvenance: null, firstSendId: null },
      sealedRequest: sealRequest(dataKey, generateBody(person)),
    };
  });
  await server.database.forTenants([tenantId], (tx) => insertReports(tx, rows));
  return rows.map(({ id }) => id);
}

const asker = () => ({ tenantId: server.demo.tenantId, actor: 'operator', isTestOnly: false });
const matchesOf = async (...parameters: Parameters<typeof findMatches>) => (await findMatches(...parameters)).matches;
const soon = () => ({ untilMs: performance.now() + 60_000 });
const forget = () => server.query('truncate subject_hashes, subject_marks');
/** As if it were later: then nothing of now can still appear out of order. */
const later = (): IndexDependencies => ({ ...dependencies, now: () => new Date(Date.now() + 3_600_000) });

test('reports without a hash, as of before this release, are found; a mark says up to where all have theirs', async () => {
  const subject = newSubject();
  const id = await makeReport(subject);
  await forget();
  const { tenantId } = server.demo;
  expect(await indexReports(later(), tenantId, soon())).toEqual({ isDone: true, running: [] });
  const [mark] = await server.query<{ upTo: string }>('select up_to as "upTo" from subject_marks');
  expect(mark?.upTo).toBe(id);
  expect(await matchesOf(dependencies, asker(), subject)).toEqual([{ id, isRunning: false }]);
});

test('the mark does not pass reports of the last half hour: one with a lower id, committed later, is found', async () => {
  await makeReport(newSubject());
  await forget();
  await indexReports(dependencies, server.demo.tenantId, soon());
  expect(await server.query('select from subject_marks')).toEqual([]);
  const subject = newSubject();
  const [id] = await addReports([{ at: Date.now() - 60_000, subject }]);
  expect(await matchesOf(dependencies, asker(), subject)).toEqual([{ id, isRunning: false }]);
});

test('a report that cannot be opened stops no search', async () => {
  const [lost, subject] = [newSubject(), newSubject()];
  const broken = await makeReport(lost);
  await server.query(`update data_keys set wrapped_key = '\\x00' where credit_report_id = $1`, [broken]);
  const id = await makeReport(subject);
  expect(await matchesOf(dependencies, asker(), subject)).toEqual([{ id, isRunning: false }]);
  expect(await matchesOf(dependencies, asker(), lost)).toEqual([]);
});

test('503: a process that lacks a key says so, and spoils nothing for those that have it; unless the key is lost for good', async () => {
  const subject = newSubject();
  const id = await makeReport(subject);
  await forget();
  const lacking = { ...later(), vault: createVault([{ id: 'another', key: randomBytes(32) }]) };
  await expect(matchesOf(lacking, asker(), subject)).rejects.toMatchObject({ code: 'service-unavailable' });
  expect(await matchesOf(dependencies, asker(), subject)).toEqual([{ id, isRunning: false }]);
  await forget();
  expect(await matchesOf({ ...lacking, isLossAccepted: true }, asker(), subject)).toEqual([]);
  await forget();
});

test('503: of 3,000 older reports each search looks at a bounded part and gives none of the answer, until all were looked at', async () => {
  const [subject, hourAgo] = [newSubject(), Date.now() - 3_600_000];
  const other = newSubject();
  const ids = await addReports(
    Array.from({ length: 3_000 }, (_, at) => ({ at: hourAgo + at, subject: at === 1_234 ? subject : other })),
  );
  await forget();
  const refused = (error: ServiceError) => {
    expect(error.headers).toEqual({ 'retry-after': '15' });
    return error.code;
  };
  // Without any time, a search looks at its least part: 40 reports.
  const search = () => matchesOf(dependencies, asker(), subject, { withinMs: 0 }).catch(refused);
  let [refusals, found] = [0, await search()];
  for (; found === 'service-unavailable' && refusals < 3_000; refusals += 1) found = await search();
  expect(found).toEqual([{ id: ids[1_234], isRunning: false }]);
  expect(refusals).toBeGreaterThanOrEqual(3_000 / 40 - 1);
  await server.query('delete from data_keys where credit_report_id = any ($1)', [ids]);
});

test('all are counted, also beyond those that one search lists; a test-only credential counts test reports alone', async () => {
  const subject = newSubject();
  const ids = await addReports(Array.from({ length: 5 }, (_, at) => ({ at: Date.now() - 1_000 + at, subject })));
  await server.query('update credit_reports set is_test = false where id = any ($1)', [ids.slice(3)]);
  await matchesOf(dependencies, asker(), subject);
  const hashes = dependencies.subjectHash.every(server.demo.tenantId, keyOfPerson(subject));
  const find = (sought: Partial<Sought>) =>
    server.database.forTenants([server.demo.tenantId], (tx) =>
      findIdsOfHashes(tx, server.demo.tenantId, {
        hashes,
        beforeId: undefined,
        limit: 2,
        ...sought,
      }),
    );
  const newest = ids.toReversed();
  expect(await find({})).toEqual({ ids: newest.slice(0, 2), total: 5 });
  expect(await find({ beforeId: newest[1] })).toEqual({ ids: newest.slice(2, 4), total: 5 });
  const found = await findMatches(dependencies, { ...asker(), isTestOnly: true }, subject);
  expect(found).toEqual({ matches: newest.slice(2).map((id) => ({ id, isRunning: false })), total: 3 });
});

test('a report that runs is opened once by a process, however often it is searched for', async () => {
  const subject = newSubject();
  const [id] = await addReports([{ at: Date.now(), subject }]);
  await server.query(`update credit_reports set status = 'fetching' where id = $1`, [id]);
  let opened = 0;
  const { vault } = dependencies;
  const counted = {
    ...{ ...dependencies, runningHashes: new Map() },
    vault: {
      ...vault,
      openDataKey: (...sealed: Parameters<typeof vault.openDataKey>) => {
        if (sealed[0].subjectId === id) opened += 1;
        return vault.openDataKey(...sealed);
      },
    },
  };
  await indexReports(dependencies, server.demo.tenantId, soon());
  for (let search = 1; search <= 3; search += 1) {
    expect(await matchesOf(counted, asker(), subject)).toEqual([{ id, isRunning: true }]);
  }
  expect(opened).toBe(1);
  await server.query(`update credit_reports set status = 'failed' where id = $1`, [id]);
});

test('a hash goes with its data key, whatever deletes that', async () => {
  const subject = newSubject();
  const id = await makeReport(subject);
  await matchesOf(dependencies, asker(), subject);
  const hashes = () => server.query('select from subject_hashes where credit_report_id = $1', [id]);
  expect((await hashes()).length).toBeGreaterThan(0);
  await server.database.asSystem((tx) => tx.query('delete from data_keys where credit_report_id = $1', [id]));
  expect(await hashes()).toEqual([]);
});

describe('a hash key that is replaced', () => {
  const ring = (...ids: readonly string[]) => {
    const found = parseHashRing(ids.join(','));
    if (!found) throw new Error('not a ring');
    return createSubjectHash(found);
  };
  const [old, young] = [`old:${newKey()}`, `young:${newKey()}`];

  test('old hashes are found as long as the ring has their key, and made anew once it has not', async () => {
    const subject = newSubject();
    const id = await makeReport(subject);
    await forget();
    const under = (...keys: string[]) => ({ ...later(), subjectHash: ring(...keys) });
    const keyIds = async () =>
      (
        await server.query<{ keyId: string }>(
          'select distinct key_id as "keyId" from subject_hashes where credit_report_id = $1',
          [id],
        )
      ).length;
    expect(await matchesOf(under(old), asker(), subject)).toHaveLength(1);
    expect(await matchesOf(under(young, old), asker(), subject)).toHaveLength(1);
    expect(await keyIds()).toBe(1);
    expect(await matchesOf(under(young), asker(), subject)).toHaveLength(1);
    expect(await keyIds()).toBe(2);
    // The mark has forgotten the old key: the next search looks at nothing again.
    const [mark] = await server.query<{ keys: number }>('select cardinality(key_ids) as keys from subject_marks');
    expect(mark?.keys).toBe(1);
  });

  test('a node that still has the old key hides nothing from one that has dropped it', async () => {
    const subject = newSubject();
    await makeReport(subject);
    await forget();
    const under = (...keys: string[]) => ({ ...later(), subjectHash: ring(...keys) });
    expect(await matchesOf(under(old), asker(), subject)).toHaveLength(1);
    // As a node without the old key leaves it, that began to hash anew and was stopped.
    await server.query(`update subject_marks set up_to = '00000000-0000-0000-0000-000000000000', key_ids = $1`, [
      [ring(young).keyId],
    ]);
    expect(await matchesOf(under(young, old), asker(), subject)).toHaveLength(1);
    expect(await matchesOf(under(young), asker(), subject)).toHaveLength(1);
  });
});

test('503: find, export and erase while the key service is away, and afterwards they work', async () => {
  const folder = makeMonthKeyFolder({ cacheSeconds: 60 });
  const own = await startServer({ environment: { ...folder.environment, TREFOIL_JOBS: 'off' } });
  try {
    const { postcode, ...person } = newSubject();
    const subject = { ...person, postcode };
    await own.trefoil.generate(generateBody(person));
    const bearer = await rightsOf(own);
    folder.remove();
    // A node that starts now has no key in memory.
    const node = await own.startNode();
    try {
      for (const action of ['find', 'export', 'erase']) {
        const reply = await fetch(`${node.baseUrl}/${own.demo.tenantId}/v1/subjects/${action}`, {
          method: 'POST',
          body: JSON.stringify(subject),
          headers: { authorization: `Bearer ${bearer.owner.token}`, 'content-type': 'application/json' },
        });
        expect([action, reply.status, reply.headers.get('retry-after') !== null]).toEqual([action, 503, true]);
      }
    } finally {
      await node.close();
    }
    expect((await bearer.find(subject)).total).toBe(1);
    expect((await bearer.erase(subject)).erased).toBe(1);
  } finally {
    await own.close();
    folder.remove();
  }
});
