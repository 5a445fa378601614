// The console's files as the server serves them, with a small build in place of the real one: which addresses there are, how
// long browsers keep what is there, and what a script in them may do (docs/decisions/0228-the-console.md).
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { readError, send } from '../support/wire.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'none'; connect-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const SCRIPT = 'globalThis.started = true;'.padEnd(2_000);
const TENANT = '019a8d9e-7c00-7000-8000-000000000001';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'assets/inner'), { recursive: true });
  mkdirSync(join(dist, '.vite'));
  writeFileSync(join(dist, 'index.html'), '<!doctype html><h1>The built console</h1>');
  writeFileSync(join(dist, '.vite/manifest.json'), '{}');
  writeFileSync(join(dist, 'assets/main-abc.js'), SCRIPT);
  writeFileSync(join(dist, 'assets/main-abc.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(dist, 'assets/main-abc.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(dist, 'assets/font-abc.woff2'), 'font');
  writeFileSync(join(dist, 'assets/notes.txt'), 'not for readers');
  writeFileSync(join(folder, 'secret.js'), 'not for readers');
  symlinkSync(join(folder, 'secret.js'), join(dist, 'assets/linked-abc.js'));
  server = await startServer({ environment: { TREFOIL_CONSOLE_FOLDER: dist } });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  send(server.baseUrl, { method: 'GET', path, headers });

/** The bytes as they came, and what the headers say about them. */
function getBytes(path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ body: Buffer; headers: Record<string, unknown>; status: number }>((resolve, reject) => {
    request(`${server.baseUrl}${path}`, { method, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () =>
        resolve({ body: Buffer.concat(chunks), headers: reply.headers, status: reply.statusCode ?? 0 }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  '/console',
  '/console/',
  `/console/${TENANT}`,
  `/console/${TENANT}/reports/${TENANT}`,
  '/console/x?mode=test',
])('200 at %s: the one page, never kept, with the strict policy', async (path) => {
  const { status, headers, text } = await get(path);
  expect([status, headers['content-type'], text]).toEqual([
    200,
    'text/html; charset=utf-8',
    '<!doctype html><h1>The built console</h1>',
  ]);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
});

test('200: a file is kept for a year, with its type', async () => {
  for (const [name, type] of [
    ['main-abc.js', 'text/javascript; charset=utf-8'],
    ['font-abc.woff2', 'font/woff2'],
  ]) {
    const { status, headers } = await get(`/console/assets/${name}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  }
});

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', undefined],
  ['', undefined],
  ['zstd', undefined],
])('a client that accepts "%s" gets %s', async (accepted, encoding) => {
  const { body, headers } = await getBytes('/console/assets/main-abc.js', { 'accept-encoding': accepted });
  expect([headers['content-encoding'], headers['vary']]).toEqual([encoding, 'Accept-Encoding']);
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
  expect(unpack(body).toString()).toBe(SCRIPT);
});

test('a file without a compressed copy says nothing about encodings', async () => {
  const { headers } = await getBytes('/console/assets/font-abc.woff2', { 'accept-encoding': 'br' });
  expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, undefined]);
});

test('HEAD has the headers of GET and no body', async () => {
  for (const path of ['/console', `/console/${TENANT}/wallet`, '/console/assets/main-abc.js']) {
    const [got, head] = [await getBytes(path, {}), await getBytes(path, {}, 'HEAD')];
    expect([head.status, head.body.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'cache-control', 'content-security-policy']) {
      expect(head.headers[name], `${path} ${name}`).toBe(got.headers[name]);
    }
  }
});

test.each([
  '/console/assets/unknown-abc.js',
  '/console/assets/main-abc.js.br',
  '/console/assets/main-abc.js.gz',
  '/console/assets/notes.txt',
  '/console/assets/linked-abc.js',
  '/console/assets/inner',
  '/console/assets/__proto__',
  '/console/assets/constructor',
  '/console/assets/../index.html',
  '/console/assets/../../secret.js',
  '/console/assets/..%2f..%2fsecret.js',
  '/console/assets/%2e%2e/index.html',
  '/console/assets/..%5c..%5csecret.js',
  '/console/assets//etc/passwd',
  '/console/assets/%00',
  '/console/../secret.js',
  '/console/%2e%2e/secret.js',
  '/console/..%2fsecret.js',
  '/console/index.html',
  '/console/.vite/manifest.json',
  '/console//x',
  '/console/<script>',
  `/console/${TENANT}/reports/%3Cscript%3E`,
])('404: %s is no address of the console', async (path) => {
  const reply = await get(path);
  expect([reply.status, readError(reply).code]).toEqual([404, 'not-found']);
  expect(reply.text).not.toMatch(/not for readers|root:/);
});

test('405: the console takes no other method', async () => {
  for (const path of ['/console', '/console/x', '/console/assets/main-abc.js']) {
    const reply = await send(server.baseUrl, { method: 'POST', path });
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD']);
  }
});

test('404: a server without the console says how to build it, and the API works', async () => {
  const node = await server.startNode({ TREFOIL_CONSOLE_FOLDER: 'off' });
  try {
    for (const path of ['/console', `/console/${TENANT}/wallet`]) {
      const reply = await send(node.baseUrl, { method: 'GET', path });
      expect([reply.status, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(reply.text).toContain('The console is not built on this server');
      expect(reply.headers['content-security-policy']).toBe(POLICY);
    }
    expect((await send(node.baseUrl, { method: 'GET', path: '/console/assets/main-abc.js' })).status).toBe(404);
    expect((await send(node.baseUrl, { method: 'GET', path: '/readyz' })).status).toBe(200);
  } finally {
    await node.close();
  }
});
