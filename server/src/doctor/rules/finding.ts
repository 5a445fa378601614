// What a check found, in words for an operator. A reason names roles, tables, settings and ids of keys, never a value of a
// setting that may be secret and nothing about a person.
export type Status = 'ok' | 'warn' | 'fail' | 'skip';

export type Finding = {
  readonly status: Status;
  readonly reason: string;
  /** What to do about it; absent where nothing needs doing. */
  readonly todo?: string;
  /** The section of the documents that says more. */
  readonly see?: string;
};

export const ok = (reason: string): Finding => ({ status: 'ok', reason });
export const warn = (reason: string, todo: string, see: string): Finding => ({ status: 'warn', reason, todo, see });
export const fail = (reason: string, todo: string, see: string): Finding => ({ status: 'fail', reason, todo, see });
export const skip = (reason: string, todo?: string, see?: string): Finding => ({
  ...{ status: 'skip', reason },
  ...(todo !== undefined && { todo }),
  ...(see !== undefined && { see }),
});

const SEVERITY: Readonly<Record<Status, number>> = { fail: 3, warn: 2, skip: 1, ok: 0 };

/** The gravest of several findings decides; those as grave are told with it. */
export function worst(findings: readonly [Finding, ...Finding[]]): Finding {
  const gravest = Math.max(...findings.map(({ status }) => SEVERITY[status]));
  const told = findings.filter(({ status }) => SEVERITY[status] === gravest);
  const [first = findings[0]] = told;
  return { ...first, reason: told.map(({ reason }) => reason).join(' ') };
}

const TOLD_MAX = 3;

/** At most three of a list: the first ones show the kind, the number shows the extent. */
export function several(list: readonly string[]): string {
  const told = list.slice(0, TOLD_MAX).join('; ');
  return list.length > TOLD_MAX ? `${told}; and ${list.length - TOLD_MAX} more` : told;
}

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `90` is `2 minutes`: an operator needs the order of magnitude. */
export function duration(seconds: number): string {
  if (seconds < 2 * MINUTE) return plural(Math.round(seconds), 'second');
  if (seconds < 2 * HOUR) return plural(Math.round(seconds / MINUTE), 'minute');
  if (seconds < 2 * DAY) return plural(Math.round(seconds / HOUR), 'hour');
  return plural(Math.floor(seconds / DAY), 'day');
}
