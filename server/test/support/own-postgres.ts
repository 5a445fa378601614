// A small PostgreSQL server of a test's own, for what belongs to a whole server: its roles, its archive, its standbys. It needs
// root, because PostgreSQL refuses to run as root and runs as the user postgres.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/dev/free-port.ts';
import {
  commandOfPostgres,
  findPostgresPrograms,
  giveToPostgres,
  hasPostgresPrograms,
  runOfPostgres,
} from '../../../tools/dev/postgres-programs.ts';

export const canOwnPostgres = process.getuid?.() === 0 && hasPostgresPrograms;
export const TO_OWN_POSTGRES = 'root and the programs of PostgreSQL';

export type OwnPostgres = {
  readonly adminUrl: string;
  /** Whether archiving a file succeeds from now on. */
  setArchiving(works: boolean): Promise<void>;
  /** A program that receives the WAL and confirms it, as a standby does; ends with the server. */
  startStandby(name: string): Promise<void>;
  close(): Promise<void>;
};

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const programs = findPostgresPrograms();
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-postgres-'));
  const [data, received, isBroken] = ['data', 'received', 'archive-is-broken'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const port = await freePort();
  const asPostgres = (name: string, ...options: string[]) => runOfPostgres(join(programs, name), ...options);
  await chmod(folder, 0o755);
  for (const path of [data, received]) {
    await mkdir(path, { mode: 0o700 });
    await giveToPostgres(path);
  }
  await asPostgres('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--wal-segsize=1');
  const settings = [
    ...["listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", 'fsync = off', 'shared_buffers = 16MB'],
    ...['archive_mode = on', `archive_command = '! test -e ${isBroken}'`],
  ];
  await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  await asPostgres('pg_ctl', '-D', data, '-o', `-p ${port}`, '-l', join(data, 'server.log'), '-w', '-s', 'start');
  let standby: ChildProcess | undefined;
  return {
    adminUrl: `postgres://postgres@127.0.0.1:${port}/postgres`,
    setArchiving: (works) => (works ? rm(isBroken, { force: true }) : writeFile(isBroken, '')),
    async startStandby(name) {
      const place = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-D', received];
      const receiving = [...place, '--synchronous', '--no-loop'];
      standby = spawn(...commandOfPostgres(join(programs, 'pg_receivewal'), receiving), {
        ...{ cwd: '/', stdio: 'ignore', env: { PATH: process.env['PATH'], PGAPPNAME: name } },
      });
      await once(standby, 'spawn');
    },
    async close() {
      await asPostgres('pg_ctl', '-D', data, '-m', 'immediate', '-s', 'stop').catch(() => undefined);
      if (standby && standby.exitCode === null && standby.signalCode === null) await once(standby, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
