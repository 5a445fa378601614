// What ends a stretch of work on a live report, and what that does to its status, its money and the world that is told:
// the state table of docs/decisions/0050 as a function. No amounts here: those stand in the hold.
import type { EventType } from '../../events/append-events.ts';
import type { ReportStatus } from './report-status.ts';

/** Why a report failed; the words of docs/decisions/0033, 0034, 0045 and 0055 in short. */
export type Failure =
  | 'screening-unavailable'
  | 'device-not-verified'
  | 'not-deliverable'
  | 'no-bureau-answered'
  | 'interrupted'
  | 'attempts-used'
  | 'expired';

export type OpenStatus = 'pending' | 'challenged' | 'fetching';

export type Ending = 'complete' | 'challenge' | 'blocked' | 'failed' | 'expired';

export type Effects = {
  readonly status: ReportStatus;
  /**
   * The report's hold or charge: `capture` what was answered, `void` the hold, `refund` all of the charge or only the
   * part of the bureaus that did not answer.
   */
  readonly money: 'capture' | 'void' | 'refund-all' | 'refund-unanswered';
  /** The hold of the first message, taken with the report's. Only a challenge uses it. */
  readonly firstSend: 'keep' | 'void';
  readonly events: readonly EventType[];
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
      events: ['wallet.charged', 'challenge.sent'],
    },
    blocked: { status: 'blocked', money: 'void', firstSend: 'void', events: ['report.blocked'] },
    failed: { status: 'failed', money: 'void', firstSend: 'void', events: ['report.failed'] },
  },
  // The first message stays what it became: its own receipt, a right code or 72 hours decide about it.
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

/** Throws for what the table does not have: such a request is a fault of ours and must move nothing. */
export function effectsOf(from: OpenStatus, ending: Ending): Effects {
  const effects = TABLE[from][ending];
  if (!effects) throw new Error(`a ${from} report cannot end as ${ending}`);
  return effects;
}

/** What the bureaus that answered cost, out of the price that was held (docs/decisions/0055). */
export function priceOfAnswered(hold: { amount: number; perBureau: number }, unanswered: number): number {
  return hold.amount - hold.perBureau * unanswered;
}
