// Why another company gave no answer, in words that hold nothing of the reply: a parser's own message quotes what it
// read, and what it read is about somebody.

export type FaultReason =
  | 'timeout'
  | 'connection'
  | 'throttled'
  | 'refused'
  | 'unintelligible'
  | 'too-large'
  | 'breaker-open'
  | 'overloaded';

/** Whose fault it is: a provider that refuses one odd request is not down, and must not be treated as if it were. */
export type Blame = 'provider' | 'request';

export class OutsideFault extends Error {
  readonly reason: FaultReason;
  readonly blame: Blame;

  /** `detail` is a fixed phrase or a code of the provider's own table, never a value out of a reply. */
  constructor(reason: FaultReason, detail: string, blame: Blame = 'provider') {
    super(`${reason}: ${detail}`);
    this.name = 'OutsideFault';
    this.reason = reason;
    this.blame = blame;
  }
}

/** For readers of replies: ends the reading of the whole reply. */
export function unintelligible(detail: string): never {
  throw new OutsideFault('unintelligible', detail);
}

/** Whatever a call threw. An abort is the deadline's, whatever error it surfaced as. */
export function toFault(error: unknown, signal?: AbortSignal): OutsideFault {
  if (signal?.aborted) return new OutsideFault('timeout', 'no whole answer before the deadline');
  if (error instanceof OutsideFault) return error;
  // Only the code is kept: the messages of network libraries may quote what was received.
  return new OutsideFault('connection', codeOf(error));
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'failed without a code';
}
