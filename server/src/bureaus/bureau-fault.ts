// Faults of outside calls as outcomes of a bureau.
import { OutsideFault as BureauFault, toFault } from '../lib/outside/outside-fault.ts';
import type { Unavailable } from './port.ts';

export { OutsideFault as BureauFault, unintelligible } from '../lib/outside/outside-fault.ts';

export function unavailable(fault: BureauFault): Unavailable {
  return { kind: 'unavailable', reason: fault.reason, cause: fault };
}

/** Turns any error of an adapter into an outcome. After an abort the cause is the deadline, whatever the error. */
export function toUnavailable(error: unknown, signal?: AbortSignal): Unavailable {
  return unavailable(toFault(error, signal));
}

/** Runs a reader that throws faults; any other error of a reader means that the reply was garbage. */
export function reading<T>(read: () => T): T | Unavailable {
  try {
    return read();
  } catch (error) {
    return unavailable(error instanceof BureauFault ? error : new BureauFault('unintelligible', 'the reader failed'));
  }
}
