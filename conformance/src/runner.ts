// Runs rows: the slow ones all at once from the start, the fast ones a few at a time beside them, and those that use
// up the rate limit last and alone.
import { Mismatch } from './expect.ts';
import { type Context, type Row, Skip } from './row.ts';
import { Api, type Session } from './session.ts';

const CONCURRENCY = 4;

export type Result = {
  readonly id: string;
  readonly title: string;
  readonly pins: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
};

export type Run = {
  readonly session: Session;
  readonly other: Session | undefined;
  readonly slow: boolean;
  readonly progress: (line: string) => void;
};

/** The results in the order of the rows. */
export async function runRows(rows: readonly Row[], run: Run): Promise<Result[]> {
  const results = new Map<Row, Result>();
  const settle = async (row: Row) => {
    const result = await runRow(row, run);
    results.set(row, result);
    if (result.status === 'failed') run.progress(`failed: ${row.id}`);
  };
  const slow = rows.filter((row) => row.pace === 'slow');
  const waiting = run.slow && slow.length > 0 ? showWaiting(slow, results, run.progress) : undefined;
  await Promise.all([
    ...slow.map(settle),
    inTurn(
      rows.filter((row) => row.pace === undefined),
      settle,
    ),
  ]);
  clearInterval(waiting);
  for (const row of rows.filter(({ pace }) => pace === 'alone')) await settle(row);
  return rows.flatMap((row) => results.get(row) ?? []);
}

async function inTurn(rows: readonly Row[], settle: (row: Row) => Promise<void>): Promise<void> {
  const queue = rows.values();
  const lane = async () => {
    for (const row of queue) await settle(row);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
}

async function runRow(row: Row, run: Run): Promise<Result> {
  const { id, title, pins } = row;
  const skipped = (detail: string): Result => ({ id, title, pins, status: 'skipped', detail });
  if (row.pace === 'slow' && !run.slow) return skipped('runs with --slow');
  const api = new Api(run.session);
  const second = run.other && new Api(run.other);
  const other = () => {
    if (!second) throw new Skip('needs --other-tenant, --other-client-id and --other-client-secret');
    return second;
  };
  const context: Context = { api, other };
  const repeated = () => [api, second].flatMap((each) => each?.repeated ?? []);
  try {
    await row.run(context);
    return { id, title, pins, status: 'passed', detail: '' };
  } catch (error) {
    if (error instanceof Skip) return skipped(error.message);
    const what = error instanceof Mismatch ? error.message : `could not be checked: ${describe(error)}`;
    const exchanges = [api.lastExchange, second?.lastExchange].filter(Boolean);
    return {
      id,
      title,
      pins,
      status: 'failed',
      detail: [
        what,
        ...exchanges.map((line) => `last: ${line}`),
        ...repeated().map((line) => `sent again: ${line}`),
      ].join('\n'),
    };
  } finally {
    for (const line of repeated()) run.progress(`the service was busy, ${id}: ${line}`);
  }
}

export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch hides the reason (refused, reset, timed out) in the cause.
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

function showWaiting(slow: readonly Row[], results: ReadonlyMap<Row, Result>, progress: (line: string) => void) {
  const startedAt = performance.now();
  progress(`${slow.length} slow rows wait out the five minutes`);
  return setInterval(() => {
    const left = slow.filter((row) => !results.has(row)).length;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    progress(`${elapsed}, ${left} of ${slow.length} slow rows still waiting`);
  }, 30_000);
}
