// A page held against the accessibility rules in light and dark, and against the width of a small phone. With
// `--shots <folder>` a picture is kept of each page, at the width of a desk and of a phone.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { SHOTS } from './options.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };

async function keepPictures(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
  }
}

/** The colours differ between the schemes and nothing else does, so in dark only the contrasts are judged again. */
const SCHEMES = [
  ['light', `{ runOnly: ${JSON.stringify(RULES)} }`],
  ['dark', `{ runOnly: { type: 'rule', values: ['color-contrast'] } }`],
] as const;

/** A page that moved on while it was looked at: the shop's page loads itself again when a webhook arrives. */
const hasMovedOn = (error: unknown) =>
  error instanceof Error && error.message.includes('Execution context was destroyed');
const MOST_LOOKS = 10;

export async function lookAt(page: Page, name: string): Promise<void> {
  for (let look = 1; ; look += 1) {
    try {
      return await lookOnce(page, name);
    } catch (error) {
      if (!hasMovedOn(error) || look === MOST_LOOKS) throw error;
      await page.waitForLoadState();
    }
  }
}

async function lookOnce(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1_280, height: 800 };
  // Through the debugger, since the page's own policy lets no other script in.
  await page.evaluate(axe.source);
  for (const [colorScheme, options] of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    if (SHOTS) await keepPictures(page, SHOTS, `${name}-${colorScheme}`);
    const findings = (await page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`)) as Finding[];
    const told = findings.map(({ id, nodes }) => `${name}, ${colorScheme}: ${id}: ${nodes[0]?.html}`);
    assert.deepEqual(told, []);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 320, height: 640 });
  const width = (await page.evaluate('document.documentElement.scrollWidth')) as number;
  assert.ok(width <= 320, `${name} is ${width} pixels wide on a small phone`);
  await page.setViewportSize(size);
}
