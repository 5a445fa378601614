// A copy of a test server's database on a PostgreSQL server of its own that archives its write-ahead log, and copies of that one
// as a restore makes them: a base backup and the log up to a moment. It needs root, as own-postgres.ts does.
import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { databaseEnvironment } from '../../../tools/dev/local-database.ts';
import { findPostgresPrograms, giveToPostgres, runOfPostgres } from '../../../tools/dev/postgres-programs.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { TestServer } from '../harness.ts';
import { findWords } from './subjects.ts';

const run = promisify(execFile);
const NAME = 'trefoil';

export type RecoveredCopy = {
  /** The settings that lead a command to it. */
  readonly environment: Record<string, string>;
  /** Each form in which one of the words is in a file of the server, its log included. */
  grep(words: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
};

export type Archived = {
  readonly environment: Record<string, string>;
  takeBase(): Promise<{ recover(until?: string): Promise<RecoveredCopy> }>;
  /** A moment between what was committed before and after. */
  markTime(): Promise<string>;
  close(): Promise<void>;
};

async function ask<T>(url: string, text: string): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(text);
    return rows[0] as T;
  } finally {
    await client.end();
  }
}

async function grepFiles(folder: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = (await readFile(join(entry.parentPath, entry.name))).toString('latin1');
    found.push(...findWords(text, words).map((form) => `${entry.name}: ${form}`));
  }
  return found;
}

export async function startArchived(server: TestServer): Promise<Archived> {
  const programs = findPostgresPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-archived-'));
  await chmod(folder, 0o755);
  const asPostgres = (name: string, ...options: string[]) => runOfPostgres(join(programs, name), ...options);
  async function makeFolder(name: string): Promise<string> {
    const path = join(folder, name);
    await mkdir(path, { mode: 0o700 });
    await giveToPostgres(path);
    return path;
  }
  const urlAt = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const start = (data: string, port: number) =>
    asPostgres('pg_ctl', '-D', data, '-o', `-p ${port}`, '-l', join(data, 'server.log'), '-w', '-s', 'start');
  const stop = (data: string) => asPostgres('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop').catch(() => '');

  const [data, archive] = [await makeFolder('data'), await makeFolder('archive')];
  const port = await freePort();
  await asPostgres('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--wal-segsize=1');
  const settings = [
    ...["listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", 'fsync = off', 'shared_buffers = 16MB'],
    ...['archive_mode = on', `archive_command = 'cp %p ${archive}/%f'`],
  ];
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  await start(data, port);
  const environment = databaseEnvironment(urlAt(port), NAME);
  for (const role of ['trefoil_app', 'trefoil_system']) await ask(urlAt(port), `create role ${role} login`);
  await ask(urlAt(port), `create database ${NAME} template template0`);
  const dump = join(folder, 'copy.dump');
  await run('pg_dump', ['--dbname', server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '', '-Fc', '--file', dump]);
  const target = environment['TREFOIL_OWNER_DATABASE_URL'] ?? '';
  await run('pg_restore', ['--dbname', target, '--no-owner', '--exit-on-error', dump]);

  /** Everything that is committed now is in the archive. */
  async function archiveAll(): Promise<void> {
    const { name } = await ask<{ name: string }>(urlAt(port), 'select pg_walfile_name(pg_current_wal_lsn()) as name');
    await ask(urlAt(port), 'select pg_switch_wal()');
    await eventually(async () => expect(await readdir(archive)).toContain(name));
  }

  let copies = 0;
  async function recover(base: string, until: string | undefined): Promise<RecoveredCopy> {
    await archiveAll();
    copies += 1;
    const copy = join(folder, `copy-${copies}`);
    await run('cp', ['-a', base, copy]);
    const recovery = [
      `restore_command = 'cp ${archive}/%f %p'`,
      ...(until === undefined ? [] : [`recovery_target_time = '${until}'`, "recovery_target_action = 'promote'"]),
      'archive_mode = off',
    ];
    await appendFile(join(copy, 'postgresql.conf'), `${recovery.join('\n')}\n`);
    await writeFile(join(copy, 'recovery.signal'), '');
    await giveToPostgres(join(copy, 'recovery.signal'));
    const copyPort = await freePort();
    await start(copy, copyPort);
    const isRecovering = async () =>
      (await ask<{ is: boolean }>(urlAt(copyPort), 'select pg_is_in_recovery() as is')).is;
    await eventually(async () => expect(await isRecovering()).toBe(false));
    return {
      environment: databaseEnvironment(urlAt(copyPort), NAME),
      grep: (words) => grepFiles(copy, words),
      close: async () => void (await stop(copy)),
    };
  }

  return {
    environment,
    async takeBase() {
      const base = await makeFolder('base');
      await asPostgres('pg_basebackup', '-d', urlAt(port), '-D', base, '-c', 'fast');
      return { recover: (until) => recover(base, until) };
    },
    async markTime() {
      const { now } = await ask<{ now: string }>(urlAt(port), 'select clock_timestamp()::text as now');
      return now;
    },
    async close() {
      await stop(data);
      for (let count = 1; count <= copies; count += 1) await stop(join(folder, `copy-${count}`));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
