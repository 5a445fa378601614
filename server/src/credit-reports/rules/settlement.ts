// How a step of work on a live report can end, and what each ending does to its status, its money and its events: the
// state table of docs/decisions/0050-when-the-report-is-charged.md as a function. No amounts here: they are in the hold.
import type { EventType } from './event-type.ts';
import type { ReportStatus } from './report-status.ts';

/**
 * Why a report failed; short names for the cases of docs/decisions/0033-challenge-not-deliverable.md,
 * 0034-device-sessions.md, 0045-budgets-and-lease.md and 0055-some-bureaus-answer.md.
 * `reservation-late`: our own reservation was committed too late for the rest, and nobody was asked.
 */
export type Failure =
  | 'screening-unavailable'
  | 'device-not-verified'
  | 'not-deliverable'
  | 'no-bureau-answered'
  | 'interrupted'
  | 'reservation-late'
  | 'attempts-used'
  | 'expired';

export type OpenStatus = 'pending' | 'challenged' | 'fetching';

export type Ending = 'complete' | 'challenge' | 'blocked' | 'failed' | 'expired';

export type Effects = {
  readonly status: ReportStatus;
  /**
   * What happens to the report's hold or charge: `capture` the part that was answered, `void` the hold, or `refund` the
   * whole charge or only the part of the bureaus that did not answer.
   */
  readonly money: 'capture' | 'void' | 'refund-all' | 'refund-unanswered';
  /** The hold for the first message, taken with the report's. Only a challenge uses it. */
  readonly firstSend: 'keep' | 'void';
  /** The first is the action of the audit row. */
  readonly events: readonly [Extract<EventType, `report.${string}`>, ...EventType[]];
};

const TABLE: Readonly<Record<OpenStatus, Partial<Record<Ending, Effects>>>> = {
  pending: {
    complete: {
      status: 'complete',
      money: 'capture',
      firstSend: 'void',
      events: ['report.completed', 'wallet.charged'],
    },
    challenge: {
      status: 'challenged',
      money: 'capture',
      firstSend: 'keep',
      events: ['report.challenged', 'wallet.charged', 'challenge.sent'],
    },
    blocked: { status: 'blocked', money: 'void', firstSend: 'void', events: ['report.blocked'] },
    failed: { status: 'failed', money: 'void', firstSend: 'void', events: ['report.failed'] },
  },
  // The first message is unaffected: its own receipt, a right code or 72 hours of silence settle it.
  challenged: {
    failed: { status: 'failed', money: 'refund-all', firstSend: 'keep', events: ['report.failed', 'wallet.refunded'] },
    expired: {
      status: 'expired',
      money: 'refund-all',
      firstSend: 'keep',
      events: ['report.expired', 'wallet.refunded'],
    },
  },
  fetching: {
    complete: { status: 'complete', money: 'refund-unanswered', firstSend: 'keep', events: ['report.completed'] },
    failed: { status: 'failed', money: 'refund-all', firstSend: 'keep', events: ['report.failed', 'wallet.refunded'] },
  },
};

/** Throws for a pair that is not in the table: it is a fault of ours and must move no credits. */
export function effectsOf(from: OpenStatus, ending: Ending): Effects {
  const effects = TABLE[from][ending];
  if (!effects) throw new Error(`a ${from} report cannot end as ${ending}`);
  return effects;
}

/** The price of the bureaus that answered, out of the price that was held (docs/decisions/0055-some-bureaus-answer.md). */
export function priceOfAnswered(hold: { amount: number; perBureau: number }, unanswered: number): number {
  return hold.amount - hold.perBureau * unanswered;
}
