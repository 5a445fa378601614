import { expect, test } from 'vitest';
import { parseHost, parseInteger, parseProxies } from './settings.ts';

test.each([
  ['', []],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['192.0.2.1, 2001:db8::/32', ['192.0.2.1', '2001:db8::/32']],
  ['0.0.0.0/0', undefined],
  ['0.0.0.0/1,128.0.0.0/1', undefined],
  ['::/0', undefined],
  ['2000::/3', undefined],
  // Every IPv4 address, written as IPv6.
  ['::ffff:0:0/96', undefined],
  ['10.0.0.0/8,0.0.0.0/0', undefined],
  ['10.0.0.0/99', undefined],
  ['10.0.0.0/', undefined],
  ['10.0.0.0/8/8', undefined],
  ['proxy.example.com', undefined],
])('proxies: %s is %s', (text, expected) => expect(parseProxies(text)).toEqual(expected));

test.each([
  ['127.0.0.1', true],
  ['0.0.0.0', true],
  ['::', true],
  ['node-1.example.com', true],
  ['127.0.0.1:8080', false],
  ['http://127.0.0.1', false],
  ['-', false],
])('a host: %s is %s', (text, expected) => expect(parseHost(text) !== undefined).toBe(expected));

test('whole numbers in their range, and nothing else', () => {
  expect(['0', '10', '11', '-1', '1e1', '1.5', '', ' 1'].map(parseInteger(0, 10))).toEqual([
    0,
    10,
    ...Array(6).fill(undefined),
  ]);
});
