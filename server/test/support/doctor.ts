// An examination of a test server's installation, with settings that differ, and listeners that do not answer.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type Examination, examineInstallation } from '../../src/doctor/examine-installation.ts';
import type { Result } from '../../src/doctor/run-checks.ts';
import type { TestServer } from '../harness.ts';

/** The owner of a test database is a superuser, and a node's address of an installation is seldom there. */
export function examine(
  server: Pick<TestServer, 'environment'>,
  changes: Record<string, string> = {},
  now?: () => Date,
): Promise<Examination> {
  const { TREFOIL_OWNER_DATABASE_URL: _owner, ...environment } = server.environment;
  return examineInstallation(loadConfig({ ...environment, ...changes }), now);
}

export function checkOf({ checks }: Examination, name: string): Result {
  const found = checks.find((check) => check.name === name);
  expect(found, `the check ${name}`).toBeDefined();
  return found as Result;
}

export async function expectCheck(
  examined: Promise<Examination>,
  name: string,
  status: string,
  told: string | RegExp = '',
): Promise<Examination> {
  const examination = await examined;
  const check = checkOf(examination, name);
  expect(`${check.status}: ${check.reason}`).toMatch(new RegExp(`^${status}: `));
  expect(check.reason).toMatch(told);
  if (status === 'fail') expect(examination.isFit).toBe(false);
  return examination;
}

/** Breaks something, looks, and mends it. */
export async function brokenFor<T>(
  server: Pick<TestServer, 'query'>,
  [breaking, mending]: readonly [string, string],
  look: () => Promise<T>,
): Promise<T> {
  await server.query(breaking);
  try {
    return await look();
  } finally {
    await server.query(mending);
  }
}

/** How many rows each table has, and its newest transaction; without the tables that jobs always touch. */
export async function countRows(server: TestServer): Promise<unknown> {
  const tables = await server.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname not in ('sweepers', 'webhook_fanout', 'usage_place', 'event_marking', 'hash_rings', 'job_marks') order by 1`,
  );
  const counts: Record<string, unknown> = {};
  for (const { name } of tables) {
    counts[name] = (await server.query(`select count(*)::int, max(xmin::text::bigint) from "${name}"`))[0];
  }
  return counts;
}

export type Listener = { readonly port: number; close(): void };

/** Accepts and says nothing. */
export async function listenSilently(): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
