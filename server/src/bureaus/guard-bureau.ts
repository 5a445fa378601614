// Isolates one bureau's failures with the guard of lib/outside/guard-calls.ts. There is deliberately no retry here or
// anywhere below: a second enquiry leaves a second search on the consumer's file and costs twice, and after a failure
// we cannot tell whether the first was made.
import { createGuard, type GuardOptions } from '../lib/outside/guard-calls.ts';
import { unavailable } from './bureau-fault.ts';
import type { BureauAdapter, BureauOutcome } from './port.ts';

export type { GuardOptions } from '../lib/outside/guard-calls.ts';

/** The same adapter, guarded: it always ends by the deadline and never rejects. */
export function guardBureau(adapter: BureauAdapter, options: GuardOptions): BureauAdapter {
  const guard = createGuard<BureauOutcome>(options, {
    toOutcome: unavailable,
    // `ok` and `no-trace` are answers.
    faultOf: (outcome) => (outcome.kind === 'unavailable' ? (outcome.cause ?? outcome.reason) : undefined),
  });
  return { ask: (enquiry, callerSignal) => guard((signal) => adapter.ask(enquiry, signal), callerSignal) };
}
