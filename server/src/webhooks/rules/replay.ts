// Replays: which times can be asked for, which events they are about, and how far one is. Pure: the time comes in.
import type { WebhookReplay } from '@trefoil/contract';
import type { ReplayColumns } from '../endpoint-store.ts';

type Times = { readonly since: Date; readonly until?: Date | null | undefined };

/** The clocks of clients differ from ours: what is ahead by less is not the future. */
const AHEAD_MS = 60_000;

export function findTimeFaults({ since, until }: Times, now: Date): { path: string; message: string }[] {
  const isAhead = (at: Date) => at.getTime() > now.getTime() + AHEAD_MS;
  const faults = [];
  if (isAhead(since)) faults.push({ path: '/since', message: 'Use a time that has passed.' });
  if (until && isAhead(until)) {
    faults.push({ path: '/until', message: 'Use a time that has passed, or leave it out for all events.' });
  }
  if (until && until <= since) faults.push({ path: '/until', message: 'Use a time after since.' });
  return faults;
}

/** From `since` on and before `until`. */
export const isWithin = ({ since, until }: Times, happenedAt: Date): boolean =>
  happenedAt >= since && (!until || happenedAt < until);

/** An event that was looked at, as a time between the two ends; undefined while it is before the first. */
export function reachedOf({ since, until }: Times, happenedAt: Date | undefined): Date | undefined {
  if (!happenedAt || happenedAt < since) return undefined;
  return until && happenedAt > until ? until : happenedAt;
}

/** Null where there was none. */
export function toReplay(row: ReplayColumns): WebhookReplay | null {
  const { isReplaying, replayAskedSince: since, replayBegunAt: begunAt } = row;
  if (!since || !begunAt) return null;
  return {
    status: isReplaying ? 'running' : 'ended',
    since: since.toISOString(),
    until: row.replayUntil?.toISOString() ?? null,
    onlyFailed: row.replayOnlyFailed,
    startedAt: begunAt.toISOString(),
    reachedAt: row.replayReachedAt?.toISOString() ?? null,
    queued: row.replayQueued,
  };
}
