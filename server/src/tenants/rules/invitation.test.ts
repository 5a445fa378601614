import { expect, test } from 'vitest';
import { isOpen, judgeResend, SENDS_MAX } from './invitation.ts';

const now = new Date('2026-03-02T10:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);

const states: [string, Date, Date | null, Date | null, boolean][] = [
  ['in its last instant', at(1), null, null, true],
  ['at its end', at(0), null, null, false],
  ['accepted', at(1), at(-1), null, false],
  ['revoked', at(1), null, at(-1), false],
];
for (const [name, expiresAt, acceptedAt, revokedAt, expected] of states) {
  test(`an invitation ${name} is ${expected ? 'open' : 'closed'}`, () => {
    expect(isOpen({ expiresAt, acceptedAt, revokedAt }, now)).toBe(expected);
  });
}

const sends: [number, number, string][] = [
  [1, -60_000, 'allowed'],
  [1, -59_999, 'too-soon'],
  [SENDS_MAX - 1, -60_000, 'allowed'],
  [SENDS_MAX, -60_000, 'too-often'],
];
for (const [sentCount, sentMs, kind] of sends) {
  test(`sent ${sentCount} times, last ${-sentMs} ms ago: ${kind}`, () => {
    expect(judgeResend({ sentCount, sentAt: at(sentMs) }, now).kind).toBe(kind);
  });
}
