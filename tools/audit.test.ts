// The daily audit against our own registry: what it prints when all is well, on a vulnerability, and without an answer.
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const AUDIT = fileURLToPath(new URL('../.ci/audit', import.meta.url));

let registry: Server | undefined;
afterEach(() => registry?.close());

async function startRegistry(advisories: object): Promise<string> {
  registry = createServer((request, response) => {
    request.resume();
    const isBulk = request.method === 'POST' && request.url?.endsWith('/security/advisories/bulk') === true;
    response.writeHead(isBulk ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isBulk ? JSON.stringify(advisories) : '{}');
  });
  await new Promise<void>((resolve) => registry?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
}

async function audit(address: string): Promise<{ code: number | null; text: string }> {
  const child = spawn(AUDIT, { env: { ...process.env, npm_config_registry: address, npm_config_fetch_retries: '0' } });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, text };
}

test('0: a registry that knows of no vulnerability', async () => {
  const { code, text } = await audit(await startRegistry({}));
  expect({ code, text }).toEqual({
    code: 0,
    text: expect.stringMatching(/^Audited \d+ packages at http.*no known vulnerabilities/),
  });
}, 60_000);

test('1: a vulnerability of severity high is named', async () => {
  const advisory = {
    id: 1,
    url: 'https://example.com/1',
    title: 'A vulnerability',
    severity: 'high',
    vulnerable_versions: '<99.0.0',
  };
  const { code, text } = await audit(await startRegistry({ ajv: [advisory] }));
  expect(text).toContain('high: ajv');
  expect(code).toBe(1);
}, 60_000);

test('75: where no registry answers it says that nothing was audited', async () => {
  const { code, text } = await audit('http://127.0.0.1:9/');
  expect({ code, text }).toEqual({ code: 75, text: expect.stringMatching(/^NOT AUDITED: http/) });
}, 60_000);
