// What happened to the messages and the money of a test report, and when. Pure.
import type { TestReceipt } from '@trefoil/contract';
import type { TimelineLine, TimelineSend } from '../../rules/timeline.ts';
import { stateOf } from './test-message.ts';

type TestReport = {
  readonly createdAt: Date;
  readonly settledAt: Date | null;
  readonly hasChallenge: boolean;
  readonly resentAt: readonly Date[] | null;
};

const later = (a: Date, b: Date) => (a > b ? a : b);

/** Test mode sends nothing. `asked` is what the request says of the carrier's receipt; undefined where it is erased. */
export function testCourse(
  { createdAt, settledAt, hasChallenge, resentAt }: TestReport,
  asked: { readonly receipt: TestReceipt | undefined } | undefined,
  found: readonly TimelineLine[],
): { readonly sends: readonly TimelineSend[]; readonly lines: readonly TimelineLine[] } {
  const sentAt = hasChallenge ? [createdAt, ...(resentAt ?? [])] : [];
  // All of it happens at once, but the clock goes on between two statements: a line gets the time of what it follows from.
  const lines = found.map((line) => {
    const { kind, message = 0, at: writtenAt } = line;
    const at = kind === 'report-charge' ? createdAt : later(writtenAt, sentAt[message - 1] ?? createdAt);
    return { ...line, at: settledAt && settledAt < at ? settledAt : at };
  });
  const sends = sentAt.map((at, index): TimelineSend => {
    const charge = lines.find(({ message }) => message === index + 1);
    // A message is charged when it arrives, and the right code proves of one without a receipt that it did.
    if (charge) return { sentAt: at, state: 'delivered', settledAt: charge.at };
    return { sentAt: at, state: asked && stateOf(asked.receipt), settledAt: asked?.receipt === 'never' ? null : at };
  });
  return { sends, lines };
}
