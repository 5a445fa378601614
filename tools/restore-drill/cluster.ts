// A PostgreSQL cluster of its own in a temporary folder: made, started, killed as a machine dies, destroyed and removed. It
// knows nothing of Trefoil and of backups, so that other tools can use it.
import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../dev/free-port.ts';
import { ensureDatabase } from '../dev/local-database.ts';
import { findPostgresPrograms, giveToPostgres, runOfPostgres } from '../dev/postgres-programs.ts';

/** Where a cluster is, or will be once it is initialised or restored. The port outlives a restore. */
export type Cluster = {
  readonly folder: string;
  readonly data: string;
  readonly sockets: string;
  readonly log: string;
  readonly port: number;
  /** The database postgres, as its superuser. */
  readonly adminUrl: string;
};

const LOOK_MS = 50;
const GONE_MS_MAX = 10_000;
/** A replay of much WAL takes long; pg_ctl waits for it, and so do we. */
const START_SECONDS_MAX = 600;
const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  'max_connections = 80',
  'shared_buffers = 64MB',
  // In the data folder, so that a killed server leaves nothing elsewhere.
  'dynamic_shared_memory_type = mmap',
  // The values of a statement are personal data.
  'log_parameter_max_length = 0',
  'log_parameter_max_length_on_error = 0',
  'log_error_verbosity = terse',
];

const program = (name: string) => join(findPostgresPrograms(), name);

export async function placeCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-cluster-'));
  const [data, sockets, log] = [join(folder, 'data'), join(folder, 'run'), join(folder, 'postgresql.log')];
  await mkdir(sockets);
  await giveToPostgres(folder, sockets);
  const port = await freePort();
  return { folder, data, sockets, log, port, adminUrl: `postgres://postgres@127.0.0.1:${port}/postgres` };
}

/** An empty folder that PostgreSQL accepts, in place of whatever was there. */
export async function emptyDataFolder({ data }: Cluster): Promise<void> {
  await rm(data, { recursive: true, force: true });
  await mkdir(data, { mode: 0o700 });
  await giveToPostgres(data);
}

export async function initCluster(cluster: Cluster, settings: readonly string[] = []): Promise<void> {
  await emptyDataFolder(cluster);
  const options = ['-D', cluster.data, '-U', 'postgres', '-A', 'trust', '--data-checksums', '--no-sync'];
  await runOfPostgres(program('initdb'), ...options, '--locale=C.UTF-8', '--encoding=UTF8');
  await appendFile(join(cluster.data, 'postgresql.conf'), `${[...SETTINGS, ...settings].join('\n')}\n`);
}

async function isInRecovery(cluster: Cluster): Promise<boolean> {
  const client = new Client({ connectionString: cluster.adminUrl, connectionTimeoutMillis: 2_000 });
  // The server may end in the middle of it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
    return rows[0]?.recovering ?? true;
  } finally {
    await client.end();
  }
}

/** The last words of a server that ended: its FATAL and PANIC lines. */
async function lastWords({ log }: Cluster): Promise<string> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n');
  return lines.filter((line) => /\b(FATAL|PANIC):/.test(line)).at(-1) ?? `no reason in ${log}`;
}

async function isRunning({ data }: Cluster): Promise<boolean> {
  return runOfPostgres(program('pg_ctl'), '-D', data, 'status').then(
    () => true,
    () => false,
  );
}

/** Resolves when the server takes writes: after a restore it first replays the archive and is promoted. */
export async function startCluster(cluster: Cluster): Promise<void> {
  const { data, log, port, sockets } = cluster;
  const place = `-p ${port} -k ${sockets}`;
  const waiting = ['-w', '-t', String(START_SECONDS_MAX), '-s'];
  const failed = async () => new Error(`PostgreSQL does not start: ${await lastWords(cluster)}`);
  try {
    await runOfPostgres(program('pg_ctl'), '-D', data, '-o', place, '-l', log, ...waiting, 'start');
  } catch {
    throw await failed();
  }
  while (await isInRecovery(cluster).catch(() => true)) {
    if (!(await isRunning(cluster))) throw await failed();
    await sleep(LOOK_MS);
  }
}

/** Everything below a process; an archive command is a grandchild of the postmaster. */
async function listDescendants(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = text.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(listDescendants))).flat()];
}

/** A process that nobody has waited for is gone too. */
async function isGone(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return status === '' || /^State:\s+[ZX]/m.test(status);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** As a machine dies: SIGKILL to every process at once, in the middle of whatever each does. */
export async function killCluster({ data, sockets, port }: Cluster): Promise<void> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  const postmaster = Number(lines[0]);
  // Stopped first: it must not start another process while its processes are being listed.
  send(postmaster, 'SIGSTOP');
  const all = [postmaster, ...(await listDescendants(postmaster))];
  for (const pid of all) send(pid, 'SIGKILL');
  const startedMs = performance.now();
  while (!(await Promise.all(all.map(isGone))).every(Boolean)) {
    if (performance.now() - startedMs > GONE_MS_MAX) throw new Error('PostgreSQL survives SIGKILL');
    await sleep(LOOK_MS);
  }
  // A machine that starts again has an empty /run. Here PostgreSQL would not start while the process that the lock names can be
  // signalled, and a killed one can until its parent has waited for it.
  for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]) await rm(join(sockets, name), { force: true });
  // The last piece of a server outside its folder: the segment by which it notices another server on the same data.
  const [, segment] = (lines[6] ?? '').trim().split(/\s+/);
  if (segment) await promisify(execFile)('ipcrm', ['-m', segment]).catch(() => undefined);
}

/** Kills it and deletes its data, WAL that was not archived included. Returns the moment of its death. */
export async function destroyCluster(cluster: Cluster): Promise<Date> {
  const at = new Date();
  await killCluster(cluster);
  await rm(cluster.data, { recursive: true, force: true });
  return at;
}

/** Stops it, if it runs, and leaves nothing of it. */
export async function removeCluster(cluster: Cluster): Promise<void> {
  await runOfPostgres(program('pg_ctl'), '-D', cluster.data, '-m', 'fast', '-w', '-s', 'stop').catch(() => undefined);
  await rm(cluster.folder, { recursive: true, force: true });
}

/** A megabyte of text that halves when it is compressed, about as sealed reports and their indexes do. */
const FILL = `
  insert into filler
  select string_agg(md5(random()::text), '') from generate_series(1, 1000) as row, generate_series(1, 32) as piece group by row`;

/** In a database of its own, which nobody reads. */
export async function fillCluster({ adminUrl }: Cluster, megabytes: number): Promise<void> {
  await ensureDatabase(adminUrl, 'filler');
  const url = new URL(adminUrl);
  url.pathname = '/filler';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('create table filler (text text)');
    for (let filled = 0; filled < megabytes; filled += 1) await client.query(FILL);
  } finally {
    await client.end();
  }
}

/** Bytes of all files in a folder. */
export async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name)).catch(() => undefined))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
