// What counts as one receiver's addresses. Which addresses are public is in server/test/webhooks/nothing-inside.test.ts.
import { expect, test } from 'vitest';
import { blockOf } from './public-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
])('%s counts as %s', (address, block) => {
  expect(blockOf(address)).toBe(block);
});
