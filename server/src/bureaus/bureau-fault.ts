// Faults of outside calls as outcomes of a bureau.
import { OutsideFault as BureauFault, toFault } from '../lib/outside-fault.ts';
import type { BureauOutcome } from './port.ts';

export { OutsideFault as BureauFault, unintelligible } from '../lib/outside-fault.ts';

export type Unavailable = Extract<BureauOutcome, { kind: 'unavailable' }>;

export function unavailable(fault: BureauFault): Unavailable {
  return { kind: 'unavailable', reason: fault.reason, cause: fault };
}

/** Whatever an adapter threw, as an outcome. An abort is the deadline's, whatever error it surfaced as. */
export function toUnavailable(error: unknown, signal?: AbortSignal): Unavailable {
  return unavailable(toFault(error, signal));
}

/** Reads a reply with a reader that throws faults; a reader that breaks in any other way has met garbage. */
export function reading<T>(read: () => T): T | Unavailable {
  try {
    return read();
  } catch (error) {
    return unavailable(error instanceof BureauFault ? error : new BureauFault('unintelligible', 'the reader failed'));
  }
}
