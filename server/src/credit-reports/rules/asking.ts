// When to ask a carrier again about a message without a final status. Pure; ages count from when the message was sent.
// The first query, after ten minutes, is the column's default; silent messages are listed after 72 and 78 hours.
const HOUR_SECONDS = 3_600;
const LONGEST_SECONDS = 12 * HOUR_SECONDS;
/** From this age on, one answer is enough: an hour before the message counts as silent. */
const LAST_LOOK_SECONDS = 71 * HOUR_SECONDS;
const LAST_RETRY_SECONDS = 15 * 60;

export type Asked = {
  /** How often the carrier was asked, this query included. */
  readonly askedCount: number;
  readonly ageSeconds: number;
  /** The carrier answered that it has no final status. */
  readonly isAnswered: boolean;
};

/** After one hour, two, four, eight, then every twelve, and in any case at 71 hours. Undefined: never again. */
export function nextAskAfterSeconds({ askedCount, ageSeconds, isAnswered }: Asked): number | undefined {
  if (ageSeconds >= LAST_LOOK_SECONDS) return isAnswered ? undefined : LAST_RETRY_SECONDS;
  const delay = Math.min(HOUR_SECONDS * 2 ** (askedCount - 1), LONGEST_SECONDS);
  return Math.min(delay, LAST_LOOK_SECONDS - ageSeconds);
}
