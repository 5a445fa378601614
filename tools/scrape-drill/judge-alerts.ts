// Which alerts of a drill are findings. Pure: the drill collects every alert that fired or was handed on, not those of a moment.

/** A busy machine fires these too: on one that was measured as disturbed they are told and judge nothing. */
const OF_THE_MACHINE = new Set([
  'TrefoilEventLoopSlow',
  'TrefoilOwnTimeSlow',
  'TrefoilReportsSlow',
  'TrefoilPostgresConnections',
  'TrefoilPostgresLongTransaction',
  // A node waits a tenth of a second for Redis.
  'TrefoilRedisDown',
]);
/** These ask whether a job ran that rests for up to 36 s. Where the windows are shorter, promtool alone judges them. */
const OF_LONG_RESTS = new Set([
  'TrefoilSettlementLate',
  'TrefoilWebhooksBehind',
  'TrefoilWebhooksLate',
  'TrefoilEventsNotHandedOut',
]);
/** With a scrape before it and one behind it. */
const LONG_REST_SECONDS = 40;

/** Until every window of a rule is full, and holds a run of each job where it can. */
export const settlingSeconds = (windowSeconds: number) =>
  windowSeconds + (windowSeconds > LONG_REST_SECONDS ? LONG_REST_SECONDS : 0);

type Surroundings = {
  readonly expected: readonly string[];
  readonly windowSeconds: number;
  readonly isNoisy: boolean;
};

export type Judged = { readonly unexpected: readonly string[]; readonly excused: readonly string[] };

export function judgeAlerts(fired: readonly string[], { expected, windowSeconds, isNoisy }: Surroundings): Judged {
  const names = [...new Set(fired)].filter((name) => !expected.includes(name)).toSorted();
  const isExcused = (name: string) =>
    (isNoisy && OF_THE_MACHINE.has(name)) || (windowSeconds <= LONG_REST_SECONDS && OF_LONG_RESTS.has(name));
  return {
    unexpected: names.filter((name) => !isExcused(name)),
    excused: names.filter(isExcused),
  };
}
