import { expect, test } from 'vitest';
import { lazy } from './lazy.ts';

test('nothing is made before it is needed, and nothing twice, undefined included', () => {
  let count = 0;
  const value = lazy(() => {
    count += 1;
    return undefined;
  });
  expect(count).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(count).toBe(1);
});

test('what could not be made is tried again', () => {
  const answers = [() => expect.fail('not yet'), () => 'made'];
  const value = lazy(() => answers.shift()?.());
  expect(value).toThrow('not yet');
  expect(value()).toBe('made');
});
