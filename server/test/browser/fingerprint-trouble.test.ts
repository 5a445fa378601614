// The fingerprint script in a real browser when things go wrong: slow, late, blocked, failing and refused posts, and
// browsers that lack what it uses. The page gets its one call all the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  COLLECTION,
  expectOneCall,
  type FingerprintStage,
  firstCall,
  html,
  inline,
  openFingerprintStage,
  REGISTER,
} from '../support/fingerprint-pages.ts';

let stage: FingerprintStage;
beforeAll(async () => {
  stage = await openFingerprintStage();
}, 60_000);
afterAll(() => stage?.close());

test('a slow network: a session that takes two seconds arrives whole', async () => {
  const page = await stage.newPage();
  await page.route(COLLECTION, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await route.continue();
  });
  await page.goto(stage.site.show('/slow', { html: html(inline(REGISTER), stage.tag) }));
  const call = await firstCall(page);
  expect(call.degraded).toBeUndefined();
  expect(stage.open(call)).toBeDefined();
  expect(stage.errors()).toEqual([]);
});

test('no answer within four seconds: called then, with an id that nobody knows, and not again when the answer comes', async () => {
  const page = await stage.newPage();
  await page.route(COLLECTION, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await route.continue().catch(() => undefined);
  });
  await page.goto(stage.site.show('/late', { html: html(inline(REGISTER), stage.tag) }));
  const call = await firstCall(page);
  expect(call.degraded).toBe(true);
  expect(call.sessionId).toMatch(/^unverified\.[0-9a-f]{32}$/);
  expect(stage.open(call)).toBeUndefined();
  expect(call.atMs).toBeGreaterThan(3_900);
  expect(call.atMs).toBeLessThan(5_000);
  await expectOneCall(page, 2_000);
  expect(stage.errors()).toEqual([]);
});

test('a blocked collection: called with an id that nobody knows, and the page sees no error of ours', async () => {
  const page = await stage.newPage();
  await page.route(COLLECTION, (route) => route.abort());
  await page.goto(stage.site.show('/blocked', { html: html(inline(REGISTER), stage.tag) }));
  const call = await firstCall(page);
  expect(call.degraded).toBe(true);
  expect(stage.open(call)).toBeUndefined();
  await expectOneCall(page);
  // The browser itself notes the failed requests; nothing is thrown.
  expect(stage.errors().filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
});

test('an answer that fails once: the second try makes the session; one that is refused is not tried again', async () => {
  const page = await stage.newPage();
  const statuses = [503, 0];
  await page.route(COLLECTION, (route) =>
    statuses.shift() === 503 ? route.fulfill({ status: 503, body: '{}' }) : route.continue(),
  );
  await page.goto(stage.site.show('/once', { html: html(inline(REGISTER), stage.tag) }));
  expect(stage.open(await firstCall(page))).toBeDefined();
  let posts = 0;
  const other = await stage.newPage();
  await other.route(COLLECTION, (route) => {
    posts += 1;
    return route.fulfill({ status: 429, headers: { 'access-control-allow-origin': '*' }, body: '{}' });
  });
  await other.goto(stage.site.show('/refused', { html: html(inline(REGISTER), stage.tag) }));
  expect((await firstCall(other)).degraded).toBe(true);
  await expectOneCall(other);
  expect(posts).toBe(1);
});

test('traits that do not come: a degraded session, which opens, and whose device is like no other', async () => {
  const page = await stage.newPage();
  await page.addInitScript('window.requestIdleCallback = () => 0');
  await page.goto(stage.site.show('/traits', { html: html(inline(REGISTER), stage.tag) }));
  const call = await firstCall(page);
  expect(call.degraded).toBe(true);
  expect(stage.open(call)?.isDegraded).toBe(true);
  expect(call.atMs).toBeLessThan(4_000);
  await page.reload();
  expect(stage.open(await firstCall(page))?.deviceDigest).not.toBe(stage.open(call)?.deviceDigest);
  expect(stage.errors()).toEqual([]);
});

test('browsers that lack what we use: called all the same, without an error', async () => {
  for (const lack of ['delete window.fetch', 'Object.defineProperty(window, "Intl", { value: undefined })']) {
    const page = await stage.newPage();
    await page.addInitScript(lack);
    await page.goto(stage.site.show('/lack', { html: html(inline(REGISTER), stage.tag) }));
    await firstCall(page);
    await expectOneCall(page, 500);
    expect(stage.errors()).toEqual([]);
  }
});
