// What happened to a report, in the order of time, from what its rows say (docs/decisions/0231-the-timeline-of-a-report.md).
import type { ChallengeSend, FailureReason, TimelineItem, TimelineKind } from '@trefoil/contract';
import type { ReportStatus } from './report-status.ts';

/** A message; without a state where test mode no longer knows what became of it. */
export type TimelineSend = {
  readonly sentAt: Date;
  readonly state: ChallengeSend['state'] | undefined;
  readonly settledAt: Date | null;
};

export type TimelineLine = {
  readonly kind: 'report-charge' | 'report-refund' | 'sms-charge';
  readonly at: Date;
  readonly credits: number;
  /** Which of the messages, from 1. */
  readonly message: number | undefined;
};

export type TimelineFacts = {
  readonly createdAt: Date;
  readonly status: ReportStatus;
  readonly settledAt: Date | null;
  readonly purgedAt: Date | null;
  /** Undefined for a report that has not failed. */
  readonly failureReason: FailureReason | undefined;
  /** Oldest first. */
  readonly sends: readonly TimelineSend[];
  readonly verifiedAt: Date | undefined;
  readonly lines: readonly TimelineLine[];
};

/** What is said of things that happened at the same instant: in the order in which one leads to the next. */
const ORDER: Readonly<Record<TimelineKind, number>> = {
  requested: 0,
  'report-charged': 1,
  'message-sent': 2,
  'message-delivered': 3,
  'message-undelivered': 3,
  'message-silent': 3,
  'message-charged': 4,
  'code-verified': 5,
  completed: 6,
  blocked: 6,
  failed: 6,
  'report-refunded': 7,
  erased: 8,
};

const LINE_KINDS = {
  'report-charge': 'report-charged',
  'report-refund': 'report-refunded',
  'sms-charge': 'message-charged',
} as const satisfies Record<TimelineLine['kind'], TimelineKind>;

const SEND_KINDS: Readonly<Record<ChallengeSend['state'], TimelineKind | undefined>> = {
  queued: undefined,
  submitted: undefined,
  delivered: 'message-delivered',
  undelivered: 'message-undelivered',
  refused: 'message-undelivered',
  silent: 'message-silent',
};

const item = (kind: TimelineKind, at: Date, more: Partial<TimelineItem> = {}): TimelineItem => ({
  kind,
  at: at.toISOString(),
  ...more,
});

function itemsOfSend({ sentAt, state, settledAt }: TimelineSend, index: number): TimelineItem[] {
  const message = index + 1;
  const sent = item('message-sent', sentAt, { message });
  const kind = state && SEND_KINDS[state];
  return kind && settledAt ? [sent, item(kind, settledAt, { message })] : [sent];
}

/** Undefined while the report is open, also where its challenge has expired and no job has ended it yet. */
function endOf({ status, settledAt, failureReason }: TimelineFacts): TimelineItem | undefined {
  if (settledAt === null) return undefined;
  switch (status) {
    case 'complete':
      return item('completed', settledAt);
    case 'blocked':
      return item('blocked', settledAt);
    case 'failed':
    case 'expired':
      return item('failed', settledAt, failureReason && { failureReason });
    case 'pending':
    case 'challenged':
    case 'fetching':
      return undefined;
  }
}

export function timelineOf(facts: TimelineFacts): TimelineItem[] {
  const items: (TimelineItem | undefined)[] = [
    item('requested', facts.createdAt),
    ...facts.sends.flatMap(itemsOfSend),
    ...facts.lines.map(({ kind, at, credits, message }) =>
      item(LINE_KINDS[kind], at, { credits, ...(message !== undefined && { message }) }),
    ),
    ...(facts.verifiedAt ? [item('code-verified', facts.verifiedAt)] : []),
    endOf(facts),
    facts.purgedAt ? item('erased', facts.purgedAt) : undefined,
  ];
  const happened = items.filter((each) => each !== undefined);
  return happened.toSorted((a, b) => (a.at === b.at ? ORDER[a.kind] - ORDER[b.kind] : a.at < b.at ? -1 : 1));
}
