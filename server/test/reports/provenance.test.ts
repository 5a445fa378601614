// What each bureau said is kept with a report: sealed, erased with it, and its digest is in the audit log
// (docs/decisions/0219-provenance.md). Live against the simulators, and in test mode.
import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { GenerateRequest } from '@trefoil/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPerson } from '../../../tools/dev/ask-simulators.ts';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import { createReportQueue } from '../../src/credit-reports/queue.ts';
import { readCompletedReport } from '../../src/credit-reports/reading/read-completed.ts';
import { createVault } from '../../src/lib/crypto/vault.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Provenance } from '../../src/merge/provenance.ts';
import { generateBody, startChallenge } from '../harness.ts';
import { dumpDatabase } from '../support/dump.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { addLiveReport, results } from '../support/money-states.ts';
import { control } from '../support/providers.ts';

let server: LiveServer;
let tenantId: string;
let known: Pick<GenerateRequest, 'firstName' | 'lastName' | 'dateOfBirth' | 'addresses'>;
beforeAll(async () => {
  server = await startLiveServer();
  ({ tenantId } = server.demo);
  await server.fund(tenantId, 100_000);
  known = await findPerson(server.providers.addresses.albion, 'person-0001');
});
afterAll(() => server.close());

const live = (changes: Partial<GenerateRequest> = {}) => liveBody(server.mintSession(), changes);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** `provenance.json` as a stranger reads it: the names stand once, before the rows of values. */
type Written = Omit<Provenance, 'records'> & {
  readonly fields: readonly string[];
  readonly records: readonly { readonly sources: readonly (readonly unknown[])[]; readonly lender: object | null }[];
};

function toProvenance({ fields, records, ...rest }: Written): Provenance {
  const named = records.map(({ sources, lender }) => ({
    sources: sources.map((row) => Object.fromEntries(fields.map((name, place) => [name, row[place]]))),
    lender,
  }));
  return { ...rest, records: named } as unknown as Provenance;
}

/** The column as it lies in the database, opened with the key ring by hand. */
async function openStored(creditReportId: string) {
  const [row] = await server.query<{ sealed: Buffer; ringKeyId: string; wrappedKey: Buffer }>(
    `select sealed_provenance as sealed, ring_key_id as "ringKeyId", wrapped_key as "wrappedKey"
       from credit_reports join data_keys on credit_report_id = id where id = $1`,
    [creditReportId],
  );
  if (!row) throw new Error('no such report');
  const { ringKeyId, wrappedKey, sealed } = row;
  const vault = createVault(server.config.vaultKeys);
  const dataKey = vault.openDataKey({ tenantId, subjectId: creditReportId }, { ringKeyId, wrappedKey });
  const packed = dataKey.openBytes('provenance', sealed);
  const text = inflateRawSync(packed).toString();
  const { provenance: written, reportSalt } = JSON.parse(text) as { reportSalt: string; provenance: Written };
  return { text, sealed, packed, dataKey, reportSalt, written, provenance: toProvenance(written) };
}

async function auditRows(creditReportId: string, action: string) {
  return server.query<{ actor: string; details: Record<string, unknown> }>(
    'select actor, details from audit_log where tenant_id = $1 and subject_id = $2 and action = $3',
    [tenantId, creditReportId, action],
  );
}

const reader = (changes = {}) =>
  ({ id: newId(), tenantId, role: 'owner', isTestOnly: false, ...changes }) as Parameters<
    typeof readCompletedReport
  >[1];
const read = (creditReportId: string, changes = {}) =>
  readCompletedReport(
    {
      database: server.database,
      vault: createVault(server.config.vaultKeys),
      queue: createReportQueue(server.database.queue, () => undefined),
    },
    reader(changes),
    creditReportId,
    'report.document-read',
  );

/** Completes a report and returns it as its caller got it. */
async function complete(body: GenerateRequest) {
  const { data } = await server.trefoil.generate(body);
  if (data.status !== 'complete') throw new Error(JSON.stringify(data));
  return data;
}

/** The digests of the audit row are those of the two files, made here from what the caller got and what is stored. */
async function expectDigests(creditReportId: string, report: unknown): Promise<Record<string, unknown>> {
  const { reportSalt, provenance, written, text } = await openStored(creditReportId);
  const provenanceText = text.slice(`{"reportSalt":"${reportSalt}","provenance":`.length, -1);
  expect(JSON.parse(provenanceText)).toEqual(written);
  const rows = await auditRows(creditReportId, 'report.completed');
  expect(rows).toHaveLength(1);
  expect(rows[0]?.details).toMatchObject({
    reportSha256: sha256(`{"salt":"${reportSalt}","report":${JSON.stringify(report)}}`),
    provenanceSha256: sha256(provenanceText),
  });
  for (const salt of [reportSalt, provenance.salt]) expect(salt).toMatch(/^[0-9a-f]{32}$/);
  expect(reportSalt).not.toBe(provenance.salt);
  return rows[0]?.details ?? {};
}

describe('live', () => {
  test('a report keeps what each bureau said of each record, and its digests are in the one audit row', async () => {
    const beforeMs = Date.now();
    const { creditReportId, creditReport, bureauResults } = await complete(live(known));
    const { provenance, packed, text } = await openStored(creditReportId);
    const { records } = creditReport.consumerData;
    expect(records.length).toBeGreaterThan(0);
    expect(provenance.records.map(({ sources }) => sources.map(({ bureau, ref }) => ({ id: bureau, ref })))).toEqual(
      records.map(({ bureaus }) => bureaus),
    );
    expect(provenance.bureaus.map(({ bureau, outcome }) => ({ bureau, outcome }))).toEqual(bureauResults);
    for (const { bureau, accounts, answeredAt, replySha256 } of provenance.bureaus) {
      const told = provenance.records.flatMap(({ sources }) => sources).filter((source) => source.bureau === bureau);
      expect(accounts).toBe(told.length);
      expect(replySha256).toMatch(/^[0-9a-f]{64}$/);
      expectSince(beforeMs, answeredAt);
    }
    expect(new Set(provenance.bureaus.map(({ replySha256 }) => replySha256)).size).toBe(3);
    expect(packed.length).toBeLessThan(text.length / 2);
    const details = await expectDigests(creditReportId, creditReport);
    expect(Object.keys(details).toSorted()).toEqual(['cost', 'provenanceSha256', 'reasons', 'reportSha256']);
  });

  test('no trace and no answer are told apart, without a digest where there was no reply; after a challenge too', async () => {
    const mobileNumber = '+447700900171';
    const { data } = await server.trefoil.generate(live({ ...known, email: 'challenge@example.com', mobileNumber }));
    if (data.status !== 'authentication-required') throw new Error(data.status);
    const { creditReportId, challenge } = data;
    const rule = { match: { lastName: known.lastName }, times: 1 };
    await control(server, 'beacon', { ...rule, behaviour: 'no-trace' });
    await control(server, 'cygnet', { ...rule, behaviour: 'error' });
    const code = { challengeId: challenge.challengeId, code: await server.code(mobileNumber) };
    const submitted = await server.trefoil.submitOtp(creditReportId, code);
    if (submitted.data.status !== 'complete') throw new Error(submitted.data.status);
    const { provenance } = await openStored(creditReportId);
    const byOutcome = Object.fromEntries(provenance.bureaus.map((reply) => [reply.outcome, reply]));
    expect(byOutcome['ok']).toMatchObject({ accounts: expect.any(Number), replySha256: expect.any(String) });
    expect(byOutcome['no-trace']).toMatchObject({ accounts: null, replySha256: expect.any(String) });
    expect(byOutcome['unavailable']).toMatchObject({ accounts: null, answeredAt: null, replySha256: null });
    await expectDigests(creditReportId, submitted.data.creditReport);
    const { authentication, completedAt, kept } = await read(creditReportId);
    expect(authentication).toEqual({ method: 'sms-code', at: expect.any(Date) });
    expect(Math.abs(completedAt.getTime() - (authentication.at?.getTime() ?? 0))).toBeLessThan(60_000);
    expect(kept?.provenance).toEqual(provenance);
  });

  test('nothing of it is in a dump in the clear: no name, no reference, no salt', async () => {
    const { creditReportId } = await complete(live(known));
    const { provenance, reportSalt } = await openStored(creditReportId);
    const sources = provenance.records.flatMap(({ sources: each }) => each);
    const dump = await dumpDatabase(server);
    expect(dump).toContain(creditReportId);
    const told = [reportSalt, provenance.salt, ...sources.flatMap(({ ref, companyName }) => [ref, companyName])];
    const forms = told.filter((text) => text.length > 6).flatMap((text) => [text, Buffer.from(text).toString('hex')]);
    expect(forms.length).toBeGreaterThan(4);
    expect(forms.filter((form) => dump.includes(form))).toEqual([]);
  });
});

describe('test mode', () => {
  test('a report keeps the same, one bureau disagrees, one final payment is named, and no reply has a digest', async () => {
    const { creditReportId, creditReport } = await complete(generateBody());
    const { provenance } = await openStored(creditReportId);
    const { records } = creditReport.consumerData;
    expect(provenance.records.map(({ sources }) => sources.map(({ bureau, ref }) => ({ id: bureau, ref })))).toEqual(
      records.map(({ bureaus }) => bureaus),
    );
    const sources = provenance.records.flatMap(({ sources: each }) => each);
    expect(sources.filter(({ balloonPence }) => balloonPence !== null)).toHaveLength(1);
    const differing = provenance.records.filter(
      ({ sources: each }) => new Set(each.map(({ startBalancePence }) => startBalancePence)).size > 1,
    );
    expect(differing).toHaveLength(1);
    expect(provenance.records.every(({ lender }) => lender !== null)).toBe(true);
    expect(provenance.bureaus.map(({ replySha256 }) => replySha256)).toEqual([null, null, null]);
    expect(await expectDigests(creditReportId, creditReport)).toMatchObject({ cost: 0, test: true });
  });

  test('a right code keeps it too', async () => {
    const { creditReportId, challengeId } = await startChallenge(server.trefoil);
    expect(await auditRows(creditReportId, 'report.completed')).toEqual([]);
    const { data } = await server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
    if (data.status !== 'complete') throw new Error(data.status);
    await expectDigests(creditReportId, data.creditReport);
    expect((await read(creditReportId)).authentication.method).toBe('sms-code');
  });
});

describe('reading a complete report for its document', () => {
  const codeOf = (reading: Promise<unknown>) =>
    reading.then(
      () => 'shown',
      (error: { code?: string }) => error.code ?? String(error),
    );
  const reads = (creditReportId: string) => auditRows(creditReportId, 'report.document-read');

  test('gives what was stored and sent, and an audit row before it', async () => {
    const { creditReportId, creditReport, bureauResults } = await complete(live(known));
    const completed = await read(creditReportId);
    expect(completed).toMatchObject({ creditReportId, tenantId, isTest: false, bureauResults });
    expect(completed.reportText).toBe(JSON.stringify(creditReport));
    expect(completed.request).toMatchObject(known);
    expect(completed.authentication).toEqual({ method: 'none', at: null });
    const [tenant] = await server.query<{ name: string }>('select name from tenants where id = $1', [tenantId]);
    expect(completed.tenantName).toBe(tenant?.name);
    const { reportSalt, text } = await openStored(creditReportId);
    expect(`{"reportSalt":"${reportSalt}","provenance":${completed.kept?.provenanceText}}`).toBe(text);
    expect(completed.kept?.reportSalt).toBe(reportSalt);
    expect(await reads(creditReportId)).toHaveLength(1);
  });

  test('a report from before provenance was kept has none', async () => {
    const id = await addLiveReport(server, tenantId, { status: 'complete', bureauResults: results('ok') });
    expect((await read(id)).kept).toBeNull();
  });

  test('404 for another tenant’s, for a live one with a test-only credential, and for no id; 403 for finance; no row', async () => {
    const { creditReportId } = await complete(live(known));
    expect(await codeOf(read(creditReportId, { tenantId: server.other.tenantId }))).toBe('credit-report-not-found');
    expect(await codeOf(read(creditReportId, { isTestOnly: true }))).toBe('credit-report-not-found');
    expect(await codeOf(read('nothing'))).toBe('credit-report-not-found');
    expect(await codeOf(read(creditReportId, { role: 'finance' }))).toBe('forbidden');
    expect(await reads(creditReportId)).toEqual([]);
  });

  test.each([
    ['challenged', 'conflict'],
    ['blocked', 'conflict'],
    ['failed', 'conflict'],
    ['expired', 'conflict'],
    ['pending', 'request-in-progress'],
    ['fetching', 'request-in-progress'],
  ] as const)('409 while it is %s', async (status, code) => {
    const id = await addLiveReport(server, tenantId, {
      status,
      ...(status === 'failed' && { failure: 'interrupted' }),
    });
    expect(await codeOf(read(id))).toBe(code);
    expect(await reads(id)).toEqual([]);
  });

  test('410 once it is past its retention time', async () => {
    const { creditReportId } = await complete(generateBody());
    await server.query(
      `update credit_reports set created_at = now() - interval '400 days', settled_at = now() - interval '400 days' where id = $1`,
      [creditReportId],
    );
    expect(await codeOf(read(creditReportId))).toBe('credit-report-purged');
    expect(await reads(creditReportId)).toEqual([]);
  });

  test('a provenance moved from another row does not open', async () => {
    const [from, to] = [await complete(generateBody()), await complete(generateBody())];
    await server.query(
      `update credit_reports set sealed_provenance = (select sealed_provenance from credit_reports where id = $1) where id = $2`,
      [from.creditReportId, to.creditReportId],
    );
    expect(await codeOf(read(to.creditReportId))).not.toBe('shown');
  });

  test('what would inflate without end is refused', async () => {
    const { creditReportId } = await complete(generateBody());
    const { dataKey } = await openStored(creditReportId);
    const bomb = dataKey.seal('provenance', deflateRawSync(Buffer.alloc(64 * 1024 * 1024)));
    await server.query('update credit_reports set sealed_provenance = $2 where id = $1', [creditReportId, bomb]);
    expect(await codeOf(read(creditReportId))).toBe('ERR_BUFFER_TOO_LARGE');
  });
});
