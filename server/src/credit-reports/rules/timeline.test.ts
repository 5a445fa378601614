import { TIMELINE_KINDS, type TimelineItem } from '@trefoil/contract';
import { expect, test } from 'vitest';
import { type TimelineFacts, type TimelineSend, timelineOf } from './timeline.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 2, 10, 15, seconds));
const REQUESTED: TimelineFacts = {
  createdAt: at(0),
  status: 'pending',
  settledAt: null,
  purgedAt: null,
  failureReason: undefined,
  sends: [],
  verifiedAt: undefined,
  lines: [],
};
const words = (items: readonly TimelineItem[]) =>
  items.map(({ kind, at: when, message, credits, failureReason }) =>
    [new Date(when).getUTCSeconds(), kind, message, credits, failureReason]
      .filter((each) => each !== undefined)
      .join(' '),
  );
const send = (state: TimelineSend['state'], settledAt: Date | null = at(2)): TimelineSend => ({
  sentAt: at(1),
  state,
  settledAt,
});

const rows: [string, Partial<TimelineFacts>, string[]][] = [
  ['in progress', {}, []],
  ['complete', { status: 'complete', settledAt: at(3) }, ['3 completed']],
  ['blocked', { status: 'blocked', settledAt: at(3) }, ['3 blocked']],
  [
    'failed',
    { status: 'failed', settledAt: at(3), failureReason: 'no-bureau-answered' },
    ['3 failed no-bureau-answered'],
  ],
  ['expired', { status: 'expired', settledAt: at(3), failureReason: 'expired' }, ['3 failed expired']],
  // Over by the time, and no job has ended it.
  ['an expired challenge that is open', { status: 'challenged', failureReason: 'expired' }, []],
  ['erased', { status: 'blocked', settledAt: at(3), purgedAt: at(4) }, ['3 blocked', '4 erased']],
  ['a message on its way', { status: 'challenged', sends: [send('submitted', null)] }, ['1 message-sent 1']],
  ['a queued message', { status: 'challenged', sends: [send('queued', null)] }, ['1 message-sent 1']],
  ['delivered', { sends: [send('delivered')] }, ['1 message-sent 1', '2 message-delivered 1']],
  ['undelivered', { sends: [send('undelivered')] }, ['1 message-sent 1', '2 message-undelivered 1']],
  ['refused', { sends: [send('refused')] }, ['1 message-sent 1', '2 message-undelivered 1']],
  ['silent', { sends: [send('silent')] }, ['1 message-sent 1', '2 message-silent 1']],
  ['a message whose state is erased', { sends: [send(undefined)] }, ['1 message-sent 1']],
  [
    'everything at one instant, in the order in which one leads to the next',
    {
      status: 'complete',
      settledAt: at(0),
      purgedAt: at(0),
      verifiedAt: at(0),
      sends: [{ sentAt: at(0), state: 'delivered', settledAt: at(0) }],
      lines: [
        { kind: 'report-refund', at: at(0), credits: 600, message: undefined },
        { kind: 'sms-charge', at: at(0), credits: 40, message: 1 },
        { kind: 'report-charge', at: at(0), credits: 2_000, message: undefined },
      ],
    },
    [
      '0 report-charged 2000',
      '0 message-sent 1',
      '0 message-delivered 1',
      '0 message-charged 1 40',
      '0 code-verified',
      '0 completed',
      '0 report-refunded 600',
      '0 erased',
    ],
  ],
];
for (const [name, facts, expected] of rows) {
  test(name, () => {
    expect(words(timelineOf({ ...REQUESTED, ...facts }))).toEqual(['0 requested', ...expected]);
  });
}

test('later messages have their number, whenever their receipts come', () => {
  const sends = [send('delivered', at(9)), { sentAt: at(5), state: 'delivered', settledAt: at(6) } as const];
  expect(words(timelineOf({ ...REQUESTED, sends }))).toEqual([
    '0 requested',
    '1 message-sent 1',
    '5 message-sent 2',
    '6 message-delivered 2',
    '9 message-delivered 1',
  ]);
});

test('the table above has every kind', () => {
  const shown = rows.flatMap(([, facts]) => timelineOf({ ...REQUESTED, ...facts }).map(({ kind }) => kind));
  expect([...new Set(shown)].toSorted()).toEqual(TIMELINE_KINDS.toSorted());
});
