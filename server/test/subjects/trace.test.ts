// No readable trace: an invented consumer goes through live reports, a code and a message, evidence, a document and webhooks, is
// exported and erased. Then a dump of the whole database has nothing of them, in clear text or in any other form, and no sealed column
// opens to it with the keys that the service has. Only the lines of the statement stay, and the receipt names them. A consumer who was not erased is the
// control: the same search must find them.
import type { ErasedSubject, ExportedSubject, FoundSubject, GenerateRequest } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createRequestHashes } from '../../src/credit-reports/retention/erase-reports.ts';
import { createSecretSeal } from '../../src/lib/crypto/secret-seal.ts';
import { openText } from '../../src/webhooks/sealing/sealed-texts.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { dumpDatabase, dumpRedis, readMetrics, watchRedis } from '../support/dump.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { callAs } from '../support/people.ts';
import { hashOfMobile } from '../support/providers.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';
import {
  findWords,
  newCanary,
  openEverything,
  type Rights,
  rightsOf,
  SHARED_WORDS,
  vaultOf,
} from '../support/subjects.ts';
import { countNotHandedOut, DEVELOPMENT, QUICK } from '../support/webhooks.ts';

const erasedOne = newCanary('Wrexbottomley');
const keptOne = newCanary('Throckmortonby');

let server: LiveServer;
let rights: Rights;
let redisCommands: string;
let found: FoundSubject;
let exported: ExportedSubject;
let pdf: Uint8Array;
let erased: ErasedSubject;
let openedBefore: Map<string, string>;
let ids: string[];
let firstBody: GenerateRequest;
let receiver: Receiver;
let evidencesBefore: readonly EvidenceRow[];

/** What the company's own system answers to a webhook. */
const RECEIVED = 'Noted.';

type EvidenceRow = { readonly creditReportId: string; readonly statement: string; readonly documents: number };

/** Of these reports, as far as they have any. */
const findEvidences = (creditReportIds: readonly string[]) =>
  server.query<EvidenceRow>(
    `select credit_report_id as "creditReportId", statement, cardinality(document_digests) as documents
       from evidences where credit_report_id = any ($1) order by id`,
    [creditReportIds],
  );

/** What the receiver answered about these reports, as the database keeps it. */
async function openAnswers(creditReportIds: readonly string[]): Promise<string[]> {
  const seal = createSecretSeal(server.config.vaultKeys);
  const rows = await server.query<{ id: string; sealed: Buffer }>(
    `select attempts.id, sealed_answer as sealed
       from webhook_attempts as attempts join webhook_deliveries as deliveries
         on deliveries.tenant_id = attempts.tenant_id and deliveries.id = delivery_id
      where deliveries.tenant_id = $1 and state = 'delivered' and body::jsonb -> 'data' ->> 'creditReportId' = any ($2)`,
    [server.demo.tenantId, creditReportIds],
  );
  return rows.map(({ id, sealed }) => openText(seal, 'answer', { tenantId: server.demo.tenantId, id }, sealed));
}

/** A node with jobs sends what has happened so far. */
async function sendWebhooks(): Promise<void> {
  const node = await server.startNode({ TREFOIL_JOBS: 'on' }, QUICK);
  try {
    await eventually(
      async () => {
        expect(await countNotHandedOut(server)).toBe(0);
        expect(await server.query(`select from webhook_deliveries where state <> 'delivered'`)).toEqual([]);
      },
      { limitMs: 30_000 },
    );
  } finally {
    await node.close();
  }
}

const flat = (opened: ReadonlyMap<string, string>) => [...opened.values()].join('\n');

/** A report at once, and one after a code, of which the message is delivered and charged. */
async function goThroughFlows({ request }: typeof erasedOne): Promise<GenerateRequest> {
  const { mobileNumber = '', lastName } = request;
  const body = liveBody(server.mintSession(), request);
  const direct = await server.trefoil.generate(body, { idempotencyKey: lastName });
  expect(direct.data.status).toBe('complete');
  const { creditReportId } = direct.data;
  const { files } = (await server.trefoil.getEvidence(creditReportId)).data;
  expect(JSON.stringify(files)).toContain(lastName);
  expect((await server.trefoil.getDocument(creditReportId, 'pdf')).length).toBeGreaterThan(10_000);
  const email = request.email?.replace('allow', 'challenge') ?? '';
  const { data } = await server.trefoil.generate(liveBody(server.mintSession(), { ...request, email }));
  if (data.status !== 'authentication-required') throw new Error(data.status);
  const code = await server.code(mobileNumber);
  const right = await server.trefoil.submitOtp(data.creditReportId, { ...data.challenge, code });
  expect(right.data.status).toBe('complete');
  await eventually(async () => {
    const receipts = `select from sms_receipts join sms_sends on sms_sends.id = send_id
                       where credit_report_id = $1 and sms_receipts.status = 'delivered'`;
    expect(await server.query(receipts, [data.creditReportId])).toHaveLength(1);
  });
  await server.receiptsApplied();
  return body;
}

beforeAll(async () => {
  server = await startLiveServer({ environment: { ...DEVELOPMENT, TREFOIL_JOBS: 'off' } });
  receiver = await startReceiver(answer(200, {}, RECEIVED));
  await server.fund(server.demo.tenantId, 1_000_000);
  await server.fund(server.other.tenantId, 1_000_000);
  rights = await rightsOf(server);
  const stopWatching = await watchRedis(server);
  const endpoints = `/${server.demo.tenantId}/v1/webhook-endpoints`;
  expect((await callAs(server, rights.owner, 'POST', endpoints, { url: receiver.url })).status).toBe(200);
  firstBody = await goThroughFlows(erasedOne);
  await goThroughFlows(keptOne);
  await sendWebhooks();
  // The same person at another company, an hour ago: a sighting names no company, so within two minutes it would go too.
  await server.query(`update sightings set seen_at = seen_at + interval '1 hour'`);
  await server.otherTrefoil.generate(liveBody(server.mintSession(), erasedOne.request));
  await server.query(`update sightings set seen_at = seen_at - interval '1 hour'`);
  openedBefore = await openEverything(server, vaultOf(server));
  found = await rights.find(erasedOne.subject);
  ids = found.reports.map(({ creditReportId }) => creditReportId);
  evidencesBefore = await findEvidences(ids);
  exported = await rights.export(erasedOne.subject);
  pdf = await server.trefoil.exportSubjectDocument(erasedOne.subject);
  erased = await rights.erase(erasedOne.subject);
  redisCommands = await stopWatching();
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
    await receiver.close();
  }
});

test('the search has teeth: before the erasure the keys open both people, and the export has every word', () => {
  for (const { words } of [erasedOne, keptOne]) {
    for (const word of words) expect(flat(openedBefore), word).toContain(word);
  }
  expect(found.total).toBe(2);
  for (const word of [...erasedOne.words, ...SHARED_WORDS]) expect(JSON.stringify(exported), word).toContain(word);
  expect(pdf.length).toBeGreaterThan(10_000);
});

test('the export has the message and the lines of the statement', () => {
  const [challenged, direct] = exported.reports;
  expect(challenged?.messages.map(({ state }) => state)).toEqual(['delivered']);
  expect(challenged?.statementLines.map(({ kind }) => kind).toSorted()).toEqual(['report-charge', 'sms-charge']);
  expect(direct?.statementLines.map(({ kind }) => kind)).toEqual(['report-charge']);
});

test('nothing of the person is in a dump of the whole database, in no form', async () => {
  const dump = await dumpDatabase(server);
  expect(dump).toContain('INSERT INTO public.credit_reports');
  expect(dump).toContain('INSERT INTO public.erasures');
  expect(findWords(dump, [...erasedOne.words, ...SHARED_WORDS])).toEqual([]);
});

test('no sealed column opens to the person with the keys of the service; the control opens', async () => {
  const opened = await openEverything(server, vaultOf(server));
  for (const id of ids) expect(opened.has(id), id).toBe(false);
  const own = new Set(
    (
      await server.query<{ id: string }>('select id from credit_reports where tenant_id = $1', [server.demo.tenantId])
    ).map(({ id }) => id),
  );
  const ofCompany = [...opened]
    .filter(([id]) => own.has(id))
    .map(([, text]) => text)
    .join('\n');
  expect(findWords(ofCompany, erasedOne.words)).toEqual([]);
  for (const word of keptOne.words) expect(ofCompany, word).toContain(word);
  // The other company has its own report of the same person, and keeps it.
  expect(findWords(flat(opened), erasedOne.words)).not.toEqual([]);
});

test('evidence and deliveries of webhooks stay, as the receipt says, and hold nothing of the person; those of the control do', async () => {
  const { kept } = JSON.parse(erased.receipt) as { kept: { others: string[] } };
  expect(kept.others).toEqual(
    expect.arrayContaining(['evidence-without-data-6-years', 'events-30-days', 'webhook-deliveries-30-days']),
  );
  const received = receiver.received.filter(({ event }) => ids.includes(String(event.data['creditReportId'])));
  expect(new Set(received.map(({ event }) => event.data['creditReportId'])).size).toBe(2);
  const [evidences, answers] = [await findEvidences(ids), await openAnswers(ids)];
  expect(evidences).toEqual(evidencesBefore);
  expect(evidences).toMatchObject([{ documents: 1 }]);
  expect(answers).toEqual(received.map(() => RECEIVED));
  const left = [...evidences.map(({ statement }) => statement), ...received.map(({ text }) => text)].join('\n');
  expect(findWords(left, [...erasedOne.words, ...SHARED_WORDS])).toEqual([]);

  const signed = (creditReportId = '') => server.trefoil.getEvidence(creditReportId);
  await expect(signed(evidences[0]?.creditReportId)).rejects.toMatchObject({ status: 410 });
  const others = (await rights.find(keptOne.subject)).reports.map(({ creditReportId }) => creditReportId);
  const [other] = await findEvidences(others);
  expect(other).toMatchObject({ documents: 1 });
  expect(JSON.stringify((await signed(other?.creditReportId)).data)).toContain(keptOne.request.lastName);
  expect((await openAnswers(others)).length).toBeGreaterThan(0);
});

test('the erased reports have no sealed byte, key, reference or hash left', async () => {
  const rows = await server.query(
    `select octet_length(sealed_request) as request, sealed_report, sealed_provenance, external_reference_hash,
            purged_at is not null as "isPurged", (select count(*)::int from data_keys where credit_report_id = id) as keys,
            (select count(*)::int from subject_hashes where credit_report_id = id) as hashes
       from credit_reports where id = any ($1)`,
    [ids],
  );
  const nothing = { request: 0, sealed_report: null, sealed_provenance: null, external_reference_hash: null };
  expect(rows).toEqual(ids.map(() => ({ ...nothing, isPurged: true, keys: 0, hashes: 0 })));
  const sends = await server.query('select carrier_ref from sms_sends where credit_report_id = any ($1)', [ids]);
  expect(sends).toEqual([{ carrier_ref: null }]);
  const receipts = await server.query(
    'select from sms_receipts join sms_sends on sms_sends.id = send_id where credit_report_id = any ($1)',
    [ids],
  );
  expect(receipts).toEqual([]);
});

test('hashes of the person and the device are gone, those of others and of other companies are not; the number keeps its counts', async () => {
  const { hashPerson } = createRequestHashes(server.config.hashKeys, []);
  const fold = (text: string) => text.toLowerCase();
  const count = async (canary: typeof erasedOne) => {
    const { firstName, lastName, dateOfBirth, mobileNumber = '' } = canary.request;
    const { tenantId } = server.demo;
    const [row] = await server.query<{ sessions: number; numbers: number }>(
      `select (select count(*)::int from device_sessions where bound_to = $1) as sessions,
              (select count(*)::int from tenant_mobile_uses where number_hash = $2 and tenant_id = $3) as numbers`,
      [
        hashPerson(tenantId, fold(firstName), fold(lastName), dateOfBirth),
        hashOfMobile(server, mobileNumber),
        tenantId,
      ],
    );
    return row;
  };
  expect(await count(erasedOne)).toEqual({ sessions: 0, numbers: 1 });
  expect(await count(keptOne)).toEqual({ sessions: 2, numbers: 1 });
  const { erased: counts } = JSON.parse(erased.receipt) as { erased: Record<string, number> };
  // Person, network, two of the device, number: for each of two reports.
  expect(counts).toMatchObject({ deviceSessions: 2, sightings: 10, reports: 2, references: 2 });
  // Those of the control, and of the other company's report.
  expect(await server.query('select from sightings')).toHaveLength(15);
});

test('the lines of the statement stay, and the receipt names exactly those', async () => {
  const lines = await server.query<{ seq: string }>(
    'select seq::text from ledger_txs where tenant_id = $1 and credit_report_id = any ($2) order by ledger_txs.seq',
    [server.demo.tenantId, ids],
  );
  expect(lines).toHaveLength(3);
  const { kept } = JSON.parse(erased.receipt) as { kept: { statementLines: string[] } };
  expect(kept.statementLines).toEqual(lines.map(({ seq }) => seq));
  const page = await server.trefoil.listWalletEntries({ creditReportId: ids[0] ?? '' });
  expect(page.data.items.length).toBeGreaterThan(0);
  for (const { externalReference } of page.data.items) expect(externalReference).toBeNull();
  const events = (await server.trefoil.listEvents({ creditReportId: ids[0] ?? '' })).data.items;
  expect(events.length).toBeGreaterThan(0);
  for (const { data } of events) expect(data).not.toHaveProperty('externalReference');
});

test('the receipt has ids, counts and times, and nothing of the person', () => {
  expect(findWords(erased.receipt, [...erasedOne.words, ...SHARED_WORDS])).toEqual([]);
});

test('… nor have Redis, the log and the metrics', async () => {
  const words = [...erasedOne.words, ...SHARED_WORDS];
  expect(findWords(await dumpRedis(server), words)).toEqual([]);
  expect(findWords(redisCommands, words)).toEqual([]);
  expect(server.logText()).toContain('/subjects/erase');
  expect(findWords(server.logText(), words)).toEqual([]);
  expect(findWords(await readMetrics(server), words)).toEqual([]);
});

test('410: a retry of the erased request with its key makes no second report', async () => {
  const again = server.trefoil.generate(firstBody, { idempotencyKey: erasedOne.request.lastName });
  await expect(again).rejects.toMatchObject({ status: 410, code: 'credit-report-purged' });
  expect((await rights.find(erasedOne.subject)).total).toBe(0);
});
