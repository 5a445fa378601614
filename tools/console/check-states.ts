// What is held against every state of a page.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { lookAt } from '../../server/test/support/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { type Answer, NOTHING, refusal } from './answers.ts';
import type { Stage } from './stage.ts';

export const said = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByText(text).filter({ visible: true }).first().waitFor();

/** No page is wider than its window, from a small phone to a large screen. */
export async function checkWidths(page: Page): Promise<void> {
  for (const width of [320, 390, 1_280, 1_920]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), `${width} pixels`).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1_280, height: 900 });
}

/** Begin before the code of a part is asked for; the result waits until it is there, with all that it needs. */
export function watchCode(page: Page, file: string): () => Promise<void> {
  const [asked, under] = [new Set<string>(), new Set<string>()];
  page.on('request', (request) => {
    if (!request.url().includes('/console/assets/')) return;
    asked.add(request.url());
    under.add(request.url());
  });
  page.on('requestfinished', (request) => under.delete(request.url()));
  return () =>
    eventually(() =>
      expect([[...asked].some((url) => url.includes(`/assets/${file}-`)), under.size]).toEqual([true, 0]),
    );
}

export type Place = {
  readonly path: string;
  /** For pictures. */
  readonly name: string;
  readonly answers: Readonly<Record<string, Answer | 'hang'>>;
  /** The question whose answer the page is about. */
  readonly main: string;
  /** What stands there with the given answers, and with an empty list. */
  readonly full: string;
  readonly empty?: string;
  /** The test looks at the full page itself, with more of it open. */
  readonly isLookedAtLater?: boolean;
};

/** Full, loading, failed, refused and empty. */
export async function checkStates(stage: Stage, place: Place): Promise<void> {
  const { path, name, answers, main, full, empty, isLookedAtLater = false } = place;
  const whole = await stage.open(path, answers);
  await said(whole, full);
  if (!isLookedAtLater) await lookAt(whole, `state-${name}`);
  await checkWidths(whole);

  const loading = await stage.open(path, { ...answers, [main]: 'hang' });
  const told = loading.getByRole('main').getByText(/^Loading/);
  await told.first().waitFor({ state: 'attached' });
  await lookAt(loading, `state-${name}-loading`);

  const failed = await stage.open(path, { ...answers, [main]: refusal(500, 'internal-error', 'It failed.') });
  await said(failed, 'could not be loaded');
  await lookAt(failed, `state-${name}-failed`);

  const refused = await stage.open(path, { ...answers, [main]: refusal(403, 'forbidden', 'No.') });
  await said(refused, 'Your role does not include this');
  expect(await refused.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await lookAt(refused, `state-${name}-forbidden`);

  if (empty === undefined) return;
  const none = await stage.open(path, { ...answers, [main]: NOTHING });
  await said(none, empty);
  await lookAt(none, `state-${name}-empty`);
}
