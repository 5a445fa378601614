import { expect, test } from 'vitest';
import { GraveFinding, grave } from './grave.ts';

const failing = () => expect(2, 'charges').toBe(1);

test.each([
  ['a check', failing],
  ['an asynchronous check', async () => failing()],
])('an assertion that fails in %s is a grave finding, which names both', async (_name, check) => {
  const error = await grave('one report', check).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GraveFinding);
  expect(error).toMatchObject({
    name: 'GraveFinding',
    message: expect.stringMatching(/^one report: charges: expected 2 to be 1/),
    cause: { name: 'AssertionError' },
  });
});

test('any other error is thrown as it is, and a check that holds throws nothing', async () => {
  const lost = new Error('connection terminated');
  for (const check of [
    () => Promise.reject(lost),
    () => {
      throw lost;
    },
  ])
    await expect(grave('one report', check)).rejects.toBe(lost);
  await grave('one report', async () => expect(1).toBe(1));
});
