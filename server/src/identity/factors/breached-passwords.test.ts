import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBreachCheck } from './breached-passwords.ts';

const digestOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();

async function writeList(lines: readonly string[], end = '\n'): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'breached-')), 'list.txt');
  await writeFile(path, lines.join(end) + (lines.length > 0 ? end : ''));
  return path;
}

const passwords = Array.from({ length: 2_000 }, (_, index) => `breached password ${index}`);
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
    for (const password of passwords) expect(await isBreached(password), password).toBe(true);
    for (let index = 0; index < 200; index += 1) expect(await isBreached(`unlisted ${index}`)).toBe(false);
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
