import { expect, test } from 'vitest';
import { nearestStranger } from './visitor-address.ts';

const isTrusted = (address: string) => address.startsWith('10.');

const cases: [string, readonly string[], string][] = [
  ['nobody in between', ['192.0.2.1'], '192.0.2.1'],
  ['a stranger that tells of others is the one that counts', ['192.0.2.1', '203.0.113.9'], '192.0.2.1'],
  ['behind one proxy', ['10.0.0.1', '192.0.2.1'], '192.0.2.1'],
  [
    'behind two proxies, with an invented address in front',
    ['10.0.0.1', '10.0.0.2', '192.0.2.1', '10.9.9.9'],
    '192.0.2.1',
  ],
  ['only proxies: the farthest', ['10.0.0.1', '10.0.0.2'], '10.0.0.2'],
  ['told with ports', ['10.0.0.1', '10.0.0.2:80', '192.0.2.1:51234'], '192.0.2.1'],
  ['told in brackets', ['10.0.0.1', '[2001:db8::1]:443'], '2001:db8::1'],
  ['told no address: the proxy that wrote it', ['10.0.0.1', '10.0.0.2', 'unknown', '192.0.2.1'], '10.0.0.2'],
  ['a stranger’s own words are not looked at', ['192.0.2.1', 'unknown'], '192.0.2.1'],
  ['a neighbour on the link', ['fe80::1%eth0'], 'fe80::1'],
];

test.each(cases)('%s', (_name, hops, expected) => {
  expect(nearestStranger(hops, isTrusted)).toBe(expected);
});
