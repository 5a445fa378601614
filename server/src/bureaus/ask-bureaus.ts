// Asks the chosen bureaus at the same time under one budget, each at most once, and returns the outcome of each. Never
// rejects: one bureau's failure is an outcome of that bureau and affects no other.
import { BUREAUS, type Bureau } from '@trefoil/contract';
import { inSpan } from '../lib/traces/span.ts';
import { toUnavailable } from './bureau-fault.ts';
import type { BureauAdapter, BureauOutcome, BureauWarning, Enquiry, UnavailableReason } from './port.ts';

/** For all bureaus together: the longest a caller waits, however many are asked. */
export const BUDGET_MS = 15_000;

export type BureauAnswer = { readonly bureau: Bureau; readonly outcome: BureauOutcome; readonly timeMs: number };

/** Called for every outcome and every warning, to count them. Gets field names and no values. */
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

export type AskBureaus = (
  enquiry: Enquiry,
  bureaus: readonly Bureau[],
  onEnd?: (bureau: Bureau) => void,
) => Promise<BureauAnswer[]>;

/** Of a report that was begun while the bureau was configured, and goes on after it is not. */
const NOT_CONFIGURED: BureauOutcome = { kind: 'unavailable', reason: 'not-configured' };

/** Answers are in the contract's order of bureaus, whatever order the caller gave. */
export function createAskBureaus(
  adapters: Readonly<Partial<Record<Bureau, BureauAdapter>>>,
  { budgetMs = BUDGET_MS, observer = {} }: AskBureausOptions = {},
): AskBureaus {
  async function askOne(bureau: Bureau, enquiry: Enquiry, signal: AbortSignal): Promise<BureauAnswer> {
    const startedMs = performance.now();
    const asked = adapters[bureau]?.ask(enquiry, signal);
    const outcome = (await asked?.catch((error: unknown) => toUnavailable(error, signal))) ?? NOT_CONFIGURED;
    const timeMs = Math.round(performance.now() - startedMs);
    observe(observer, { bureau, outcome, timeMs });
    return { bureau, outcome, timeMs };
  }

  return (enquiry, bureaus, onEnd) => {
    const signal = AbortSignal.timeout(budgetMs);
    // Filtered from the list of all bureaus, so that a bureau named twice is asked once.
    const chosen = BUREAUS.filter((bureau) => bureaus.includes(bureau));
    return Promise.all(
      chosen.map(async (bureau) => {
        const answer = await inSpan(
          'bureau',
          { peer: 'bureaus', attributes: { 'trefoil.bureau': bureau } },
          async (span) => {
            const asked = await askOne(bureau, enquiry, signal);
            if (span) span.attributes['trefoil.outcome'] = asked.outcome.kind;
            return asked;
          },
        );
        onEnd?.(bureau);
        return answer;
      }),
    );
  };
}

function observe({ onOutcome, onWarning }: BureauObserver, { bureau, outcome, timeMs }: BureauAnswer): void {
  try {
    const reason = outcome.kind === 'unavailable' ? outcome.reason : undefined;
    onOutcome?.({ bureau, kind: outcome.kind, reason, timeMs });
    if (outcome.kind === 'ok') for (const warning of outcome.warnings) onWarning?.({ bureau, ...warning });
  } catch {
    // A failing counter must not lose an answer that was paid for.
  }
}
