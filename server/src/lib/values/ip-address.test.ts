import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costGrowth, GROWTH_MAX } from '../../../../tools/testing/cost-growth.ts';
import { createNetworkMatcher, isIpAddress, isNetwork, networkOf, readAddress } from './ip-address.ts';

const rows = [
  // text, is an IP address
  ['192.0.2.10', true],
  ['0.0.0.0', true],
  ['255.255.255.255', true],
  ['256.0.2.10', false],
  ['192.0.2', false],
  ['192.0.2.10.1', false],
  ['192.0.2.010', false], // a leading zero may mean octal
  ['0xc0.0.2.10', false],
  ['3221225994', false],
  ['192.0.2.10:443', false],
  ['192.0.2.0/24', false],
  ['192.0.2.10 ', false],
  [' 192.0.2.10', false],
  ['192.0.2.10\n', false],
  ['2001:db8::1', true],
  ['2001:DB8::1', true],
  ['2001:db8:0:0:0:0:0:1', true],
  ['::', true],
  ['::1', true],
  ['::ffff:192.0.2.10', true],
  ['2001:db8::1::2', false],
  ['2001:db8', false],
  ['2001:db8::g', false],
  ['2001:db8::12345', false],
  ['[2001:db8::1]', false],
  ['2001:db8::/32', false],
  ['fe80::1', true],
  ['fe80::1%eth0', false], // zone ids
  ['fe80::1%1', false],
  ['fe80::1%', false],
  ['192.0.2.10%eth0', false],
  ['localhost', false],
  ['example.com', false],
  ['', false],
] as const;
for (const [text, expected] of rows) {
  test(`${JSON.stringify(text)} is ${expected ? '' : 'not '}an IP address`, () => {
    expect(isIpAddress(text)).toBe(expected);
  });
}

const hostile = ['1'.repeat(1e5), '1.'.repeat(5e4), ':'.repeat(1e5), '0:'.repeat(5e4), `fe80::1%${'a'.repeat(1e5)}`];
for (const text of hostile) {
  test(`100 kB of ${JSON.stringify(text.slice(0, 12))} is refused, at a cost that grows with its length`, async () => {
    expect(isIpAddress(text)).toBe(false);
    expect(await costGrowth(text, isIpAddress)).toBeLessThanOrEqual(GROWTH_MAX);
  });
}

const networks: [string, string][] = [
  ['192.0.2.10', '192.0.2.10'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff::9', '2001:db8:0:0::/64'],
  ['2001:0DB8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.10', '192.0.2.10'],
  ['::FFFF:c000:20a', '192.0.2.10'],
  ['0:0:0:0:0:ffff:192.0.2.10', '192.0.2.10'],
  ['64:ff9b::192.0.2.10', '64:ff9b:0:0::/64'],
  // The same address as ::1, written in another way: not the IPv4 address that it looks like.
  ['::0.0.0.1', '0:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['1::4:5:6:7:8', '1:0:0:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::1%', 'fe80:0:0:0::/64'],
  ['::ffff:192.0.2.10%eth0', '192.0.2.10'],
  ['192.0.2.10:443', '192.0.2.10'],
  ['192.0.2.10%eth0', '192.0.2.10%eth0'],
  ['unknown', 'unknown'],
  ['', ''],
];
for (const [address, network] of networks) {
  test(`${address} belongs to ${network}`, () => expect(networkOf(address)).toBe(network));
}

test('every address lies in its own network, in every form that the standard permits', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      const network = networkOf(address);
      expect(isNetwork(network), network).toBe(true);
      expect(createNetworkMatcher([network])(address), `${address} in ${network}`).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['192.0.2.0/24', true],
  ['192.0.2.7', true],
  ['0.0.0.0/0', true],
  ['192.0.2.0/32', true],
  ['2001:db8::/48', true],
  ['2001:db8::1/128', true],
  ['192.0.2.0/33', false],
  ['192.0.2.0/024', false],
  ['192.0.2.0/', false],
  ['192.0.2.0/-1', false],
  ['192.0.2.0/24/24', false],
  ['192.0.2/24', false],
  ['2001:db8::/129', false],
  ['::ffff:192.0.2.0/120', false],
  ['fe80::1%eth0/64', false],
  ['example.com/24', false],
  ['', false],
])('%j is a network: %s', (text, expected) => {
  expect(isNetwork(text)).toBe(expected);
});

test('an address lies in a network or not, to the bit, however it is written', () => {
  const matches = createNetworkMatcher(['192.0.2.128/25', '198.51.100.9', '2001:db8:7::/48']);
  for (const inside of ['192.0.2.128', '192.0.2.255', '::ffff:192.0.2.200', '198.51.100.9', '2001:DB8:7:0:0::1']) {
    expect(matches(inside), inside).toBe(true);
  }
  for (const outside of [
    '192.0.2.127',
    '192.0.3.0',
    '::ffff:192.0.2.1',
    '198.51.100.8',
    '2001:db8:8::',
    '::1',
    'x',
    '',
  ]) {
    expect(matches(outside), outside).toBe(false);
  }
});

test.each([
  ['192.0.2.10', '192.0.2.10'],
  ['192.0.2.10:51234', '192.0.2.10'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:443', 'fe80::1'],
  ['192.0.2.10:', undefined],
  ['192.0.2.10:123456', undefined],
  ['192.0.2.10%eth0', undefined],
  ['[192.0.2.10]:80', undefined],
  ['[2001:db8::1', undefined],
  ['2001:db8::1]:443', undefined],
  ['[2001:db8::1]x', undefined],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['example.com', undefined],
  ['', undefined],
])('in %j the address is %j', (text, expected) => {
  expect(readAddress(text)).toBe(expected);
});
