// Looks a password up in a list of breached passwords: a sorted text file with one hexadecimal SHA-1 per line, with or
// without a trailing `:count`. Lists have many gigabytes, so the file is searched in place and never read whole.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { normalizePassword } from '../rules/password.ts';

export type IsBreached = (password: string) => Promise<boolean>;

const DIGEST_LENGTH = 40;
/** Longer than any line: a digest, a colon, a count and the line end. */
const LINE_BYTES_MAX = 64;
const WINDOW_BYTES = 4_096;

async function readAt(file: FileHandle, position: number, length: number): Promise<string> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead).toString('latin1');
}

/** The digests of the lines that begin in this part of the file; the first of them is whole. */
function digestsOf(text: string, isStart: boolean): string[] {
  const lines = text.split('\n');
  return (isStart ? lines : lines.slice(1))
    .map((line) => line.slice(0, DIGEST_LENGTH).toUpperCase())
    .filter((digest) => digest.length === DIGEST_LENGTH);
}

/** Halves the range in which the digest's line can begin until it fits into one read. */
export async function isListed(file: FileHandle, digest: string): Promise<boolean> {
  let [from, to] = [0, (await file.stat()).size];
  while (to - from > WINDOW_BYTES) {
    const middle = Math.floor((from + to) / 2);
    const [first] = digestsOf(await readAt(file, middle, LINE_BYTES_MAX * 2), false);
    if (first === undefined) break;
    // The line begins somewhere after `middle`, and the line before it may begin earlier: keep room for a whole line.
    if (first > digest) to = middle + LINE_BYTES_MAX;
    else from = middle;
  }
  return digestsOf(await readAt(file, from, to - from + LINE_BYTES_MAX), from === 0).includes(digest);
}

/** Opens the file for each look-up: passwords change seldom, and an operator may install a newer list at any time. */
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
