// The verification page is public: hostile ids, foreign forms, questions without end, and words that would lead to a person.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteIssued } from '../../src/evidence/find-evidence.ts';
import { startServer, type TestServer } from '../harness.ts';
import { completeReport, type EvidenceData, fetchPdf, newEvidence } from '../support/evidence.ts';
import { type Reply, readError, send } from '../support/wire.ts';

let server: TestServer;
let evidence: EvidenceData;
beforeAll(async () => {
  server = await startServer({
    // A machine that stands still for a moment must not make the node count alone, from the beginning.
    environment: { TREFOIL_TRUSTED_PROXIES: '127.0.0.1', TREFOIL_REDIS_TIMEOUT_MS: '5000' },
  });
  evidence = await newEvidence(server, { firstName: 'Quillon', lastName: 'Canarywood', email: 'quillon@example.com' });
});
afterAll(() => server?.close());

const OTHER_NETWORK = '198.51.100.8';

const visit = (path: string, from = '198.51.100.7'): Promise<Reply> =>
  send(server.baseUrl, { method: 'GET', path, headers: { accept: 'text/html', 'x-forwarded-for': from } });

function ask(sha256: string, { id = evidence.evidenceId, origin = server.baseUrl, from = '203.0.113.9' } = {}) {
  return send(server.baseUrl, {
    method: 'POST',
    path: `/v/${id}/digest`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...{ accept: 'application/json', origin, 'x-forwarded-for': from },
    },
    body: `sha256=${sha256}`,
  });
}

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const sha256 = (file: string | Buffer) => createHash('sha256').update(file).digest('hex');
const digest = sha256('a file');

test('404: whatever the id looks like, one page, the same to the last byte and header', async () => {
  const { creditReportId, tenantId } = JSON.parse(evidence.statement) as Record<string, string>;
  const hostile = [
    UNKNOWN,
    ...[creditReportId, tenantId, `${evidence.evidenceId}0`, evidence.evidenceId.slice(0, -1)],
    ...[
      'x',
      '%00',
      '..',
      '%2e%2e%2f',
      '%3Cscript%3E',
      "'%20or%201=1--",
      '%F0%9F%98%80',
      'a'.repeat(900),
      '%20',
      'null',
    ],
    evidence.evidenceId.replaceAll('-', ''),
  ];
  const expected = await visit(`/v/${UNKNOWN}`);
  expect(expected.status).toBe(404);
  expect(expected.text).not.toContain(UNKNOWN);
  const { date: _date, 'x-request-id': _id, ...headers } = expected.headers;
  for (const id of hostile) {
    const reply = await visit(`/v/${id}`);
    const { date: _d, 'x-request-id': _i, ...own } = reply.headers;
    expect([id, reply.status, reply.text === expected.text, own]).toEqual([id, 404, true, headers]);
  }
});

test('200: an id in capitals is the same id; the policy lets nothing in from anywhere', async () => {
  const { status, headers, text } = await visit(`/v/${evidence.evidenceId.toUpperCase()}`);
  expect(status).toBe(200);
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+' 'sha256-[^']+'; connect-src 'self'; /,
  );
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
  });
  for (const word of ['Quillon', 'Canarywood', 'quillon@', '1984-03-09', 'HR10', 'equifax', 'records']) {
    expect(text.toLowerCase()).not.toContain(word.toLowerCase());
  }
});

test('a company whose name is a program is text on the page', async () => {
  const hostile = `</section><script>alert(1)</script>"'`;
  const rename = (name: string) =>
    server.query('update tenants set name = $2 where id = $1', [server.demo.tenantId, name]);
  await rename(hostile);
  // The page shows the name that was signed.
  const { evidenceId } = await newEvidence(server);
  await rename('Demo Claims');
  const { text } = await visit(`/v/${evidenceId}`);
  expect(text).toContain('&lt;/section&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).not.toContain('<script>alert');
});

test('the look-up knows a file only of its own evidence, and says nothing but yes or no', async () => {
  const other = await newEvidence(server);
  expect((await ask(digest)).text).toBe('{"isIssued":false}');
  await noteIssued(server.database, server.demo.tenantId, evidence.evidenceId, digest);
  await noteIssued(server.database, server.demo.tenantId, evidence.evidenceId, digest);
  const query = 'select cardinality(document_digests) as count from evidences where id = $1';
  expect(await server.query(query, [evidence.evidenceId])).toEqual([{ count: 1 }]);
  expect((await ask(digest)).text).toBe('{"isIssued":true}');
  expect((await ask(digest, { id: other.evidenceId })).text).toBe('{"isIssued":false}');
  // Another tenant cannot add a file to it.
  const forged = sha256('a forgery');
  await noteIssued(server.database, server.other.tenantId, evidence.evidenceId, forged);
  expect((await ask(forged)).text).toBe('{"isIssued":false}');
});

test('a document is known to the look-up as it was handed out, and with one byte changed it is not', async () => {
  const creditReportId = await completeReport(server);
  const document = await fetchPdf(server, creditReportId);
  const { evidenceId: id } = (await server.trefoil.getEvidence(creditReportId)).data;
  expect((await ask(sha256(document), { id })).text).toBe('{"isIssued":true}');
  document.writeUInt8(document.readUInt8(2_000) ^ 1, 2_000);
  expect((await ask(sha256(document), { id })).text).toBe('{"isIssued":false}');
});

test('400, 403, 404: a digest that is none, a form of another site, an id that is not known', async () => {
  for (const wrong of ['', 'x', digest.toUpperCase(), `${digest}0`, `${digest}%00`, digest.slice(1)]) {
    const reply = await ask(wrong);
    expect([wrong, reply.status, readError(reply).code]).toEqual([wrong, 400, 'validation-error']);
  }
  const foreign = await ask(digest, { origin: 'https://evil.example.com' });
  expect([foreign.status, readError(foreign).code]).toEqual([403, 'forbidden']);
  for (const id of [UNKNOWN, 'x', '%00']) {
    const reply = await ask(digest, { id });
    expect([id, reply.status, readError(reply).code]).toEqual([id, 404, 'not-found']);
  }
});

test('429: pages and look-ups of one network share a limit; another network goes on', async () => {
  const from = '192.0.2.77';
  const refusedOf = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 429);
  const many = (make: () => Promise<Reply>) => Promise.all(Array.from({ length: 100 }, make));
  const pages = [
    ...(await many(() => visit(`/v/${evidence.evidenceId}`, from))),
    ...(await many(() => visit(`/v/${UNKNOWN}`, from))),
  ];
  const lookUps = await many(() => ask(digest, { from }));
  const [refusedPages, refusedLookUps] = [refusedOf(pages), refusedOf(lookUps)];
  expect(refusedPages).not.toEqual([]);
  expect(refusedPages[0]?.text).toContain('Too many attempts');
  // A limit of their own would allow all of them.
  expect(refusedLookUps).not.toEqual([]);
  for (const { headers } of [...refusedPages, ...refusedLookUps]) {
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  expect((await visit(`/v/${evidence.evidenceId}`, OTHER_NETWORK)).status).toBe(200);
});
