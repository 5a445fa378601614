// The challenge as a table: every state, every submit, every resend.
import { expect, test } from 'vitest';
import { type Challenge, LIFETIME_US, REPLAY_US, resend, submitCode } from './challenge.ts';

const open: Challenge = {
  status: 'open',
  attemptsUsed: 0,
  smsSentCount: 1,
  sinceLastSendUs: 0,
  sinceCompletionUs: 0,
  lateAttempts: 0,
};

const submits: [string, Partial<Challenge>, boolean, object][] = [
  ['right code', {}, true, { kind: 'complete' }],
  ['first wrong code', {}, false, { kind: 'retry', attemptsUsed: 1, attemptsRemaining: 2 }],
  ['second wrong code', { attemptsUsed: 1 }, false, { kind: 'retry', attemptsUsed: 2, attemptsRemaining: 1 }],
  ['third wrong code', { attemptsUsed: 2 }, false, { kind: 'failed', attemptsUsed: 3 }],
  ['right code at the third attempt', { attemptsUsed: 2 }, true, { kind: 'complete' }],
  ['right code at the last instant', { sinceLastSendUs: LIFETIME_US }, true, { kind: 'complete' }],
  ['right code one microsecond late', { sinceLastSendUs: LIFETIME_US + 1 }, true, { kind: 'expired' }],
  [
    'third wrong code too late: expired, not failed',
    { attemptsUsed: 2, sinceLastSendUs: LIFETIME_US + 1 },
    false,
    { kind: 'expired' },
  ],
  ['right code after failed', { status: 'failed', attemptsUsed: 3 }, true, { kind: 'failed-before' }],
  ['any code after failed, long ago', { status: 'failed', sinceLastSendUs: 9e12 }, false, { kind: 'failed-before' }],
  ['completing code again', { status: 'complete' }, true, { kind: 'completed-before' }],
  [
    'completing code after the five minutes',
    { status: 'complete', sinceLastSendUs: 9e12 },
    true,
    { kind: 'completed-before' },
  ],
  [
    'completing code at the last instant of the replay',
    { status: 'complete', sinceCompletionUs: REPLAY_US },
    true,
    { kind: 'completed-before' },
  ],
  [
    'completing code after the replay',
    { status: 'complete', sinceCompletionUs: REPLAY_US + 1 },
    true,
    { kind: 'replay-over' },
  ],
  ['another code after completion', { status: 'complete' }, false, { kind: 'closed', lateAttempts: 1 }],
  ['completing code after two others', { status: 'complete', lateAttempts: 2 }, true, { kind: 'completed-before' }],
  ['completing code after three others', { status: 'complete', lateAttempts: 3 }, true, { kind: 'replay-over' }],
];
for (const [name, changes, matches, expected] of submits) {
  test(`submit, ${name}: ${JSON.stringify(expected)}`, () => {
    expect(submitCode({ ...open, ...changes }, matches)).toEqual(expected);
  });
}

const resends: [string, Partial<Challenge>, object][] = [
  ['first resend', {}, { kind: 'sent', smsSentCount: 2, remainingSmsCount: 1 }],
  ['second resend', { smsSentCount: 2 }, { kind: 'sent', smsSentCount: 3, remainingSmsCount: 0 }],
  ['third resend', { smsSentCount: 3 }, { kind: 'limit-reached' }],
  ['at the last instant', { sinceLastSendUs: LIFETIME_US }, { kind: 'sent', smsSentCount: 2, remainingSmsCount: 1 }],
  ['one microsecond late', { sinceLastSendUs: LIFETIME_US + 1 }, { kind: 'expired' }],
  ['expired before the limit is looked at', { smsSentCount: 3, sinceLastSendUs: LIFETIME_US + 1 }, { kind: 'expired' }],
  ['after complete', { status: 'complete' }, { kind: 'closed' }],
  ['after failed, before expiry is looked at', { status: 'failed', sinceLastSendUs: 9e12 }, { kind: 'closed' }],
];
for (const [name, changes, expected] of resends) {
  test(`resend, ${name}: ${JSON.stringify(expected)}`, () => {
    expect(resend({ ...open, ...changes })).toEqual(expected);
  });
}
