// Twilio's connection overrides: the fragment of a callback's address says how long the carrier waits for a response and
// when it repeats a receipt. The fragment is neither sent nor signed.

/** `ct`: no connection in time. `rt`: a connection, but no response in time. */
export type Failure = '4xx' | '5xx' | 'ct' | 'rt';

export type Overrides = {
  readonly connectMs: number;
  readonly readMs: number;
  /** For all attempts together. */
  readonly totalMs: number;
  /** How often a receipt is repeated. */
  readonly retries: number;
  readonly policy: ReadonlySet<Failure>;
};

const FAILURES: readonly Failure[] = ['4xx', '5xx', 'ct', 'rt'];
/** Minimum, maximum, and the default where the fragment gives no value. */
const NUMBERS = {
  ct: [100, 10_000, 5_000],
  rt: [100, 15_000, 15_000],
  tt: [100, 15_000, 15_000],
  rc: [0, 5, 1],
} as const;

/** Undefined when it is not in the form of overrides. */
export function readOverrides(fragment: string): Overrides | undefined {
  const given = new URLSearchParams(fragment);
  const number = (name: keyof typeof NUMBERS): number => {
    const [min, max, usual] = NUMBERS[name];
    const text = given.get(name);
    if (text === null) return usual;
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : Number.NaN;
  };
  const words = (given.get('rp') ?? 'ct').split(',');
  const policy = words.includes('all') ? FAILURES : FAILURES.filter((failure) => words.includes(failure));
  const isKnown = words.every((word) => word === 'all' || FAILURES.some((failure) => failure === word));
  const read = { connectMs: number('ct'), readMs: number('rt'), totalMs: number('tt'), retries: number('rc') };
  const names = [...Object.keys(NUMBERS), 'rp', 'e', 'sni'];
  if (!isKnown || Object.values(read).some(Number.isNaN) || [...given.keys()].some((name) => !names.includes(name)))
    return undefined;
  return { ...read, policy: new Set(policy) };
}

/** An HTTP status, or why there is none. */
export type Answer = number | 'ct' | 'rt';

export function isToldAgain({ policy }: Overrides, answer: Answer): boolean {
  if (typeof answer === 'string') return policy.has(answer);
  if (answer >= 400 && answer <= 499) return policy.has('4xx');
  return answer >= 500 && policy.has('5xx');
}
