// The evidence of a report over HTTP: signed once, the same ever after, and never for files that the audit log does not know.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAuditRows } from '../../src/audit/find-audit-rows.ts';
import { newEvidenceKeys } from '../../src/evidence/evidence-keys.ts';
import type { Statement } from '../../src/evidence/rules/statement.ts';
import { verifier } from '../../src/evidence/verification/verifier.ts';
import { openDatabase } from '../../src/lib/postgres/database.ts';
import { startChallenge, type TestServer } from '../harness.ts';
import { challenge, codeOf, submit } from '../support/challenges.ts';
import { completeReport, type EvidenceData, newEvidence, publishedKeys } from '../support/evidence.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { addPerson, callAs } from '../support/people.ts';
import { refusalOf } from '../support/tenant.ts';
import { send } from '../support/wire.ts';

const retired = JSON.parse(newEvidenceKeys()) as Record<string, unknown>[];
const { d: _private, ...old } = retired[0] ?? {};

let server: LiveServer;
let second: { readonly baseUrl: string; close(): Promise<void> };
beforeAll(async () => {
  const [own] = JSON.parse(newEvidenceKeys()) as object[];
  const ring = JSON.stringify([own, { ...old, validUntil: '2099-01-01', revokedAt: '2098-01-01' }]);
  server = await startLiveServer({ environment: { TREFOIL_EVIDENCE_KEYS: ring } });
  await server.fund(server.demo.tenantId, 1_000_000);
  second = await server.startNode();
});
afterAll(async () => {
  await second?.close();
  await server?.close();
});

const statementOf = ({ statement }: EvidenceData) => JSON.parse(statement) as Statement;
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const auditOf = (creditReportId: string) =>
  server.query<{ seq: string; action: string; actor: string; details: Record<string, unknown>; hash: string }>(
    `select seq, action, actor, details, encode(hash, 'hex') as hash from audit_log where subject_id = $1 order by seq`,
    [creditReportId],
  );

async function ask(at: Pick<TestServer, 'baseUrl'>, creditReportId: string) {
  const authorization = `Bearer ${await server.trefoil.getToken()}`;
  const path = `/${server.demo.tenantId}/v1/credit-reports/${creditReportId}/evidence`;
  return send(at.baseUrl, { method: 'GET', path, headers: { authorization } });
}

describe('a report in test mode', () => {
  test('200: the statement names what the report is, its files and their digests, and our key has signed it', async () => {
    const creditReportId = await completeReport(server);
    const { meta, data } = await server.trefoil.getEvidence(creditReportId);
    expect(Object.keys(meta)).toEqual(['request']);
    const [key] = await publishedKeys(server);
    const statement = statementOf(data);
    const [completed] = await auditOf(creditReportId);
    expect(statement).toEqual({
      ...{ type: 'trefoil/evidence/1', issuer: server.baseUrl, evidenceId: data.evidenceId, creditReportId },
      ...{
        tenantId: server.demo.tenantId,
        tenantName: 'Demo Claims',
        completedAt: expect.any(String),
        issuedAt: data.issuedAt,
        isTest: true,
      },
      kid: key?.kid,
      files: data.files.map(({ name, sha256 }) => ({ name, sha256 })),
      bureauReplies: ['equifax', 'experian', 'transunion'].map((bureau) => ({ bureau, outcome: 'ok', sha256: null })),
      authentication: { method: 'none', at: null },
      audit: { seq: Number(completed?.seq), hash: completed?.hash },
      software: { merge: '0.1.0', document: '0.1.0' },
    });
    expect(data.files.map(({ name }) => name)).toEqual(['provenance.json', 'report.json']);
    for (const { text, sha256 } of data.files) expect(digestOf(text)).toBe(sha256);
    const [provenance, report] = data.files.map(({ text }) => JSON.parse(text));
    expect(provenance).toMatchObject({ type: 'trefoil/provenance/1', salt: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(report.salt).toMatch(/^[0-9a-f]{32}$/);
    const read = await server.trefoil.getReport(creditReportId);
    expect(report.report).toEqual('creditReport' in read.data && read.data.creditReport);
    const signature = Buffer.from(data.signature, 'base64');
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    expect(verify(null, Buffer.from(data.statement), publicKey, signature)).toBe(true);
    expect(data.verifyUrl).toBe(`${server.baseUrl}/v/${data.evidenceId}#${digestOf(data.statement).slice(0, 32)}`);
  });

  test('200: every later request gets the same statement; each is in the audit log, and the signing once', async () => {
    const creditReportId = await completeReport(server);
    const first = await server.trefoil.getEvidence(creditReportId);
    expect((await server.trefoil.getEvidence(creditReportId)).data).toEqual(first.data);
    const rows = await auditOf(creditReportId);
    const read = { action: 'report.evidence-read', actor: server.demo.clientId };
    const { evidenceId, statement } = first.data;
    expect(rows.slice(1).map(({ action, actor, details }) => ({ action, actor, details }))).toEqual([
      { ...read, details: { status: 'complete' } },
      {
        ...{ action: 'evidence.issued', actor: 'system' },
        details: { evidenceId, statementSha256: digestOf(statement) },
      },
      { ...read, details: { status: 'complete' } },
    ]);
  });

  test('two nodes that are asked at the same time sign one statement', async () => {
    for (let round = 0; round < 5; round += 1) {
      const creditReportId = await completeReport(server);
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) => ask(index % 2 === 0 ? server : second, creditReportId)),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
      const answers = replies.map(({ text }) => JSON.stringify((JSON.parse(text) as { data: object }).data));
      expect(new Set(answers).size).toBe(1);
      const rows = await auditOf(creditReportId);
      expect(rows.filter(({ action }) => action === 'evidence.issued')).toHaveLength(1);
      expect(await server.query('select from evidences where credit_report_id = $1', [creditReportId])).toHaveLength(1);
    }
  });

  test('the digest of a report that no bureau traced cannot be guessed: two of one person differ', async () => {
    const testOptions = { bureauResults: [{ bureau: 'equifax', outcome: 'no-trace' }] } as const;
    const changes = { bureaus: ['equifax' as const], testOptions: { bureauResults: [...testOptions.bureauResults] } };
    const [one, two] = [await newEvidence(server, changes), await newEvidence(server, changes)];
    expect(statementOf(one).bureauReplies).toEqual([{ bureau: 'equifax', outcome: 'no-trace', sha256: null }]);
    for (const [index, { sha256 }] of one.files.entries()) expect(sha256).not.toBe(two.files[index]?.sha256);
  });
});

test('a live report: the digests of the bureaus’ replies are in the statement', async () => {
  const body = liveBody(server.mintSession(), { email: 'allow@example.com' });
  const { data } = await server.trefoil.generate(body);
  if (data.status !== 'complete') throw new Error(`expected a report, got ${data.status}`);
  const evidence = (await server.trefoil.getEvidence(data.creditReportId)).data;
  const statement = statementOf(evidence);
  expect(statement.isTest).toBe(false);
  expect(statement.bureauReplies.map(({ bureau, outcome }) => ({ bureau, outcome }))).toEqual(data.bureauResults);
  for (const { sha256 } of statement.bureauReplies) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  const read = await verifier.read(Buffer.from(JSON.stringify({ data: evidence })));
  expect((await verifier.verify(read, await publishedKeys(server))).verdict).toBe('good');
});

test('a report behind a code: the statement says how and when the person was authenticated', async () => {
  const { creditReportId, challengeId } = await startChallenge(server.trefoil);
  await server.trefoil.submitOtp(creditReportId, { challengeId, code: '123456' });
  const { authentication } = statementOf((await server.trefoil.getEvidence(creditReportId)).data);
  expect(authentication).toEqual({ method: 'sms-code', at: expect.stringMatching(/^20\d\d-.*Z$/) });
});

test('a live report behind a code: the moment is that of the right code, not of the report that the bureaus gave later', async () => {
  const challenged = await challenge(server);
  const { creditReportId } = challenged;
  const done = await submit(challenged, await codeOf(server, challenged));
  expect(done.data.status).toBe('complete');
  const { data } = await challenged.tenant.trefoil.getEvidence(creditReportId);
  const { authentication, completedAt } = statementOf(data);
  const [verified] = await server.query<{ at: Date }>(
    `select occurred_at as at from audit_log where subject_id = $1 and action = 'challenge.verified'`,
    [creditReportId],
  );
  expect(authentication).toEqual({ method: 'sms-code', at: verified?.at.toISOString() });
  expect(Date.parse(String(authentication.at))).toBeLessThan(Date.parse(completedAt));
});

test('the audit log is read between two times, and no further', async () => {
  const database = openDatabase({ ...server.config.database, onConnectionError: () => undefined });
  const { tenantId } = server.demo;
  const early = await completeReport(server);
  for (let count = 0; count < 5; count += 1) await completeReport(server);
  const late = await completeReport(server);
  const [first] = await auditOf(early);
  const [last] = await auditOf(late);
  if (!first || !last) expect.fail('no rows');
  const at = async (seq: string) =>
    (
      await server.query<{ at: Date }>('select occurred_at as at from audit_log where tenant_id = $1 and seq = $2', [
        tenantId,
        seq,
      ])
    )[0]?.at;
  const [since, until] = [await at(first.seq), await at(String(Number(last.seq) - 2))];
  if (!since || !until) expect.fail('no times');
  const find = (subjectId: string) =>
    database.forTenants([tenantId], (tx) =>
      findAuditRows(tx, tenantId, { actions: ['report.completed'], subjectId, since, until }, 1),
    );
  expect((await find(early)).map(({ action }) => action)).toEqual(['report.completed']);
  expect(await find(late)).toEqual([]);
  await database.close();
});

test('a node whose ring lacks a key that has signed says so in the log, and starts', async () => {
  const evidence = await newEvidence(server);
  const said = /"level":"error".*"kid":"([^"]+)".*a key that signed evidence is not in TREFOIL_EVIDENCE_KEYS/;
  expect(server.logText()).not.toMatch(said);
  const node = await server.startNode({ TREFOIL_EVIDENCE_KEYS: newEvidenceKeys() });
  await node.close();
  expect(said.exec(server.logText())?.[1]).toBe(evidence.kid);
});

describe('refused', () => {
  test('500 internal-error: nothing is signed when the files are not those of the audit log, and nothing is stored', async () => {
    const creditReportId = await completeReport(server);
    // The log takes no updates, so only an owner of the database can do this.
    await server.query(`set session_replication_role = replica`);
    await server.query(
      `update audit_log set details = jsonb_set(details::jsonb, '{reportSha256}', to_jsonb(repeat('0', 64)))::json
        where subject_id = $1 and action = 'report.completed'`,
      [creditReportId],
    );
    await server.query(`set session_replication_role = origin`);
    const reply = await ask(server, creditReportId);
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([500, 'internal-error']);
    expect(await server.query('select from evidences where credit_report_id = $1', [creditReportId])).toEqual([]);
    expect((await auditOf(creditReportId)).map(({ action }) => action)).not.toContain('evidence.issued');
  });

  test('500 internal-error: a stored statement about other files is not handed out', async () => {
    const [one, two] = [await newEvidence(server), await newEvidence(server)];
    const [other] = await server.query<{ statement: string }>('select statement from evidences where id = $1', [
      two.evidenceId,
    ]);
    await server.query(
      `update evidences set statement = $2, statement_sha256 = sha256(convert_to($2, 'UTF8')) where id = $1`,
      [one.evidenceId, other?.statement],
    );
    expect((await ask(server, statementOf(one).creditReportId)).status).toBe(500);
  });

  test('409 conflict: a report of before provenance was kept has no evidence', async () => {
    const creditReportId = await completeReport(server);
    await server.query('update credit_reports set sealed_provenance = null where id = $1', [creditReportId]);
    expect(await refusalOf(server.trefoil.getEvidence(creditReportId))).toMatchObject({
      status: 409,
      code: 'conflict',
    });
  });

  test('409 conflict: a report that is not complete', async () => {
    const { data } = await server.trefoil.generate({
      ...liveBody('test'),
      test: true,
      challengeOptions: { status: 'block' },
    });
    const refusal = await refusalOf(server.trefoil.getEvidence(data.creditReportId));
    expect(refusal).toMatchObject({ status: 409, code: 'conflict' });
  });

  test('410 credit-report-purged: the evidence is gone with the report, and the statement stays for the page', async () => {
    const evidence = await newEvidence(server);
    const { creditReportId } = statementOf(evidence);
    await server.query('delete from data_keys where credit_report_id = $1', [creditReportId]);
    const refusal = await refusalOf(server.trefoil.getEvidence(creditReportId));
    expect(refusal).toMatchObject({ status: 410, code: 'credit-report-purged' });
    const page = await send(server.baseUrl, { method: 'GET', path: `/v/${evidence.evidenceId}` });
    expect(page.status).toBe(200);
  });

  test('403 forbidden: the role finance gets none', async () => {
    const creditReportId = await completeReport(server);
    const person = await addPerson(server, server.demo.tenantId, 'finance');
    const path = `/${server.demo.tenantId}/v1/credit-reports/${creditReportId}/evidence`;
    expect(await callAs(server, person, 'GET', path)).toMatchObject({ code: 'forbidden' });
    const analyst = await addPerson(server, server.demo.tenantId, 'analyst');
    expect(await callAs(server, analyst, 'GET', path)).toHaveProperty('data.evidenceId');
  });
});

test('the page names the company as the statement does, also after the company has changed its name', async () => {
  const { evidenceId } = await newEvidence(server);
  const { tenantId } = server.demo;
  await server.query(`update tenants set name = 'Renamed Claims' where id = $1`, [tenantId]);
  try {
    const { text } = await send(server.baseUrl, { method: 'GET', path: `/v/${evidenceId}` });
    expect(text).toContain('Demo Claims');
    expect(text).not.toContain('Renamed Claims');
  } finally {
    await server.query(`update tenants set name = 'Demo Claims' where id = $1`, [tenantId]);
  }
});

describe('the published keys', () => {
  test('all of them, without private halves; the PEM of each is the same key', async () => {
    const { status, text, headers } = await send(server.baseUrl, {
      method: 'GET',
      path: '/.well-known/trefoil-evidence-keys.json',
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(text).not.toContain('"d"');
    const { keys } = JSON.parse(text) as { keys: { kid: string; x: string; revokedAt: string | null }[] };
    expect(keys.map(({ kid, revokedAt }) => [kid, revokedAt])).toEqual([
      [expect.any(String), null],
      [old['kid'], '2098-01-01T00:00:00.000Z'],
    ]);
    for (const key of keys) {
      const pem = await send(server.baseUrl, { method: 'GET', path: `/.well-known/trefoil-evidence/${key.kid}.pem` });
      expect(createPublicKey(pem.text).export({ format: 'jwk' }).x).toBe(key.x);
    }
    const none = await send(server.baseUrl, { method: 'GET', path: '/.well-known/trefoil-evidence/other.pem' });
    expect([none.status, JSON.parse(none.text).code]).toEqual([404, 'not-found']);
  });
});
