// Keeps servers for as long as its input stays open: `node keep.ts COUNT` writes their addresses as one line of JSON. When the process
// that started it ends, its input ends too, and the servers go with everything that they hold.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../dev/free-port.ts';
import { findPostgresPrograms, giveToPostgres, runOfPostgres } from '../dev/postgres-programs.ts';
import type { Servers } from './servers.ts';

const MEMORY = '/dev/shm';
/** A container may have only a few megabytes there. */
const MEMORY_BYTES_MIN = 4 * 2 ** 30;
/** Another program may take the port between the question and the start. */
const TRIES = 5;
const PATIENCE_MS = 60_000;

const POSTGRES_SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  // Nothing here outlives the run.
  'fsync = off',
  'synchronous_commit = off',
  'full_page_writes = off',
  // Two nodes and a test's own connections.
  'max_connections = 200',
  'shared_buffers = 64MB',
  'max_wal_size = 512MB',
  'checkpoint_timeout = 1h',
  // It would hold back the oldest transaction, for which readers of events wait, at moments of its own.
  'autovacuum = off',
];

const programs = findPostgresPrograms();
const asPostgres = (name: string, ...options: string[]) => runOfPostgres(join(programs, name), ...options);
const closers: (() => Promise<unknown>)[] = [];
let isEnding = false;

async function makeFolder(): Promise<string> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  const folder = await mkdtemp(join(free >= MEMORY_BYTES_MIN ? MEMORY : tmpdir(), 'trefoil-servers-'));
  closers.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755);
  await giveToPostgres(folder);
  return folder;
}

/** One cluster, made once and copied: making one takes a second of processor time. */
async function makeClusters(folder: string, count: number): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, index) => join(folder, `postgres-${index + 1}`));
  const [first = '', ...others] = paths;
  const encoding = ['--encoding=UTF8', '--locale=C.UTF-8'];
  await asPostgres('initdb', '-D', first, '-U', 'postgres', '-A', 'trust', '--no-sync', ...encoding);
  await appendFile(join(first, 'postgresql.conf'), `${POSTGRES_SETTINGS.join('\n')}\n`);
  for (const path of others) await runOfPostgres('cp', '-a', first, path);
  return paths;
}

async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (tries === TRIES || isEnding) throw error;
    }
  }
}

async function startPostgres(data: string): Promise<string> {
  return onFreePort(async (port) => {
    await asPostgres('pg_ctl', '-D', data, '-o', `-p ${port}`, '-l', `${data}.log`, '-w', '-s', 'start');
    closers.unshift(() => asPostgres('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop'));
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  });
}

async function startRedis(folder: string): Promise<string> {
  return onFreePort(async (port) => {
    await mkdir(folder, { recursive: true });
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      '--appendonly',
      'no',
    ];
    const child = spawn('redis-server', settings, { stdio: 'ignore' });
    await once(child, 'spawn');
    closers.unshift(async () => child.kill('SIGKILL'));
    await untilAnswered(port, child);
    return `redis://127.0.0.1:${port}`;
  });
}

async function untilAnswered(port: number, child: ChildProcess): Promise<void> {
  const giveUpAtMs = performance.now() + PATIENCE_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`Redis ended with exit code ${child.exitCode}`);
    if (performance.now() > giveUpAtMs) throw new Error('Redis did not answer');
    await sleep(20);
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function start(): Promise<void> {
  const folder = await makeFolder();
  const clusters = await makeClusters(folder, Number(process.argv[2]));
  const servers = await Promise.all(
    clusters.map(async (data, index): Promise<Servers> => {
      const redis = startRedis(join(folder, `redis-${index + 1}`));
      const [adminUrl, redisUrl] = await Promise.all([startPostgres(data), redis]);
      return { adminUrl, redisUrl };
    }),
  );
  process.stdout.write(`${JSON.stringify(servers)}\n`);
}

const started = start();

/** Not before all have started or failed: what starts later would stay. */
async function end(code: number): Promise<void> {
  isEnding = true;
  await started.catch(() => undefined);
  for (const close of closers.splice(0)) await close().catch(() => undefined);
  process.exit(code);
}

process.stdin.on('close', () => void end(0)).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
started.catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  return end(1);
});
