// Asks the chosen bureaus at the same time under one budget, each at most once, and says what came of each. Never
// rejects: what one bureau does is an outcome of that bureau and touches no other.
import { BUREAUS, type Bureau } from '@trefoil/contract';
import { toUnavailable } from './bureau-fault.ts';
import type { BureauAdapter, BureauOutcome, BureauWarning, Enquiry, UnavailableReason } from './port.ts';

/** For all bureaus together: what a caller waits for at most, however many are asked. */
export const BUDGET_MS = 15_000;

export type BureauAnswer = { readonly bureau: Bureau; readonly outcome: BureauOutcome; readonly timeMs: number };

/** Told of every outcome and every warning, to count them. Gets names of fields and no values. */
export type BureauObserver = {
  onOutcome?(event: {
    readonly bureau: Bureau;
    readonly kind: BureauOutcome['kind'];
    readonly reason: UnavailableReason | undefined;
    readonly timeMs: number;
  }): void;
  onWarning?(event: BureauWarning & { readonly bureau: Bureau }): void;
};

export type AskBureausOptions = { readonly budgetMs?: number; readonly observer?: BureauObserver };

export type AskBureaus = (enquiry: Enquiry, bureaus: readonly Bureau[]) => Promise<BureauAnswer[]>;

/** Answers come in the contract's order of bureaus, whatever order they were asked in. */
export function createAskBureaus(
  adapters: Readonly<Record<Bureau, BureauAdapter>>,
  { budgetMs = BUDGET_MS, observer = {} }: AskBureausOptions = {},
): AskBureaus {
  async function askOne(bureau: Bureau, enquiry: Enquiry, signal: AbortSignal): Promise<BureauAnswer> {
    const startedMs = performance.now();
    const outcome = await adapters[bureau].ask(enquiry, signal).catch((error: unknown) => toUnavailable(error, signal));
    const timeMs = Math.round(performance.now() - startedMs);
    observe(observer, { bureau, outcome, timeMs });
    return { bureau, outcome, timeMs };
  }

  return (enquiry, bureaus) => {
    const signal = AbortSignal.timeout(budgetMs);
    // By the list of all bureaus, so that one named twice is asked once.
    const chosen = BUREAUS.filter((bureau) => bureaus.includes(bureau));
    return Promise.all(chosen.map((bureau) => askOne(bureau, enquiry, signal)));
  };
}

function observe({ onOutcome, onWarning }: BureauObserver, { bureau, outcome, timeMs }: BureauAnswer): void {
  try {
    const reason = outcome.kind === 'unavailable' ? outcome.reason : undefined;
    onOutcome?.({ bureau, kind: outcome.kind, reason, timeMs });
    if (outcome.kind === 'ok') for (const warning of outcome.warnings) onWarning?.({ bureau, ...warning });
  } catch {
    // A counter that fails must not cost an answer that was paid for.
  }
}
