// The daily audit against our own registry: what it prints when all is well, on a vulnerability, and without an answer.
// Our own lockfiles are audited once; the other cases have lockfiles of one package, which npm reads in a third of the time.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const AUDIT = fileURLToPath(new URL('../.ci/audit', import.meta.url));

let registry: Server | undefined;
let small: string;
beforeAll(() => {
  small = mkdtempSync(join(tmpdir(), 'trefoil-audit-'));
  cpSync(AUDIT, join(small, '.ci/audit'));
  for (const [path, name] of [
    ['package-lock.json', 'ajv'],
    ['site/package-lock.json', 'astro'],
  ] as const) {
    mkdirSync(dirname(join(small, path)), { recursive: true });
    const dependencies = { [name]: '1.0.0' };
    const packages = { '': { dependencies }, [`node_modules/${name}`]: { version: '1.0.0' } };
    writeFileSync(join(small, path), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
    writeFileSync(join(small, dirname(path), 'package.json'), JSON.stringify({ dependencies }));
  }
});
afterAll(() => rmSync(small, { recursive: true }));
afterEach(() => registry?.close());

/** Answers so many audits, and no later one. */
async function startRegistry(advisories: object, answers = 2): Promise<string> {
  let asks = 0;
  registry = createServer((request, response) => {
    request.resume();
    const isBulk = request.method === 'POST' && request.url?.endsWith('/security/advisories/bulk') === true;
    asks += isBulk ? 1 : 0;
    const isAnswered = isBulk && asks <= answers;
    response.writeHead(isAnswered ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isAnswered ? JSON.stringify(advisories) : '{}');
  });
  await new Promise<void>((resolve) => registry?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
}

async function audit(
  address: string,
  script = join(small, '.ci/audit'),
): Promise<{ code: number | null; text: string }> {
  const child = spawn(script, { env: { ...process.env, npm_config_registry: address, npm_config_fetch_retries: '0' } });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, text };
}

test('0: a registry that knows of no vulnerability', async () => {
  const { code, text } = await audit(await startRegistry({}), AUDIT);
  expect({ code, text }).toEqual({
    code: 0,
    text: expect.stringMatching(
      /^Audited \d{3,} packages of the repository at http.*no known vulnerabilities.*\nAudited \d{3,} packages of the site at http.*no known vulnerabilities.*\n$/,
    ),
  });
});

const advisory = {
  id: 1,
  url: 'https://example.com/1',
  title: 'A vulnerability',
  severity: 'high',
  vulnerable_versions: '<99.0.0',
};

test('1: a vulnerability of severity high is named, in the repository and in the site', async () => {
  for (const name of ['ajv', 'astro']) {
    const { code, text } = await audit(await startRegistry({ [name]: [advisory] }));
    expect(text).toContain(`high: ${name}`);
    expect(code).toBe(1);
    registry?.close();
  }
});

test('1 or 75: a registry that answers for one lockfile and not for the other', async () => {
  const found = await audit(await startRegistry({ ajv: [advisory] }, 1));
  expect(found).toEqual({ code: 1, text: expect.stringMatching(/high: ajv[\s\S]*NOT AUDITED: http.*for the site/) });
  registry?.close();
  const half = await audit(await startRegistry({}, 1));
  expect(half).toEqual({ code: 75, text: expect.stringMatching(/^Audited[\s\S]*NOT AUDITED: http.*for the site/) });
});

test('75: where no registry answers it says that nothing was audited', async () => {
  const { code, text } = await audit('http://127.0.0.1:9/');
  expect({ code, text }).toEqual({ code: 75, text: expect.stringMatching(/^NOT AUDITED: http/) });
});
