// Why another company gave no answer, without any part of the reply: a parser's message quotes its input, and the input
// is about a person.

export type FaultReason =
  | 'timeout'
  | 'connection'
  | 'throttled'
  | 'refused'
  | 'unintelligible'
  | 'too-large'
  | 'breaker-open'
  | 'overloaded';

/** Who is at fault: a provider that refuses one odd request is not down, and must not be treated as down. */
export type Blame = 'provider' | 'request';

export class OutsideFault extends Error {
  readonly reason: FaultReason;
  readonly blame: Blame;
  readonly detail: string;

  /** `detail` is a fixed phrase or a code of the provider's own table, never a value from a reply. */
  constructor(reason: FaultReason, detail: string, blame: Blame = 'provider') {
    super(`${reason}: ${detail}`);
    this.name = 'OutsideFault';
    this.reason = reason;
    this.blame = blame;
    this.detail = detail;
  }
}

/** For code that parses replies: rejects the whole reply. */
export function unintelligible(detail: string): never {
  throw new OutsideFault('unintelligible', detail);
}

/** Takes any error that a call threw. After an abort the cause is the deadline, whatever the error. */
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
