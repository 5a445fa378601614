// The same report gives the same bytes, in one process and in another; attachments come out as they went in; a PDF of any
// chosen report stays on its pages and says on each that it is a test, if it is one.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { WalletEntry } from '@trefoil/contract';
import PDFDocument from 'pdfkit';
import { describe, expect, test } from 'vitest';
import { type MakeDocument, paintPdf } from '../../server/src/documents/pdf/paint-pdf.ts';
import { FOOT, PAGE } from '../../server/src/documents/pdf/pen.ts';
import { buildView } from '../../server/src/documents/view/build-view.ts';
import { buildStatementView } from '../../server/src/documents/view/statement-view.ts';
import type { View } from '../../server/src/documents/view/view.ts';
import { readPdfAttachments } from '../../server/src/evidence/verification/pdf-attachments.ts';
import { CASES } from './cases.ts';
import { inventedEvidence } from './evidence.ts';
import { watchingOverflow } from './overflow.ts';
import { completedPerson } from './people.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function paint(completed: ReturnType<typeof completedPerson>): Promise<Buffer> {
  const evidence = inventedEvidence(completed);
  return paintPdf(buildView(completed, evidence, 'pdf'), evidence?.files);
}

/** How often one report is painted; a hundred take a minute. */
const PAINTS = Number(process.env['TREFOIL_TEST_PAINTS'] ?? 12);

test(`${PAINTS} times the same bytes, with others painted in between, and the same in another process`, async () => {
  const digests = new Set<string>();
  for (let index = 0; index < PAINTS; index += 1) {
    digests.add(sha256(await paint(completedPerson('standard', 4))));
    if (index % 5 === 0) await paint(completedPerson('harsh', index));
  }
  expect(digests.size).toBe(1);
  const program = `
    import { createHash } from 'node:crypto';
    const { paintPdf } = await import('./server/src/documents/pdf/paint-pdf.ts');
    const { buildView } = await import('./server/src/documents/view/build-view.ts');
    const { inventedEvidence } = await import('./tools/documents/evidence.ts');
    const { completedPerson } = await import('./tools/documents/people.ts');
    const completed = completedPerson('standard', 4);
    const evidence = inventedEvidence(completed);
    const bytes = await paintPdf(buildView(completed, evidence, 'pdf'), evidence?.files);
    process.stdout.write(createHash('sha256').update(bytes).digest('hex'));`;
  const root = new URL('../../', import.meta.url).pathname;
  const other = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' });
  expect([...digests]).toEqual([other]);
}, 600_000);

describe('the chosen reports', () => {
  for (const [name, make] of Object.entries(CASES)) {
    test(`${name}: no text leaves its page`, async () => {
      const beyond: string[] = [];
      const completed = make();
      await paintPdf(buildView(completed, inventedEvidence(completed), 'pdf'), [], watchingOverflow(beyond));
      expect(beyond).toEqual([]);
    }, 60_000);
  }
});

test('a statement of long references, long notes and large sums stays on its pages', async () => {
  const amounts = { amount: -123_456_789_012, balanceAfter: 987_654_321_012, amountPounds: '', balanceAfterPounds: '' };
  const line = (place: number, externalReference: string | null, note: string | null): WalletEntry => ({
    ...{ id: String(place), kind: 'report-refund', ...amounts, reversesId: null, externalReference, note },
    ...{ creditReportId: null, createdAt: '2026-12-30T23:59:59.000Z', bureauCount: 3 },
  });
  const sum = 999_999_999_999;
  const view = buildStatementView({
    ...{ tenantName: 'W'.repeat(100), isOver: true },
    month: {
      ...{ month: '2026-12', startsAt: '2026-12-01T00:00:00.000Z', endsAt: '2027-01-01T00:00:00.000Z' },
      ...{ opening: sum, topUps: sum, adjustments: -sum, reports: -sum, refunds: sum, messages: -sum },
      ...{ closing: sum, count: 100_000 },
    },
    lines: Array.from({ length: 60 }, (_, place) =>
      place % 2 === 0 ? line(place, 'W'.repeat(255), null) : line(place, null, 'Wm '.repeat(166)),
    ),
  });
  const beyond: string[] = [];
  await paintPdf(view, [], watchingOverflow(beyond));
  expect(beyond).toEqual([]);
}, 60_000);

test('every page of a test report says that it is one, and no page of another report does', async () => {
  for (const [name, isTest] of [
    ['test', true],
    ['ordinary', false],
  ] as const) {
    const pages = new Map<object, string>();
    const collecting: MakeDocument = (options) => {
      const document = new PDFDocument(options);
      const text = document.text.bind(document) as (...given: unknown[]) => typeof document;
      document.text = (words: string, ...rest: unknown[]) => {
        pages.set(document.page, `${pages.get(document.page) ?? ''} ${words}`);
        return text(words, ...rest);
      };
      return document;
    };
    const completed = CASES[name]?.() ?? expect.fail(name);
    await paintPdf(buildView(completed, inventedEvidence(completed), 'pdf'), [], collecting);
    expect(pages.size).toBeGreaterThan(2);
    const says = [...pages.values()].map((words) => words.includes('Test document. No agency was asked.'));
    expect(new Set(says)).toEqual(new Set([isTest]));
  }
}, 60_000);

/** Words of this length and less, such as amounts and states, must fit into their columns. */
const WHOLE_LETTERS_MAX = 14;

/** What tables and cards say. */
function cellsOf({ sections }: View): string[] {
  return sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => {
      const tables =
        block.kind === 'table' ? [block] : block.kind === 'card' && block.table !== null ? [block.table] : [];
      const facts = block.kind === 'card' ? block.facts.flatMap(({ label, value }) => [label, value]) : [];
      return [
        ...tables.flatMap(({ rows, columns }) => [
          ...columns.map(({ title }) => title),
          ...rows.flatMap(({ cells }) => cells),
        ]),
        ...facts,
      ];
    });
}

for (const name of ['wide-words', 'disagreements', 'nothing-given']) {
  test(`${name}: no amount and no state of an account is broken within a word`, async () => {
    const completed = CASES[name]?.() ?? expect.fail(name);
    const view = buildView(completed, inventedEvidence(completed), 'pdf');
    const drawn = new Set<string>();
    const collecting: MakeDocument = (options) => {
      const document = new PDFDocument(options);
      const text = document.text.bind(document) as (...given: unknown[]) => typeof document;
      document.text = (words: string, ...rest: unknown[]) => {
        for (const word of words.split(' ')) drawn.add(word);
        return text(words, ...rest);
      };
      return document;
    };
    await paintPdf(view, [], collecting);
    const short = cellsOf(view).flatMap((text) => text.split(' ').filter((word) => word.length <= WHOLE_LETTERS_MAX));
    expect(short.length).toBeGreaterThan(50);
    expect(short.filter((word) => !drawn.has(word))).toEqual([]);
  }, 60_000);
}

test('a text that runs into the footer, or past the right margin, is found', () => {
  const found: string[] = [];
  const document = watchingOverflow(found)({ size: 'A4' });
  document.text('body', PAGE.left, PAGE.bottom - 20);
  document.text('footer', PAGE.left, FOOT.words);
  expect(found).toEqual([]);
  document.text('into the footer', PAGE.left, FOOT.line - 5);
  document.text('below the footer', PAGE.left, FOOT.words + 5);
  document.text('past the margin', PAGE.left + PAGE.width - 20, PAGE.top, { lineBreak: false });
  expect(found).toEqual(['into the footer', 'below the footer', 'past the margin']);
});

test('attachments come out as they went in', async () => {
  const completed = completedPerson('standard', 1);
  const { files = [] } = inventedEvidence(completed) ?? {};
  expect(files).toHaveLength(5);
  const read = await readPdfAttachments(await paint(completed));
  const byName = (listed: readonly { readonly name: string; readonly bytes: Uint8Array }[]) =>
    Object.fromEntries(listed.map(({ name, bytes }) => [name, Buffer.from(bytes)]));
  expect(byName(read)).toEqual(byName(files));
});

test('metadata are the same for every report, and have nothing of it', async () => {
  const completed = CASES['hostile-letters']?.() ?? expect.fail();
  const text = (await paint(completed)).toString('latin1');
  const xml = /<\?xpacket begin[\s\S]*?<\?xpacket end/.exec(text)?.[0] ?? '';
  expect(xml).toContain('Credit agreements report');
  expect(xml).toContain('<pdfuaid:part>1</pdfuaid:part>');
  expect(xml).not.toMatch(/Łucja|Example Claims|019e83d2/);
});
