// How many bureaus a line of a report is for. Pure. The price of a report is a base and a part for each bureau
// (docs/decisions/0055-some-bureaus-answer.md), and the hold has the price of one bureau, so the amount tells the number.
import type { EntryKind } from '@trefoil/contract';

/** Of the report that a line belongs to. */
export type ReportFacts = {
  /** How many bureaus were asked, and how many answered. */
  readonly asked: number;
  readonly answered: number;
  /** What was held for all that were asked, what was charged of it, and the part of one bureau. */
  readonly heldCredits: number;
  readonly chargedCredits: number;
  readonly perBureauCredits: number;
};

/** Undefined facts: no bureau was asked, or not yet. */
export function bureauCount(kind: EntryKind, amount: number, facts: ReportFacts | undefined): number | null {
  if (!facts || (kind !== 'report-charge' && kind !== 'report-refund')) return null;
  const { asked, answered, heldCredits, chargedCredits, perBureauCredits } = facts;
  const isPart = kind === 'report-refund' && amount !== chargedCredits;
  // Bureaus without a price: only the answers are left to count, and all who were asked where none came.
  if (perBureauCredits === 0) return isPart ? asked - answered : answered || asked;
  if (isPart) return Math.round(amount / perBureauCredits);
  return asked - Math.round((heldCredits - chargedCredits) / perBureauCredits);
}
