// A clock for the servers that can be moved while they run: libfaketime reads the offset from a file. The monotonic
// clock stays right, as it does when a real clock is corrected.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type MovableClock = {
  /** What a process needs to see this clock. */
  readonly environment: Readonly<Record<string, string>>;
  /** The processes notice within a second or two. */
  setOffset(seconds: number): Promise<void>;
  close(): Promise<void>;
};

const LIBRARIES = '/usr/lib';

async function findLibrary(): Promise<string> {
  for (const folder of await readdir(LIBRARIES)) {
    const names = await readdir(join(LIBRARIES, folder, 'faketime')).catch(() => []);
    const name = names.find((each) => each.startsWith('libfaketimeMT.so'));
    if (name) return join(LIBRARIES, folder, 'faketime', name);
  }
  throw new Error('libfaketime is not installed: on Debian it is the package faketime');
}

export async function openClock(): Promise<MovableClock> {
  const library = await findLibrary();
  const directory = await mkdtemp(join(tmpdir(), 'trefoil-clock-'));
  const file = join(directory, 'offset');
  const setOffset = (seconds: number) => writeFile(file, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}s\n`);
  await setOffset(0);
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setOffset,
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
