import { expect, test } from 'vitest';
import { decide } from './rules.ts';

const QUIET = '192.0.2.10';
const rows = [
  // e-mail, address, expected, first reason
  ['allow@example.com', QUIET, 'allow', 'email-says-allow'],
  ['Allow.ada@example.com', QUIET, 'allow', 'email-says-allow'],
  ['allow@example.com', '203.0.113.9', 'allow', 'email-says-allow'], // the e-mail comes before the network
  ['challenge-7@example.org', QUIET, 'challenge', 'email-says-challenge'],
  ['challenge@example.org', '203.0.113.9', 'challenge', 'email-says-challenge'],
  ['block+1@example.com', QUIET, 'block', 'email-says-block'],
  ['BLOCK@example.com', '198.51.100.1', 'block', 'email-says-block'],
  ['screening-down@example.com', QUIET, 'down', undefined],
  ['screening-down-2@example.com', '203.0.113.9', 'down', undefined],
  ['ada@block.example.com', QUIET, 'allow', 'nothing-found'], // only the part before the @
  ['unblock@example.com', QUIET, 'allow', 'nothing-found'], // only its beginning
  ['screening@example.com', QUIET, 'allow', 'nothing-found'],
  ['ada@example.com', '203.0.113.0', 'block', 'network-banned'],
  [null, '203.0.113.255', 'block', 'network-banned'],
  [null, '::ffff:203.0.113.7', 'block', 'network-banned'],
  [null, '203.0.112.255', 'allow', 'nothing-found'],
  [null, '203.0.114.0', 'allow', 'nothing-found'],
  [null, '198.51.100.0', 'challenge', 'network-suspect'],
  ['ada@example.com', '198.51.100.255', 'challenge', 'network-suspect'],
  [null, '198.51.101.0', 'allow', 'nothing-found'],
  [null, '2001:db8::1', 'allow', 'nothing-found'],
  [null, QUIET, 'allow', 'nothing-found'],
] as const;

for (const [email, ipAddress, expected, reason] of rows) {
  test(`${email ?? 'no e-mail'} from ${ipAddress}: ${expected}`, () => {
    const verdict = decide({ email, ipAddress, hasDevice: true });
    expect(verdict).toEqual(
      expected === 'down' ? { kind: 'down' } : { kind: 'decided', decision: expected, reasons: [reason] },
    );
  });
}

test('a request without a device says so beside its reason, and is decided alike', () => {
  expect(decide({ email: null, ipAddress: '203.0.113.9', hasDevice: false })).toEqual({
    kind: 'decided',
    decision: 'block',
    reasons: ['network-banned', 'device-unknown'],
  });
});
