// The fingerprint script on pages that are not as pages should be: parts of the language replaced, names of the document
// taken by elements, odd objects in the place of the page's function, and answers that are none. One call, no error.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  COLLECTION,
  callsOf,
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

const PROTOTYPE_JS =
  'Array.prototype.toJSON = function () { return "[" + this.join() + "]"; };' +
  `String.prototype.toJSON = function () { return '"' + this + '"'; };`;

const whole: readonly (readonly [what: string, ...head: string[]])[] = [
  ['an element by the name of scripts', '<img name="scripts" alt="">', inline(REGISTER)],
  [
    'an element by the name of currentScript',
    '<img name="currentScript" alt="" src="/elsewhere/device">',
    inline(REGISTER),
  ],
  ['a library of old that teaches arrays and texts to write themselves', inline(PROTOTYPE_JS + REGISTER)],
  ['a frozen object', inline('window.service = Object.freeze({ deviceFingerprint: (given) => calls.push(given) })')],
  ['a function in the place of the object', inline(`window.service = () => 0; ${REGISTER}`)],
  [
    'storage that throws',
    inline(`for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
    Object.defineProperty(window, name, { get() { throw new Error(name); } }); ${REGISTER}`),
  ],
  ['no crypto', inline(`Object.defineProperty(window, 'crypto', { value: undefined }); ${REGISTER}`)],
];
for (const [what, ...head] of whole) {
  test(`${what}: a whole session`, async () => {
    const page = await stage.newPage();
    await page.goto(stage.site.show('/strange', { html: html(...head, stage.tag) }));
    const call = await firstCall(page);
    expect(call.degraded).toBeUndefined();
    expect(stage.open(call)).toBeDefined();
    await expectOneCall(page, 300);
    expect(stage.errors()).toEqual([]);
  });
}

const without: readonly (readonly [what: string, code: string])[] = [
  ['no URL', 'delete window.URL'],
  ['a URL that throws', 'window.URL = function () { throw new Error("of the page"); }'],
  ['no way to race promises', 'Promise.race = undefined'],
  ['no promises of its own', 'window.Promise = undefined'],
  ['a fetch that throws', 'window.fetch = () => { throw new Error("of the page"); }'],
  ['a fetch that gives nothing', 'window.fetch = () => undefined'],
  ['a JSON that throws', 'JSON.stringify = JSON.parse = () => { throw new Error("of the page"); }'],
];
for (const [what, code] of without) {
  test(`${what}: one call all the same, and no error of ours`, async () => {
    const page = await stage.newPage();
    await page.goto(stage.site.show('/without', { html: html(inline(`${REGISTER} ${code}`), stage.tag) }));
    expect((await firstCall(page)).sessionId).not.toBe('');
    await expectOneCall(page, 300);
    expect(stage.errors()).toEqual([]);
  });
}

test('an object that throws when it is looked at: no error, and one call once it does not', async () => {
  const page = await stage.newPage();
  const throwing =
    'let isOpen = false; const own = { deviceFingerprint: (given) => calls.push(given) };' +
    `Object.defineProperty(window, 'service', { get() { if (!isOpen) throw new Error('closed'); return own; } });`;
  const collected = page.waitForResponse(COLLECTION);
  await page.goto(stage.site.show('/throwing', { html: html(inline(throwing), stage.tag) }));
  await (await collected).finished();
  expect(await callsOf(page)).toEqual([]);
  await page.evaluate('isOpen = true');
  expect(stage.open(await firstCall(page))).toBeDefined();
  await expectOneCall(page, 300);
  expect(stage.errors()).toEqual([]);
});

const answers = [
  ['a page instead', { status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' }],
  ['nothing', { status: 204, body: '' }],
  ['null', { status: 201, contentType: 'application/json', body: 'null' }],
  ['no session', { status: 201, contentType: 'application/json', body: '{"sessionId":7}' }],
  ['500, always', { status: 500, body: 'x' }],
  ['the way to another page', { status: 302, headers: { location: '/v1/nowhere' } }],
] as const;
for (const [what, answer] of answers) {
  test(`the collection answers ${what}: one call, degraded`, async () => {
    const page = await stage.newPage();
    await page.route(COLLECTION, (route) =>
      route.fulfill({
        ...answer,
        headers: { 'access-control-allow-origin': '*', ...('headers' in answer && answer.headers) },
      }),
    );
    await page.goto(stage.site.show('/answers', { html: html(inline(REGISTER), stage.tag) }));
    expect(await firstCall(page)).toMatchObject({ degraded: true, sessionId: expect.stringMatching(/^unverified\./) });
    await expectOneCall(page, 300);
    expect(stage.errors().filter((text) => !/Failed to load resource|CORS/.test(text))).toEqual([]);
  });
}

test('written into the page, put in late, or inside a frame without an origin: one call each', async () => {
  const address = `${stage.server.baseUrl}/v1/fingerprints/device`;
  const written = inline(`document.write('<script src="${address}"></' + 'script>')`);
  const page = await stage.newPage();
  await page.goto(stage.site.show('/written', { html: html(inline(REGISTER), written) }));
  expect(stage.open(await firstCall(page))).toBeDefined();
  await page.goto(stage.site.show('/late', { html: html(inline(REGISTER)) }));
  await page.addScriptTag({ url: address });
  expect(stage.open(await firstCall(page))).toBeDefined();
  const inside = html(inline(REGISTER.replace('calls.push', 'parent.postMessage')), stage.tag).replaceAll(
    '"',
    '&quot;',
  );
  const hear = `addEventListener('message', ({ data }) => calls.push(data))`;
  const frame = `<iframe title="frame" sandbox="allow-scripts" srcdoc="${inside.replace('atMs: performance.now() }', 'atMs: 0 }, `*`')}"></iframe>`;
  await page.goto(stage.site.show('/frame', { html: html(inline(hear), frame) }));
  expect(stage.open(await firstCall(page))).toBeDefined();
  await expectOneCall(page, 300);
  expect(stage.errors()).toEqual([]);
});
