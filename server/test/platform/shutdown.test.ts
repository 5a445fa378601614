// The real process: starts, answers, and on SIGTERM finishes what it has begun.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { COMPILE_CACHE, MAIN } from '../support/command-line.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function startProcess(
  environment: Record<string, string>,
): Promise<{ child: ChildProcess; output: () => string }> {
  const chunks: Buffer[] = [];
  const child = spawn(process.execPath, [MAIN, 'api'], {
    env: { PATH: '/usr/bin:/bin', ...COMPILE_CACHE, ...environment },
  });
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { child, output: () => Buffer.concat(chunks).toString() };
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve));

test('SIGTERM: a request in flight is answered, new ones are not taken, and the process ends with 0', async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const { child, output } = await startProcess({ ...server.environment, TREFOIL_PORT: String(port) });
  await eventually(async () =>
    expect(
      await fetch(`${baseUrl}/readyz`).then(
        (r) => r.status,
        () => 0,
      ),
    ).toBe(200),
  );
  const token = await server.trefoil.getToken();
  // Holding the wallet's table keeps a request in flight until the lock goes.
  await server.query('begin');
  await server.query('lock table wallets in access exclusive mode');
  const inFlight = fetch(`${baseUrl}/${server.demo.tenantId}/v1/credit-reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(generateBody()),
  });
  await eventually(async () =>
    expect(
      await server.query("select from pg_locks where relation = 'wallets'::regclass and not granted"),
    ).toHaveLength(1),
  );
  const exit = ended(child);
  child.kill('SIGTERM');
  await eventually(async () =>
    expect(
      await fetch(`${baseUrl}/livez`).then(
        (r) => r.status,
        () => 'refused',
      ),
    ).toBe('refused'),
  );
  await server.query('rollback');
  expect((await inFlight).status).toBe(200);
  expect(await exit).toBe(0);
  expect(output()).toContain('"msg":"closed"');
});

test('a missing secret stops the process and is named, and no value is printed', async () => {
  const { TREFOIL_HASH_KEY: _, ...environment } = server.environment;
  const { child, output } = await startProcess({ ...environment, TREFOIL_VAULT_KEYS: 'k1:not-a-key' });
  expect(await ended(child)).toBe(1);
  expect(output()).toContain('TREFOIL_HASH_KEY is missing');
  expect(output()).toContain('TREFOIL_VAULT_KEYS is not valid');
  expect(output()).not.toContain('not-a-key');
});

test('a ring without a key that a report needs stops the process, which says so and ends', async () => {
  await server.trefoil.generate(generateBody());
  const { child, output } = await startProcess({
    ...server.environment,
    TREFOIL_PORT: String(await freePort()),
    TREFOIL_VAULT_KEYS: `next:${randomBytes(32).toString('base64')}`,
  });
  expect(await ended(child)).toBe(1);
  expect(output()).toContain('TREFOIL_VAULT_KEYS lacks local-1');
});

test('503: without a database the process is alive but not ready, and requests are told to come back', async () => {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const nowhere = `postgres://trefoil_app@127.0.0.1:${await freePort()}/nowhere`;
  const { child } = await startProcess({
    ...server.environment,
    TREFOIL_PORT: String(port),
    TREFOIL_DATABASE_URL: nowhere,
    TREFOIL_SYSTEM_DATABASE_URL: nowhere,
  });
  await eventually(async () =>
    expect(
      await fetch(`${baseUrl}/livez`).then(
        (r) => r.status,
        () => 0,
      ),
    ).toBe(200),
  );
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(503);
  const token = await server.trefoil.getToken();
  const response = await fetch(`${baseUrl}/v1/my/profile`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.json()).toMatchObject({ code: 'service-unavailable' });
  const exit = ended(child);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
});
