// pgBackRest for a cluster: its configuration, an encrypted repository in a temporary folder, backups, and the restore to a
// second or to the end of the archive. The options are those of docs/operate/backups.md.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { giveToPostgres, runOfPostgres } from '../dev/postgres-programs.ts';
import { type Cluster, emptyDataFolder, measureFolder } from './cluster.ts';

export type Backups = {
  readonly folder: string;
  readonly repository: string;
  readonly config: string;
};

const STANZA = 'trefoil';

/** The drill's own paths and port; otherwise as in docs/operate/backups.md. */
export function configurationOf(folder: string, cluster: Cluster, cipherPass: string): string {
  return [
    '[global]',
    `repo1-path=${join(folder, 'repository')}`,
    'repo1-cipher-type=aes-256-cbc',
    `repo1-cipher-pass=${cipherPass}`,
    'repo1-bundle=y',
    'repo1-retention-full=2',
    'compress-type=zst',
    'start-fast=y',
    `log-path=${join(folder, 'log')}`,
    `lock-path=${join(folder, 'lock')}`,
    'log-level-console=warn',
    '',
    `[${STANZA}]`,
    `pg1-path=${cluster.data}`,
    `pg1-port=${cluster.port}`,
    `pg1-socket-path=${cluster.sockets}`,
    'pg1-user=postgres',
    '',
  ].join('\n');
}

export async function placeBackups(cluster: Cluster): Promise<Backups> {
  const folder = await mkdtemp(join(tmpdir(), 'trefoil-backups-'));
  const [repository, log, lock] = ['repository', 'log', 'lock'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [repository, log, lock]) await mkdir(path);
  const config = join(folder, 'pgbackrest.conf');
  const text = configurationOf(folder, cluster, randomBytes(32).toString('base64url'));
  await writeFile(config, text, { mode: 0o600 });
  await giveToPostgres(folder, repository, log, lock, config);
  return { folder, repository, config };
}

/** For postgresql.conf. A segment that is not full is archived after the timeout: that bounds what a lost disk costs. */
export function archiveSettings({ config }: Backups, timeoutSeconds: number): string[] {
  return [
    'wal_level = replica',
    'archive_mode = on',
    `archive_command = 'pgbackrest --config=${config} --stanza=${STANZA} archive-push %p'`,
    `archive_timeout = ${timeoutSeconds}`,
  ];
}

async function pgbackrest({ config }: Backups, command: string, ...options: string[]): Promise<string> {
  try {
    return await runOfPostgres('pgbackrest', `--config=${config}`, `--stanza=${STANZA}`, ...options, command);
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT') throw new Error('pgbackrest is missing: install it (Debian: pgbackrest)');
    throw new Error(`pgbackrest ${command} failed: ${`${stdout}${stderr}`.trim()}`);
  }
}

/** Once for a repository, while the cluster runs; then proves that a WAL segment arrives there. */
export async function createStanza(backups: Backups): Promise<void> {
  await pgbackrest(backups, 'stanza-create');
  await pgbackrest(backups, 'check');
}

export type BackupKind = 'full' | 'incr';

export type Backup = {
  readonly label: string;
  readonly type: string;
  /** The last WAL segment that the backup needs. */
  readonly lastWal: string;
  /** Of the database, and of what this backup added to the repository. */
  readonly databaseBytes: number;
  readonly addedBytes: number;
};

type Info = {
  readonly backup: readonly {
    readonly label: string;
    readonly type: string;
    readonly archive: { readonly stop: string };
    readonly info: { readonly size: number; readonly repository: { readonly delta: number } };
  }[];
};

export async function listBackups(backups: Backups): Promise<Backup[]> {
  const [stanza] = JSON.parse(await pgbackrest(backups, 'info', '--output=json')) as Info[];
  return (stanza?.backup ?? []).map(({ label, type, archive, info }) => ({
    ...{ label, type, lastWal: archive.stop },
    databaseBytes: info.size,
    addedBytes: info.repository.delta,
  }));
}

export async function backUp(backups: Backups, kind: BackupKind): Promise<Backup> {
  await pgbackrest(backups, 'backup', `--type=${kind}`);
  const made = (await listBackups(backups)).at(-1);
  if (!made) throw new Error('pgbackrest made no backup');
  return made;
}

/** A whole second or a part of it, in UTC, as PostgreSQL reads it. */
export const toTarget = (at: Date) => at.toISOString().replace('T', ' ').replace('Z', '+00');

export type RestorePoint = Date | 'end';

/**
 * Writes the data folder anew from the newest fitting backup; PostgreSQL replays the archive when it starts. A copy beside the
 * real cluster must not archive into the same repository.
 */
export async function restore(
  backups: Backups,
  cluster: Cluster,
  to: RestorePoint,
  { isCopy = false }: { readonly isCopy?: boolean } = {},
): Promise<void> {
  await emptyDataFolder(cluster);
  const point =
    to === 'end' ? ['--type=default'] : ['--type=time', `--target=${toTarget(to)}`, '--target-action=promote'];
  const copy = isCopy ? ['--archive-mode=off'] : [];
  await pgbackrest(backups, 'restore', `--pg1-path=${cluster.data}`, ...point, ...copy);
}

/** The name of a WAL segment sorts like its place in the log, within one timeline. */
const WAL_NAME = /^[0-9A-F]{24}/;

async function listArchived({ repository }: Backups): Promise<string[]> {
  const entries = await readdir(join(repository, 'archive'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && WAL_NAME.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Whether a file of the archive is of a segment after this one. */
export const isLaterWal = (file: string, wal: string) => (WAL_NAME.exec(basename(file))?.[0] ?? '') > wal;

/** As if the archive had never received what came after the last backup. Returns how many files are gone. */
export async function withholdArchive(backups: Backups): Promise<number> {
  const last = (await listBackups(backups)).at(-1);
  if (!last) throw new Error('there is no backup');
  const later = (await listArchived(backups)).filter((file) => isLaterWal(file, last.lastWal));
  for (const file of later) await rm(file);
  return later.length;
}

export async function measureArchive(backups: Backups): Promise<{ files: number; bytes: number }> {
  const files = await listArchived(backups);
  return { files: files.length, bytes: await measureFolder(join(backups.repository, 'archive')) };
}

export const removeBackups = ({ folder }: Backups) => rm(folder, { recursive: true, force: true });
