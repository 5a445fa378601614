// The scenario's own small PostgreSQL cluster on a disk of a few megabytes, which can be filled up. Needs root: it
// mounts a tmpfs, and PostgreSQL itself refuses to run as root and runs as the user postgres.
import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../dev/free-port.ts';
import { findPostgresPrograms, runOfPostgres } from '../dev/postgres-programs.ts';

export type SmallPostgres = {
  readonly adminUrl: string;
  /** Leaves no byte free on its disk. */
  fillDisk(): Promise<void>;
  /** Frees space again, and starts PostgreSQL if it has stopped in the meantime, as its supervisor would. */
  freeDisk(): Promise<void>;
  close(): Promise<void>;
};

const run = promisify(execFile);
const DISK = '160m';
const BALLAST_BLOCK = Buffer.alloc(64 * 1_024, 1);
const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  'max_connections = 80',
  'shared_buffers = 32MB',
  'min_wal_size = 32MB',
  'max_wal_size = 48MB',
];

export async function openSmallPostgres(): Promise<SmallPostgres> {
  const disk = await mkdtemp(join(tmpdir(), 'trefoil-disk-'));
  const data = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  const log = `${disk}.log`;
  const port = await freePort();
  const programs = findPostgresPrograms();
  const asPostgres = (name: string, ...options: string[]) => runOfPostgres(join(programs, name), ...options);
  const start = () => asPostgres('pg_ctl', '-D', data, '-o', `-p ${port}`, '-l', log, '-w', '-s', 'start');
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=0777`, 'tmpfs', disk]);

  async function close(): Promise<void> {
    await asPostgres('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop').catch(() => undefined);
    await run('umount', ['-l', disk]);
    for (const path of [disk, log]) await rm(path, { recursive: true, force: true });
  }

  try {
    await asPostgres('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--wal-segsize=4');
    await appendFile(join(data, 'postgresql.conf'), `${SETTINGS.join('\n')}\n`);
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    adminUrl: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async fillDisk() {
      // Appends until the disk is full; a smaller remainder is left for PostgreSQL's next few pages.
      for (;;) {
        try {
          await appendFile(ballast, BALLAST_BLOCK);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
          throw error;
        }
      }
    },
    async freeDisk() {
      await truncate(ballast, 0);
      const isRunning = await asPostgres('pg_ctl', '-D', data, 'status').then(
        () => true,
        () => false,
      );
      if (!isRunning) await start();
    },
    close,
  };
}
