// Starts a copy's server on a throwaway database, and stops it in a way that drops that database.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadLocalServers } from '../../server/src/config.ts';
import { FOR_CHECKS } from '../dev/dev-options.ts';

/** What "npm run dev -- --json" prints when the server is ready. */
export type Ready = {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly otherTenantId: string;
  readonly otherClientId: string;
  readonly otherClientSecret: string;
};

export type RunningServer = { readonly ready: Ready; stop(): Promise<void> };

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 30_000;
const LOG_TAIL_LENGTH = 2_000;

/** The same Node as this process, and of its environment only the addresses of the two servers. */
export function childEnvironment(): Record<string, string> {
  const { adminUrl, redisUrl } = loadLocalServers();
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    TREFOIL_ADMIN_DATABASE_URL: adminUrl,
    TREFOIL_REDIS_URL: redisUrl,
  };
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string | undefined> {
  const lines = createInterface({ input, signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  try {
    const first = await lines[Symbol.asyncIterator]().next();
    return first.done ? undefined : first.value;
  } finally {
    lines.close();
  }
}

async function untilReady(output: NodeJS.ReadableStream | null): Promise<Ready> {
  const line = output ? await firstLine(output) : undefined;
  if (line === undefined) throw new Error('no line on standard output');
  const ready = JSON.parse(line) as Ready;
  // The line is printed a moment before the server handles signals; once the server responds, it does.
  await fetch(`${ready.baseUrl}/livez`, { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  return ready;
}

/**
 * Must not be aborted before it has answered: until the server is ready it has no signal handler and would leave
 * its database behind.
 */
export async function startServer(directory: string): Promise<RunningServer> {
  const logFile = join(directory, 'server.log');
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, ['tools/dev/dev.ts', ...FOR_CHECKS], {
    cwd: directory,
    env: childEnvironment(),
    // In its own process group, since Ctrl-C in a terminal would otherwise reach it too early (see above).
    detached: true,
    stdio: ['ignore', 'pipe', log],
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const patience = new AbortController();
    const late = sleep(STOP_TIMEOUT_MS, 'late' as const, { signal: patience.signal }).catch(() => undefined);
    if ((await Promise.race([exited, late])) === 'late') child.kill('SIGKILL');
    patience.abort();
    await exited;
  };
  try {
    return { ready: await untilReady(child.stdout), stop };
  } catch (error) {
    await stop();
    const said = (await readFile(logFile, 'utf8')).slice(-LOG_TAIL_LENGTH).trim();
    throw new Error(`the server did not start: ${said}`, { cause: error });
  }
}
