// Month keys as files: real files in a folder of this test.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isMissing } from '../../../tools/testing/is-missing.ts';
import { createKeyFiles, FOLDER_MARK } from './key-files.ts';
import type { KeyAnswer } from './port.ts';

let folder: string;
const FILE = 'trefoil-2026-11.key';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trefoil-month-keys-'));
  writeFileSync(join(folder, FOLDER_MARK), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function value<T>(answer: KeyAnswer<T>): T {
  if (answer.kind !== 'done') throw new Error(answer.kind);
  return answer.value;
}

test('a working key comes back as it was made, and its file is for its owner alone', async () => {
  const files = createKeyFiles({ folder });
  const { key, wrappedKey } = value(await files.createWorkingKey('2026-11'));
  expect(key).toHaveLength(32);
  expect(value(await files.unwrap('2026-11', wrappedKey))).toEqual(key);
  expect(readdirSync(folder).toSorted()).toEqual([FILE, FOLDER_MARK].toSorted());
  expect(statSync(join(folder, FILE)).mode & 0o777).toBe(0o600);
  expect(value(await files.describe('2026-11')).createdAt).toBeInstanceOf(Date);
});

test.skipIf(isMissing('root', process.getuid?.() === 0))(
  'what root makes belongs to the owner of the folder',
  async () => {
    chownSync(folder, 10_001, 10_002);
    await createKeyFiles({ folder }).createWorkingKey('2026-11');
    const { uid, gid, mode } = statSync(join(folder, FILE));
    expect([uid, gid, mode & 0o777]).toEqual([10_001, 10_002, 0o600]);
  },
);

test('ten processes that make the same month at once use one file', async () => {
  const made = await Promise.all(
    Array.from({ length: 10 }, () => createKeyFiles({ folder }).createWorkingKey('2026-11')),
  );
  const files = createKeyFiles({ folder });
  for (const each of made) {
    const { key, wrappedKey } = value(each);
    expect(value(await files.unwrap('2026-11', wrappedKey))).toEqual(key);
  }
  expect(readdirSync(folder)).toHaveLength(2);
});

test('a destroyed month is gone, other months are not, and destroying again is done', async () => {
  const files = createKeyFiles({ folder });
  const november = value(await files.createWorkingKey('2026-11'));
  const december = value(await files.createWorkingKey('2026-12'));
  expect(value(await files.destroy('2026-11'))).toEqual({ until: undefined });
  expect(await files.unwrap('2026-11', november.wrappedKey)).toEqual({ kind: 'gone' });
  expect(value(await files.unwrap('2026-12', december.wrappedKey))).toEqual(december.key);
  expect((await files.destroy('2026-11')).kind).toBe('done');
});

test('a destroyed month leaves no draft of a process that was killed while it made the key', async () => {
  const files = createKeyFiles({ folder });
  await files.createWorkingKey('2026-11');
  // The key has its name, and the draft still has its own: here the process was killed.
  linkSync(join(folder, FILE), join(folder, `${FILE}.0123456789ab`));
  await files.createWorkingKey('2026-12');
  writeFileSync(join(folder, 'trefoil-2026-12.key.0123456789ab'), '');
  expect((await files.destroy('2026-11')).kind).toBe('done');
  const left = ['trefoil-2026-12.key', 'trefoil-2026-12.key.0123456789ab', FOLDER_MARK];
  expect(readdirSync(folder).toSorted()).toEqual(left.toSorted());
});

test('a month does not open what another wrapped', async () => {
  const files = createKeyFiles({ folder });
  const november = value(await files.createWorkingKey('2026-11'));
  await files.createWorkingKey('2026-12');
  expect((await files.unwrap('2026-12', november.wrappedKey)).kind).toBe('away');
});

test('a folder that is not there, or is an empty mount point, is away: nothing is made and nothing counts as destroyed', async () => {
  const files = createKeyFiles({ folder });
  const { wrappedKey } = value(await files.createWorkingKey('2026-11'));
  const elsewhere = `${folder}-unmounted`;
  renameSync(folder, elsewhere);
  for (const isEmpty of [false, true]) {
    if (isEmpty) mkdirSync(folder);
    expect((await files.unwrap('2026-11', wrappedKey)).kind).toBe('away');
    expect((await files.destroy('2026-11')).kind).toBe('away');
    expect((await files.createWorkingKey('2026-12')).kind).toBe('away');
    expect((await files.describe('2026-11')).kind).toBe('away');
  }
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
  renameSync(elsewhere, folder);
  // The breaker of the first is open.
  expect((await createKeyFiles({ folder }).unwrap('2026-11', wrappedKey)).kind).toBe('done');
});

test('a disk that hangs is away when the time is over', async () => {
  const { wrappedKey } = value(await createKeyFiles({ folder }).createWorkingKey('2026-11'));
  const path = join(folder, FILE);
  rmSync(path);
  // To open it waits for a writer, and nobody writes.
  execFileSync('mkfifo', [path]);
  try {
    const answer = await createKeyFiles({ folder, timeoutMs: 100 }).unwrap('2026-11', wrappedKey);
    expect(answer.kind === 'away' && answer.cause.reason).toBe('timeout');
  } finally {
    writeFileSync(path, 'x');
  }
});

test('a damaged file is away, not gone', async () => {
  const files = createKeyFiles({ folder });
  const { wrappedKey } = value(await files.createWorkingKey('2026-11'));
  chmodSync(join(folder, FILE), 0o600);
  writeFileSync(join(folder, FILE), 'x');
  expect((await files.unwrap('2026-11', wrappedKey)).kind).toBe('away');
});
