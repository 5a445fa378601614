// Why a bureau gave no answer, in words that hold nothing of the reply: a parser's own message quotes what it read, and
// what it read is somebody's credit file.
import type { BureauOutcome, UnavailableReason } from './port.ts';

/** Whose fault it is: a bureau that refuses one odd request is not down, and must not be treated as if it were. */
export type Blame = 'bureau' | 'request';

export class BureauFault extends Error {
  readonly reason: UnavailableReason;
  readonly blame: Blame;

  /** `detail` is a fixed phrase or a code of the bureau's own table, never a value out of a reply. */
  constructor(reason: UnavailableReason, detail: string, blame: Blame = 'bureau') {
    super(`${reason}: ${detail}`);
    this.name = 'BureauFault';
    this.reason = reason;
    this.blame = blame;
  }
}

export type Unavailable = Extract<BureauOutcome, { kind: 'unavailable' }>;

export function unavailable(fault: BureauFault): Unavailable {
  return { kind: 'unavailable', reason: fault.reason, cause: fault };
}

/** For readers of replies: ends the reading of the whole file. */
export function unintelligible(detail: string): never {
  throw new BureauFault('unintelligible', detail);
}

/** Whatever an adapter threw, as an outcome. An abort is the deadline's, whatever error it surfaced as. */
export function toUnavailable(error: unknown, signal?: AbortSignal): Unavailable {
  if (signal?.aborted) return unavailable(new BureauFault('timeout', 'no whole answer before the deadline'));
  if (error instanceof BureauFault) return unavailable(error);
  // Only the code is kept: the messages of network libraries may quote what was received.
  return unavailable(new BureauFault('connection', codeOf(error)));
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'failed without a code';
}

/** Reads a reply with a reader that throws faults; a reader that breaks in any other way has met garbage. */
export function reading<T>(read: () => T): T | Unavailable {
  try {
    return read();
  } catch (error) {
    return unavailable(error instanceof BureauFault ? error : new BureauFault('unintelligible', 'the reader failed'));
  }
}
