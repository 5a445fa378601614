// The document of a report in a real browser: no accessibility finding, nothing wider than a small phone, nothing fetched.
// The chosen reports of tools/documents are served as the service serves them.
import { execFileSync, spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CASES } from '../../../tools/documents/cases.ts';
import { inventedEvidence } from '../../../tools/documents/evidence.ts';
import { isMissing } from '../../../tools/testing/is-missing.ts';
import { HTML_POLICY, paintHtml } from '../../src/documents/html/paint-html.ts';
import { buildView } from '../../src/documents/view/build-view.ts';
import { collectComplaints, findBarriers, lookAt, openChromium } from '../support/chromium.ts';

let chromium: Browser;
let pages: Server;
let origin: string;
const asked: string[] = [];

beforeAll(async () => {
  chromium = await openChromium();
  pages = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    asked.push(name);
    const completed = CASES[name]?.();
    if (!completed) return response.writeHead(404).end();
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', HTML_POLICY);
    return response.end(paintHtml(buildView(completed, inventedEvidence(completed), 'page')));
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
}, 60_000);
afterAll(async () => {
  await chromium?.close();
  pages?.close();
});

for (const name of [
  'disagreements',
  'very-long-names',
  'hostile-letters',
  'untraced-and-silent',
  'wide-words',
  'test',
] as const) {
  test(`${name}: readable in both schemes and at 320 pixels, and nothing is fetched`, async () => {
    const context = await chromium.newContext();
    const complaints = collectComplaints(context);
    const page = await context.newPage();
    asked.length = 0;
    await page.goto(`${origin}/${name}`);
    await lookAt(page, `document-${name}`);
    // Of its own accord a browser asks for an icon.
    expect(asked.filter((each) => each !== 'favicon.ico')).toEqual([name]);
    expect(complaints.filter((each) => !each.includes('favicon'))).toEqual([]);
    expect(await page.locator('h1').count()).toBe(1);
    await context.close();
  }, 180_000);
}

const MEDIA = {
  light: { colorScheme: 'light', media: 'screen' },
  dark: { colorScheme: 'dark', media: 'screen' },
  print: { colorScheme: 'dark', media: 'print' },
} as const;

for (const width of [320, 1_280]) {
  for (const [name, media] of Object.entries(MEDIA)) {
    test(`no accessibility finding at ${width} pixels: ${name}`, async () => {
      const page = await chromium.newPage({ viewport: { width, height: 900 } });
      await page.emulateMedia(media);
      await page.goto(`${origin}/disagreements`);
      expect(await findBarriers(page)).toEqual([]);
      await page.close();
    }, 120_000);
  }
}

/** Words of up to fourteen letters, and days in tables, that stand on two lines. A word may end a line at its hyphen. */
const BROKEN_WORDS = `(() => {
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const pattern = node.parentElement.closest('td, th') ? /\\d+\\s[A-Z][a-z]+\\s\\d{4}|[^\\s-]+/g : /[^\\s-]+/g;
    for (const { 0: word, index } of node.data.matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (word.length <= 14 && lines.size > 1 && !node.parentElement.closest('svg')) words.push(word);
    }
  }
  return words;
})()`;

for (const [width, media] of [
  [320, 'screen'],
  [720, 'screen'],
  [840, 'screen'],
  [930, 'screen'],
  [1_280, 'screen'],
  [700, 'print'],
] as const) {
  test(`no amount and no day in a table is broken at ${width} pixels: ${media}`, async () => {
    const page = await chromium.newPage({ viewport: { width, height: 900 } });
    await page.emulateMedia({ media });
    await page.goto(`${origin}/wide-words`);
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.close();
  }, 60_000);
}

test('the chart cuts a long label at its end, and begins on a phone with the newest agreement, in letters of a readable size', async () => {
  const page = await chromium.newPage({ viewport: { width: 390, height: 900 } });
  await page.goto(`${origin}/very-long-names`);
  const labels = await page.locator('.chart .label').evaluateAll((all) =>
    all.map((each) => ({
      text: each.textContent,
      left: (each as unknown as { getBBox(): { x: number } }).getBBox().x,
    })),
  );
  expect(labels.length).toBeGreaterThan(0);
  for (const { text, left } of labels) {
    expect(text).toMatch(/^\d+ .+…$/);
    expect(left).toBeGreaterThan(0);
  }
  const newest = await page.locator('.chart .bar').last().boundingBox();
  expect(newest?.x).toBeLessThan(390);
  const { fontSize, scale } = (await page.evaluate(`(() => {
    const svg = document.querySelector('.chart svg');
    return { fontSize: parseFloat(getComputedStyle(svg).fontSize), scale: svg.getScreenCTM().a };
  })()`)) as { fontSize: number; scale: number };
  expect(fontSize * scale).toBeGreaterThan(11);
  await page.close();
});

test('on paper it is light, and no table is cut', async () => {
  const page = await chromium.newPage();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 700, height: 1_000 });
  await page.goto(`${origin}/disagreements`);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(700);
  await page.close();
});

const lacksTools = isMissing('pdftotext', spawnSync('pdftotext', ['-v']).error === undefined);

test.skipIf(lacksTools)(
  'on paper every sheet of a test report says that it is one',
  async () => {
    const page = await chromium.newPage();
    await page.goto(`${origin}/test`);
    const input = await page.pdf({ format: 'A4' });
    const sheets = execFileSync('pdftotext', ['-', '-'], { input, encoding: 'utf8' }).split('\f').slice(0, -1);
    expect(sheets.length).toBeGreaterThan(3);
    for (const text of sheets) expect(text).toMatch(/Test document\. No agency was asked\./);
    await page.close();
  },
  60_000,
);
