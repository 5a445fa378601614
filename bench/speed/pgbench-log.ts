// Reads the transaction log of `pgbench -R rate -l`. With -R, pgbench counts a transaction's time from when it was due
// by its schedule, so it includes the wait for a free client.

export type LoggedTransaction = { readonly dueMs: number; readonly latencyMs: number };

const MICROSECONDS = 1_000;

/** One line: client, transaction, time in µs, script, end in seconds and µs of the epoch, and how late it began in µs. */
export function parseLogLine(line: string): LoggedTransaction {
  const [, , time, , seconds, microseconds] = line.trim().split(' ');
  // pgbench writes "failed" or "skipped" in place of a time: then the engine did not do the measured work.
  if (![time, seconds, microseconds].every((field) => /^\d+$/.test(field ?? '')))
    throw new Error(`pgbench logged a transaction without a time: ${line}`);
  const latencyMs = Number(time) / MICROSECONDS;
  return { latencyMs, dueMs: Number(seconds) * 1_000 + Number(microseconds) / MICROSECONDS - latencyMs };
}

/**
 * Sorted times of the transactions that were due after the warm-up, from the text of all log files of a run. In a short
 * run the warm-up would dominate, since new connections prepare their statements then.
 */
export function readLatenciesMs(text: string, warmUpSeconds: number): Float64Array {
  const transactions = text.split('\n').filter(Boolean).map(parseLogLine);
  const startMs = transactions.reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Number.POSITIVE_INFINITY);
  const steady = transactions.filter(({ dueMs }) => dueMs >= startMs + warmUpSeconds * 1_000);
  return Float64Array.from(steady, ({ latencyMs }) => latencyMs).sort();
}
