// The document of a report over HTTP: its two formats, who may read it and when, and what it leaves in the audit log.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateBody, startChallenge, startServer, type TestServer } from '../harness.ts';
import { addPerson, auditOf, type TestPerson } from '../support/people.ts';

let server: TestServer;
let tenantId: string;
let analyst: TestPerson;
beforeAll(async () => {
  server = await startServer();
  ({ tenantId } = server.demo);
  analyst = await addPerson(server, tenantId, 'analyst');
});
afterAll(() => server.close());

async function complete(changes: Parameters<typeof generateBody>[0] = {}): Promise<string> {
  const { data } = await server.trefoil.generate(generateBody(changes));
  if (data.status !== 'complete') throw new Error(data.status);
  return data.creditReportId;
}

type Asked = { readonly accept?: string; readonly query?: string; readonly token?: string };

async function read(creditReportId: string, { accept, query = '', token = analyst.token }: Asked = {}) {
  const reply = await fetch(`${server.baseUrl}/${tenantId}/v1/credit-reports/${creditReportId}/document${query}`, {
    headers: { authorization: `Bearer ${token}`, ...(accept !== undefined && { accept }) },
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, headers: reply.headers, bytes, text: bytes.toString() };
}

const codeOf = ({ status, text }: { status: number; text: string }) =>
  `${status} ${(JSON.parse(text) as { code: string }).code}`;

describe('200', () => {
  test('a page under a policy without scripts, not to be stored, named without personal data', async () => {
    const id = await complete({ firstName: 'Quillonette', lastName: 'Wrexbottomley' });
    const { status, headers, text } = await read(id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toContain('accept');
    expect(headers.get('content-disposition')).toBe(`inline; filename="credit-agreements-report-${id}.html"`);
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(text).not.toMatch(/<script|<link|src=|style=/);
    expect(text).toContain('Quillonette Wrexbottomley');
    expect(text).toContain(
      'Test document. No agency was asked. The accounts and figures are invented; the name and addresses are those of the request.',
    );
  });

  for (const [accept, query, expected] of [
    ['application/pdf', '', 'application/pdf'],
    ['application/pdf, */*;q=0.1', '', 'application/pdf'],
    ['*/*', '', 'text/html; charset=utf-8'],
    ['text/html, application/pdf;q=0.9', '', 'text/html; charset=utf-8'],
    ['application/json', '', 'text/html; charset=utf-8'],
    ['text/html', '?format=pdf', 'application/pdf'],
    ['application/pdf', '?format=html', 'text/html; charset=utf-8'],
  ] as const) {
    test(`Accept ${accept} ${query} is ${expected}`, async () => {
      const { headers, bytes } = await read(await complete(), { accept, query });
      expect(headers.get('content-type')).toBe(expected);
      expect(bytes.subarray(0, 5).toString()).toBe(expected === 'application/pdf' ? '%PDF-' : '<!doc');
    });
  }

  test('the same report gives the same bytes, and it is named without personal data', async () => {
    const id = await complete();
    const [one, other] = [await read(id, { query: '?format=pdf' }), await read(id, { query: '?format=pdf' })];
    expect(one.bytes.equals(other.bytes)).toBe(true);
    expect(one.headers.get('content-disposition')).toBe(`inline; filename="credit-agreements-report-${id}.pdf"`);
  });

  test('it costs nothing, and each read is one row of the audit log', async () => {
    const id = await complete();
    const before = await server.trefoil.getWallet();
    await read(id);
    await read(id, { query: '?format=pdf' });
    expect((await server.trefoil.getWallet()).data.balance).toBe(before.data.balance);
    const rows = (await auditOf(server, tenantId)).filter(({ subject }) => subject === id);
    expect(rows.map(({ action }) => action).filter((action) => action.includes('document'))).toEqual([
      'report.document-read',
      'report.document-read',
    ]);
    expect(rows.at(-1)?.actor).toBe(analyst.userId);
  });
});

test('400 validation-error: an unknown format', async () => {
  expect(codeOf(await read(await complete(), { query: '?format=docx' }))).toBe('400 validation-error');
});

test('403 forbidden: the role finance reads no document, and nothing is noted', async () => {
  const { token } = await addPerson(server, tenantId, 'finance');
  const id = await complete();
  expect(codeOf(await read(id, { token }))).toBe('403 forbidden');
  expect((await auditOf(server, tenantId)).filter(({ subject }) => subject === id).at(-1)?.action).not.toContain(
    'read',
  );
});

test('404 credit-report-not-found: an unknown report', async () => {
  expect(codeOf(await read('019e83d2-7a41-7c38-9b1e-5f0c2d9a6e11'))).toBe('404 credit-report-not-found');
});

test('409 conflict: a challenged report has no document yet', async () => {
  const { creditReportId } = await startChallenge(server.trefoil);
  expect(codeOf(await read(creditReportId))).toBe('409 conflict');
});

test('410 credit-report-purged: an erased report has no document', async () => {
  const id = await complete();
  await server.query('update credit_reports set purged_at = now() where id = $1', [id]);
  for (const query of ['', '?format=pdf']) expect(codeOf(await read(id, { query }))).toBe('410 credit-report-purged');
});

test('503 service-unavailable with Retry-After: more documents than may wait; a refused one leaves no audit row', async () => {
  const id = await complete();
  const replies = await Promise.all(Array.from({ length: 70 }, () => read(id, { query: '?format=pdf' })));
  const refused = replies.filter(({ status }) => status === 503);
  const painted = replies.filter(({ status }) => status === 200);
  expect(refused.length + painted.length).toBe(70);
  // How many are painted before their deadline depends on the machine; painter.test.ts counts those that may wait.
  expect(painted.length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  for (const each of refused) {
    expect(codeOf(each)).toBe('503 service-unavailable');
    expect(Number(each.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const busy = refused.filter(({ text }) => text.includes('The service is busy'));
  expect(busy.length).toBeGreaterThan(0);
  const noted = (await auditOf(server, tenantId)).filter(
    ({ subject, action }) => subject === id && action === 'report.document-read',
  );
  expect(noted).toHaveLength(70 - busy.length);
}, 180_000);
