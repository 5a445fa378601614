// The statement of a month as a PDF: what it says, to whom, and of a month with more lines than it lists
// (docs/decisions/0241-a-month-as-a-document.md).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMissing } from '../../../tools/testing/is-missing.ts';
import { findTenant } from '../../src/tenants/change-tenant.ts';
import { readStatement } from '../../src/wallet/read-statement.ts';
import { startServer, type TestServer } from '../harness.ts';
import { type Line, post } from '../support/ledger-lines.ts';
import { addCredits, addLiveReport, addTenant, capture, holdFor, plant, results } from '../support/money-states.ts';
import { addPerson, auditOf, type TestPerson } from '../support/people.ts';
import { P } from '../support/words.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'statement-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});

async function read(tenantId: string, month: string, { token }: Pick<TestPerson, 'token'>) {
  const path = `${server.baseUrl}/${tenantId}/v1/wallet/statement?month=${month}`;
  const reply = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, headers: reply.headers, bytes, text: bytes.toString() };
}
const codeOf = ({ status, text }: { status: number; text: string }) =>
  `${status} ${(JSON.parse(text) as { code: string }).code}`;

/** The words of a PDF that qpdf finds no fault in. */
function wordsOf(bytes: Buffer): string {
  const file = join(folder, 'statement.pdf');
  writeFileSync(file, bytes);
  execFileSync('qpdf', ['--check', file]);
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).replaceAll(/ +/g, ' ');
}
const lacksTools = isMissing(
  'qpdf and pdftotext',
  ['qpdf', 'pdftotext'].every((tool) => spawnSync(tool, ['--version']).error === undefined),
);

const thisMonth = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', year: 'numeric', month: '2-digit' })
  .format(new Date())
  .slice(0, 7);

test.skipIf(lacksTools)(
  '200: opening, totals, closing and the lines of the month of London, oldest first',
  async () => {
    const tenantId = await addTenant(server, 'Paper & Sons');
    const lines: Line[] = [
      { kind: 'top-up', amount: 100_000, at: '2026-03-31T22:59:59.999Z' },
      { kind: 'report-charge', amount: 2_000, at: '2026-03-31T23:00:00.000Z' },
      { kind: 'sms-charge', amount: 16, at: '2026-04-02T08:00:00.000Z' },
      { kind: 'sms-writeoff', amount: 16, at: '2026-04-02T08:30:00.000Z' },
      { kind: 'report-refund', amount: 600, at: '2026-04-30T22:59:59.999Z' },
      { kind: 'adjust', amount: 5, at: '2026-04-30T23:00:00.000Z' },
    ];
    await post(server, tenantId, lines);
    const finance = await addPerson(server, tenantId, 'finance');
    const { status, headers, bytes } = await read(tenantId, '2026-04', finance);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe('inline; filename="wallet-statement-2026-04.pdf"');
    expect(headers.get('cache-control')).toBe('no-store');
    const words = wordsOf(bytes);
    for (const part of [
      ...['Paper & Sons', 'April 2026', 'Opening balance £100.00', 'Closing balance £98.584', '3 lines in April 2026'],
      ...['Reports −£2.00 −2,000', 'Refunds +£0.60 +600', 'Text messages −£0.016 −16', 'Top-ups £0.00 0'],
    ]) {
      expect(words).toContain(part);
    }
    expect(words.match(/\d+ Apr, \d\d:\d\d [A-Z][a-z]+( message)?/g)).toEqual([
      '1 Apr, 00:00 Report',
      '2 Apr, 09:00 Text message',
      '30 Apr, 23:59 Refund',
    ]);
    expect((await read(tenantId, '2026-04', finance)).bytes.equals(bytes)).toBe(true);
    // A later line changes the current month alone.
    await addCredits(server, tenantId, 7_000);
    expect((await read(tenantId, '2026-04', finance)).bytes.equals(bytes)).toBe(true);
    const current = wordsOf((await read(tenantId, thisMonth, finance)).bytes);
    expect(current).toContain('The month is not over: this is its state after 1 line.');
    expect(current).toContain('+£7.00');
  },
);

test.skipIf(lacksTools)('200: references are for readers of reports, whose reading is in the audit log', async () => {
  const tenantId = await addTenant(server);
  await addCredits(server, tenantId, 100_000);
  const state = {
    status: 'complete',
    reference: 'case Wrexbottomley',
    bureauResults: results('ok', 'ok', 'ok'),
  } as const;
  const id = await addLiveReport(server, tenantId, state);
  await holdFor(server, tenantId, 'report', id);
  await capture(server, { tenantId, kind: 'report', sourceId: id }, P, id);
  const analyst = await addPerson(server, tenantId, 'analyst');
  const finance = await addPerson(server, tenantId, 'finance');
  const forFinance = wordsOf((await read(tenantId, thisMonth, finance)).bytes);
  expect(forFinance).toContain(id);
  expect(forFinance).toContain('Report, 3 bureaus');
  expect(forFinance).not.toContain('Wrexbottomley');
  expect(wordsOf((await read(tenantId, thisMonth, analyst)).bytes)).toContain('case Wrexbottomley');
  const noted = (await auditOf(server, tenantId)).filter(({ action }) => action === 'report.references-read');
  expect(noted.map(({ actor }) => actor)).toEqual([analyst.userId]);
});

test('of a long month: its first 1,000 lines, with the totals of all', async () => {
  const tenantId = await addTenant(server);
  const first: Line = { kind: 'top-up', amount: 1_000_000, at: '2026-05-01T10:00:00.000Z' };
  await post(server, tenantId, [first]);
  await plant(
    server,
    `insert into ledger_txs (tenant_id, seq, kind, source_id, balance_after, created_at)
     select '${tenantId}', place, 'sms-charge', gen_random_uuid(), 1000001 - place, '2026-05-02T10:00:00Z'
       from generate_series(2, 2501) as place`,
    `insert into ledger_entries (tenant_id, seq, account, amount)
     select '${tenantId}', place, account, amount
       from generate_series(2, 2501) as place, (values ('wallet', -1), ('revenue:sms', 1)) as entries (account, amount)`,
    `update wallets set balance = 997500, last_seq = 2501 where tenant_id = '${tenantId}'`,
  );
  // Without a document: painting so many takes a second.
  const reading = { database: server.database, listReportFacts: async () => [], findTenant };
  const { month, lines } = await readStatement(reading, tenantId, '2026-05', async () => new Map());
  expect(month).toMatchObject({ opening: 0, topUps: 1_000_000, messages: -2_500, closing: 997_500, count: 2_501 });
  expect(lines.map(({ id }) => Number(id))).toEqual(Array.from({ length: 1_000 }, (_, place) => place + 1));
});

test('404 not-found for a month without a statement; 400 validation-error for what is no month', async () => {
  const tenantId = await addTenant(server);
  await post(server, tenantId, [{ kind: 'top-up', amount: 1, at: '2026-03-10T10:00:00.000Z' }]);
  const analyst = await addPerson(server, tenantId, 'analyst');
  for (const month of ['2026-02', '2199-01']) {
    const reply = await read(tenantId, month, analyst);
    expect(codeOf(reply)).toBe('404 not-found');
    expect(reply.text).toContain(`its first is 2026-03 and its last ${thisMonth}`);
  }
  expect((await read(tenantId, '2026-04', analyst)).status).toBe(200);
  for (const month of ['', '2026-13', '2026-00', '2026-4', '2026-04-01']) {
    expect(codeOf(await read(tenantId, month, analyst)), month).toBe('400 validation-error');
  }
});
