// Runs checks side by side, each with its own time limit: whatever hangs, the others are told, and every check has a result.
import { type Finding, fail } from './rules/finding.ts';
import { meaningOf } from './rules/outside.ts';

export type Check = {
  readonly name: string;
  /** What is looked at, as the beginning of a sentence: `Redis` refuses connections. */
  readonly subject: string;
  /** For a check that cannot be made: what to do, and where to read on. */
  readonly todo: string;
  readonly see: string;
  readonly limitMs?: number;
  /** What it found when its time runs out, where that is no fault of what is looked at. */
  readonly late?: Finding;
  /** The signal aborts at the time limit. */
  run(signal: AbortSignal): Promise<Finding>;
};

export type Result = Finding & { readonly name: string; readonly timeMs: number };

export const LIMIT_MS = 8_000;

/** A statement that took too long, and an answer that did not come. */
const OUT_OF_TIME = ['57014', 'ETIMEDOUT'];

/** A word that Redis or a library begins its message with; nothing else of a message is told. */
const FIRST_WORD = /^([A-Z]{4,})\b/;

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'ETIMEDOUT';
  if (typeof code === 'string') return code;
  // Before its cause: a connection that we gave up also counts as broken.
  if (/time(d )?out/i.test(error.message)) return 'ETIMEDOUT';
  if (cause instanceof Error) return codeOf(cause);
  if (/Connection terminated|Connection is closed/.test(error.message)) return 'ECONNRESET';
  return FIRST_WORD.exec(error.message)?.[1] ?? error.name;
}

export async function runCheck({ name, subject, todo, see, limitMs = LIMIT_MS, late, run }: Check): Promise<Result> {
  const beganMs = performance.now();
  const limit = new AbortController();
  const overdue = Promise.withResolvers<Finding>();
  const timer = setTimeout(() => {
    limit.abort();
    overdue.resolve(late ?? fail(`${subject} gave no answer within ${limitMs / 1_000} seconds.`, todo, see));
  }, limitMs);
  const asked = run(limit.signal).catch((error: unknown) => {
    const code = codeOf(error);
    return late && OUT_OF_TIME.includes(code) ? late : fail(`${subject} ${meaningOf(code)}.`, todo, see);
  });
  const finding = await Promise.race([asked, overdue.promise]);
  clearTimeout(timer);
  return { name, ...finding, timeMs: Math.round(performance.now() - beganMs) };
}

export const runChecks = (checks: readonly Check[]): Promise<Result[]> => Promise.all(checks.map(runCheck));
