import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBreachCheck } from './breached-passwords.ts';

const digestOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();

let folder: string;
let lists = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breached-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function writeList(lines: readonly string[], end = '\n'): Promise<string> {
  lists += 1;
  const path = join(folder, `list-${lists}.txt`);
  await writeFile(path, lines.join(end) + (lines.length > 0 ? end : ''));
  return path;
}

/** As many as six to nine windows of the search hold, so that each place in a window, and its two ends, is looked for. */
const passwords = Array.from({ length: 600 }, (_, index) => `breached password ${index}`);
const sorted = passwords.map(digestOf).toSorted();

const shapes: Record<string, () => Promise<string>> = {
  'digests alone': () => writeList(sorted),
  'digests with counts': () => writeList(sorted.map((digest, index) => `${digest}:${index ** 2}`)),
  'lower case, lines ended as on Windows': () =>
    writeList(
      sorted.map((digest) => `${digest.toLowerCase()}:7`),
      '\r\n',
    ),
};
for (const [name, write] of Object.entries(shapes)) {
  test(`${name}: every listed password is found, the first and the last too, and no other`, async () => {
    const isBreached = createBreachCheck(await write());
    const found = await Promise.all(passwords.map(isBreached));
    expect(passwords.filter((_, index) => !found[index])).toEqual([]);
    const unlisted = Array.from({ length: 200 }, (_, index) => isBreached(`unlisted ${index}`));
    expect(new Set(await Promise.all(unlisted))).toEqual(new Set([false]));
  });
}

test('short lists, an empty one and no list at all', async () => {
  for (const length of [1, 2, 3]) {
    const isBreached = createBreachCheck(await writeList(sorted.slice(0, length)));
    const found = await Promise.all(passwords.map(isBreached));
    expect(found.filter(Boolean)).toHaveLength(length);
  }
  expect(await createBreachCheck(await writeList([]))('anything')).toBe(false);
  expect(await createBreachCheck(undefined)('anything')).toBe(false);
});
