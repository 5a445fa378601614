// Looks a password up in a list of breached ones: a text file with one SHA-1 per line in hexadecimal, sorted, with or
// without `:count` behind it. Lists have many gigabytes, so the file is searched in place and never read whole.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { normalizePassword } from '../rules/password.ts';

export type IsBreached = (password: string) => Promise<boolean>;

const DIGEST_LENGTH = 40;
/** Longer than any line: a digest, a colon, a count and the end of the line. */
const LINE_BYTES_MAX = 64;
const WINDOW_BYTES = 4_096;

async function readAt(file: FileHandle, position: number, length: number): Promise<string> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead).toString('latin1');
}

/** Lines that begin in a stretch of the file, the first of them whole. */
function digestsOf(text: string, isStart: boolean): string[] {
  const lines = text.split('\n');
  return (isStart ? lines : lines.slice(1))
    .map((line) => line.slice(0, DIGEST_LENGTH).toUpperCase())
    .filter((digest) => digest.length === DIGEST_LENGTH);
}

/** Halves the stretch in which the digest's line can begin until it fits into one read. */
export async function isListed(file: FileHandle, digest: string): Promise<boolean> {
  let [from, to] = [0, (await file.stat()).size];
  while (to - from > WINDOW_BYTES) {
    const middle = Math.floor((from + to) / 2);
    const [first] = digestsOf(await readAt(file, middle, LINE_BYTES_MAX * 2), false);
    if (first === undefined) break;
    // The line begins somewhere after `middle`, and the one before it may begin before: keep room for a whole line.
    if (first > digest) to = middle + LINE_BYTES_MAX;
    else from = middle;
  }
  return digestsOf(await readAt(file, from, to - from + LINE_BYTES_MAX), from === 0).includes(digest);
}

/** Opened once for each look-up: passwords change seldom, and an operator may put a newer list in place at any time. */
export function createBreachCheck(path: string | undefined): IsBreached {
  if (path === undefined) return async () => false;
  return async (password) => {
    const digest = createHash('sha1').update(normalizePassword(password)).digest('hex').toUpperCase();
    const file = await open(path);
    try {
      return await isListed(file, digest);
    } finally {
      await file.close();
    }
  };
}
