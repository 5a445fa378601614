// The verification page in a real browser: the file stays in it, and what it says of a file is what is wrong with the file.
import { createHash, createPrivateKey, type JsonWebKey, sign } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newEvidenceKeys } from '../../src/evidence/evidence-keys.ts';
import { noteIssued } from '../../src/evidence/find-evidence.ts';
import { startServer, type TestServer } from '../harness.ts';
import { lookAt, openChromium } from '../support/chromium.ts';
import { asJson, asPdf, attachedFiles, type EvidenceData, type Files, newEvidence } from '../support/evidence.ts';
import { openVisitor } from '../support/person-pages.ts';

let server: TestServer;
let chromium: Browser;
let evidence: EvidenceData;
let files: Files;
let others: Files;
let issued: Buffer;
let page: Page;
let complaints: readonly string[];
let requests: { readonly url: string; readonly body: string | null }[];

beforeAll(async () => {
  server = await startServer({ hostName: 'localhost' });
  chromium = await openChromium();
  evidence = await newEvidence(server, { firstName: 'Quillon', lastName: 'Canarywood' });
  files = attachedFiles(evidence);
  others = attachedFiles(await newEvidence(server));
  issued = await asPdf(files);
  const digest = createHash('sha256').update(issued).digest('hex');
  await noteIssued(server.database, server.demo.tenantId, evidence.evidenceId, digest);
}, 60_000);
afterAll(async () => {
  await chromium?.close();
  await server?.close();
});
beforeEach(async () => {
  const visitor = await openVisitor(chromium, server.baseUrl, {});
  ({ page, complaints } = visitor);
  requests = [];
  page.on('request', (request) => requests.push({ url: request.url(), body: request.postData() }));
});

/** Chooses the file and waits for the words. */
async function choose(buffer: Buffer, name = 'report.pdf'): Promise<string> {
  await page.locator('#document').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  const box = page.locator('[data-result] > div');
  await box.waitFor();
  return `${await box.getAttribute('data-kind')}: ${await box.locator('h3').textContent()}`;
}

/** A forger with a key of their own signs the same words about the same files. */
function signedByStranger(): Files {
  const [stranger] = JSON.parse(newEvidenceKeys()) as [JsonWebKey & { kid: string }];
  const statement = Buffer.from(evidence.statement.replace(evidence.kid, stranger.kid));
  const signature = sign(null, statement, createPrivateKey({ key: stranger, format: 'jwk' }));
  return { ...files, 'statement.json': statement, 'statement.sig': signature };
}

const open = (path = evidence.verifyUrl) => page.goto(path);

test('the page names issuer, company, times, report and key, and nobody else; it is accessible, also with a result', async () => {
  await open();
  const text = (await page.locator('main').textContent()) ?? '';
  const { creditReportId } = JSON.parse(evidence.statement) as { creditReportId: string };
  for (const word of [
    'Trefoil',
    server.baseUrl,
    'Demo Claims',
    creditReportId,
    evidence.kid,
    'In order.',
    'test document',
  ]) {
    expect(text).toContain(word);
  }
  for (const word of ['Quillon', 'Canarywood', 'Ludforth', '1984']) expect(await page.content()).not.toContain(word);
  expect(await page.locator('[data-fragment]').isVisible()).toBe(false);
  await lookAt(page, 'verification');
  expect(await choose(issued)).toBe('issued: This very file was issued by us');
  await lookAt(page, 'verification-issued');
  expect(await choose(Buffer.from('hello'))).toMatch(/^foreign: /);
  await lookAt(page, 'verification-foreign');
  expect(complaints).toEqual([]);
});

test('only the digest leaves the browser', async () => {
  await open();
  requests.length = 0;
  await choose(issued);
  const digest = createHash('sha256').update(issued).digest('hex');
  expect(requests).toEqual([{ url: `${server.baseUrl}/v/${evidence.evidenceId}/digest`, body: `sha256=${digest}` }]);
});

test('told apart: altered pages, the JSON, altered, swapped and foreign files, another document', async () => {
  await open();
  const pages = await asPdf(files, 'You owe nothing');
  expect(await choose(pages)).toBe(
    'pages: The signed data inside are genuine, but the pages are not the ones that we issued',
  );
  expect(await choose(asJson(files), 'evidence.json')).toBe('data: The signed data are genuine');
  const flip = (name: string) => {
    const changed = Buffer.from(files[name] ?? '');
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    return asPdf({ ...files, [name]: changed });
  };
  expect(await choose(await flip('report.json'))).toBe('file-altered: This file was altered');
  expect(await choose(await flip('provenance.json'))).toBe('file-altered: This file was altered');
  expect(await choose(await flip('VERIFY.txt'))).toBe('file-altered: This file was altered');
  expect(await choose(await flip('statement.sig'))).toBe('statement-altered: This file was altered');
  const swapped = { ...others, 'statement.json': files['statement.json'], 'statement.sig': files['statement.sig'] };
  expect(await choose(await asPdf(swapped as Files))).toBe('file-swapped: Files in this document were swapped');
  expect(await choose(await asPdf(signedByStranger()))).toBe('unknown-key: We did not sign this');
  expect(await choose(await asPdf(others))).toBe('other: This is another document');
  const link = page.getByRole('link', { name: 'Open its own page' });
  const { evidenceId } = JSON.parse(String(others['statement.json'])) as { evidenceId: string };
  expect(await link.getAttribute('href')).toBe(`/v/${evidenceId}`);
  expect(await choose(await asPdf({}))).toMatch(/^foreign: This file was not issued by us/);
  expect(complaints).toEqual([]);
});

test('the code of the document must belong to it: another one is told before any file is chosen', async () => {
  await open(`/v/${evidence.evidenceId}#${'0'.repeat(32)}`);
  await page.getByRole('heading', { name: 'The code that you scanned does not belong to this document' }).waitFor();
  // The code is wrong, and the file is not: it is the one that was issued under this address.
  expect(await choose(asJson(files))).toBe('data: The signed data are genuine');
  expect(await choose(issued)).toBe('issued: This very file was issued by us');
  expect(await choose(await asPdf(others))).toBe('other: This is another document');
  await lookAt(page, 'verification-fragment');
});

test('a browser that does not know the kind of our keys says so, and calls no file a forgery', async () => {
  const without = `crypto.subtle.importKey = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'))`;
  await page.addInitScript(without);
  await open();
  await page.getByText('This browser cannot verify files here.').waitFor();
  expect(await page.locator('#document').isVisible()).toBe(false);
});

test('where the check itself fails, the page says only what it knows', async () => {
  await open();
  await page.evaluate(`crypto.subtle.importKey = () => Promise.reject(new Error('no'))`);
  expect(await choose(asJson(files), 'evidence.json')).toBe('unchecked: This file could not be checked');
  expect(await choose(issued)).toBe('issued: This very file was issued by us');
});

test('a key that was withdrawn is told on the page and of a chosen file; so is one that was not in use at that time', async () => {
  const [own] = JSON.parse(server.environment['TREFOIL_EVIDENCE_KEYS'] ?? '[]') as [Record<string, unknown>];
  const { d: _private, ...lost } = own;
  const [fresh] = JSON.parse(newEvidenceKeys()) as [object];
  const ring = (old: object) => ({ TREFOIL_EVIDENCE_KEYS: JSON.stringify([fresh, old]) });
  /** The same database behind the same address, as if the service had been started again with this ring. */
  const withRing = async (old: object, look: () => Promise<void>) => {
    const node = await server.startNode(ring(old));
    try {
      await page.route(`${server.baseUrl}/**`, async (route) => {
        const url = route.request().url().replace(server.baseUrl, node.baseUrl);
        await route.fulfill({ response: await route.fetch({ url }) });
      });
      await open();
      await look();
    } finally {
      // To an address that differs in nothing a browser would not go again.
      await page.goto('about:blank');
      await page.unroute(`${server.baseUrl}/**`);
      await node.close();
    }
  };
  await withRing({ ...lost, revokedAt: '2099-01-01' }, async () => {
    await page.getByRole('heading', { name: 'The key that signed this document was withdrawn' }).waitFor();
    expect(await choose(asJson(files), 'evidence.json')).toBe('revoked-key: The key that signed this was withdrawn');
    expect(await page.locator('[data-result] p').textContent()).toContain(
      'We withdrew it on 1 January 2099. The file says that it was signed before that',
    );
    await lookAt(page, 'verification-revoked');
  });
  await withRing({ ...lost, validUntil: evidence.issuedAt }, async () => {
    expect(await choose(issued)).toBe('key-not-valid: The key that signed this was not in use at that time');
  });
});

test('a file that is larger than any of ours is not read', async () => {
  await open();
  requests.length = 0;
  // Made in the page: handing it over would take longer than everything else here.
  await page.evaluate(`(() => {
    const chosen = new DataTransfer();
    chosen.items.add(new File([new Uint8Array(20_000_001)], 'large.pdf'));
    const input = document.getElementById('document');
    input.files = chosen.files;
    input.dispatchEvent(new Event('change'));
  })()`);
  await page.locator('[data-kind=large]').waitFor();
  expect(requests).toEqual([]);
});

test('without JavaScript the page still shows what was issued and says what to do', async () => {
  const { page: plain } = await openVisitor(chromium, server.baseUrl, { javaScriptEnabled: false });
  await plain.goto(`/v/${evidence.evidenceId}`);
  expect(await plain.locator('noscript').textContent()).toContain('This needs JavaScript');
  expect(await plain.locator('form').isVisible()).toBe(false);
  await plain.getByText('Report number').waitFor();
});

test('an id that we do not know: one calm page', async () => {
  const reply = await page.goto('/v/01890000-0000-7000-8000-000000000000');
  expect(reply?.status()).toBe(404);
  await page.getByRole('heading', { name: 'We know no such document' }).waitFor();
  await lookAt(page, 'verification-unknown');
});
