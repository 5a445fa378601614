// How many mails of one kind there may be on one day (UTC). Pure.

/** Notices of one kind for one company. */
const NOTICES_MAX = 200;
/** Mails about credentials to one person from one company; not part of NOTICES_MAX. */
const TOLD_MAX = 20;

/** Of so many notices, how many are sent when so many were taken before. */
export const noticesLeft = (taken: number): number => Math.max(0, NOTICES_MAX - taken);

/**
 * The last mail of a person's day says that there is more than they are told. Those before it say one change each, and are dropped when the
 * change is undone before they are sent: without the last one, a member could use up the day with what is undone at once.
 */
export function toldOf(taken: number): 'change' | 'busy' | 'nothing' {
  if (taken < TOLD_MAX - 1) return 'change';
  return taken === TOLD_MAX - 1 ? 'busy' : 'nothing';
}
