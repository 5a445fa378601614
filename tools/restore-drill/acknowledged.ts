// What clients were told and when, and whether a restored database agrees: everything acknowledged before the point is there,
// nothing that was sent after it is, and what was under way at the point is there whole or not at all. Decides from its input
// alone.
import type { Row } from '../chaos/checks.ts';

/** One acknowledged operation. `id` names its one effect: twins and repetitions with the same key are one. */
export type Told = {
  readonly kind: 'generate' | 'wrong' | 'right' | 'resend' | 'top-up';
  /** The report of a generate, the key of a code or a resend, the source of a top-up. */
  readonly id: string;
  readonly tenantId: string;
  /** Of all kinds but top-ups. */
  readonly creditReportId: string;
  readonly status: string;
  /** Charged by a generate, or added by a top-up. */
  readonly credits: number;
  readonly challengeId?: string | undefined;
  /** The report itself, if the answer had it. */
  readonly creditReport?: unknown;
  /** By the clock of the machine, which is the database's too. */
  readonly sentAtMs: number;
  readonly ackedAtMs: number;
};

/** The second to which a database was restored, or the last commit that was found. */
export type Point = {
  readonly atMs: number;
  /** How far the clocks of clients and database may differ: what is closer to the point is judged as under way. */
  readonly marginMs: number;
};

export type Kept = {
  readonly reports: ReadonlyMap<string, Row>;
  /** Credits by source. */
  readonly topUps: ReadonlyMap<string, number>;
};

export type Fault = { readonly about: string; readonly what: string };

export type Judgement = {
  readonly faults: readonly Fault[];
  readonly before: number;
  readonly across: number;
  readonly after: number;
  /** Acknowledged at or after the point, and not there. */
  readonly lost: number;
};

export const BEFORE = 'what was acknowledged before the point is there';
export const AFTER = 'what was sent after the point is not there';
export const ACROSS = 'what was under way at the point is there whole or not at all';

type When = 'before' | 'across' | 'after';

/** PostgreSQL commits between the two: docs/decisions/0257-restores-are-drilled.md says why that is enough. */
export function whenOf({ sentAtMs, ackedAtMs }: Pick<Told, 'sentAtMs' | 'ackedAtMs'>, { atMs, marginMs }: Point): When {
  if (ackedAtMs < atMs - marginMs) return 'before';
  return sentAtMs > atMs + marginMs ? 'after' : 'across';
}

/** One of each effect, from the first time it was asked for to the first time it was acknowledged. */
export function mergeRepeated(told: readonly Told[]): Told[] {
  const merged = new Map<string, Told>();
  for (const each of told) {
    const name = `${each.kind} ${each.id}`;
    const known = merged.get(name);
    merged.set(name, {
      ...(known ?? each),
      sentAtMs: Math.min(each.sentAtMs, known?.sentAtMs ?? Number.POSITIVE_INFINITY),
      ackedAtMs: Math.min(each.ackedAtMs, known?.ackedAtMs ?? Number.POSITIVE_INFINITY),
    });
  }
  return [...merged.values()];
}

const isChallenge = ({ status }: Told) => status === 'authentication-required';

/** The sweep ended it, and it costs nothing. */
const isSwept = ({ status, charged, refunded }: Row) => status === 'failed' && charged === refunded;

/** What is wrong with a report whose generate was acknowledged with this answer. */
function* generateFaults(told: Told, row: Row): Generator<string> {
  const isCharged = told.status === 'complete' || isChallenge(told);
  if (row.charges !== (isCharged ? 1 : 0)) yield `told ${told.status}, ${row.charges} charges`;
  if (row.charged !== told.credits) yield `told a cost of ${told.credits}, charged ${row.charged}`;
  if (!isChallenge(told)) {
    if (row.status !== told.status) yield `told ${told.status}, is ${row.status}`;
    if (row.refunded !== 0) yield `refunded although told ${told.status}`;
  } else if (row.challengeId !== told.challengeId) yield 'told another challenge';
}

/** What is wrong with a report as it stands, whatever its client was told. */
function* standingFaults(row: Row): Generator<string> {
  const isOver = ['failed', 'blocked', 'expired'].includes(row.status);
  if (isOver && row.charged !== row.refunded) yield `${row.status}: ${row.refunded} of ${row.charged} refunded`;
  if (row.status === 'complete' && (row.charges !== 1 || row.refunds > 1)) {
    yield `complete with ${row.charges} charges and ${row.refunds} refunds`;
  }
  if (!isOver && row.status !== 'complete' && row.status !== 'challenged') yield `still ${row.status}`;
  if (row.sends !== (row.smsSentCount ?? 0)) yield `${row.smsSentCount} messages counted, ${row.sends} there`;
}

/** At least what was acknowledged before, at most what was sent by then. */
function* boundFaults(what: string, found: number, told: readonly Told[], point: Point): Generator<string> {
  const times = told.map((each) => whenOf(each, point));
  const least = times.filter((when) => when === 'before').length;
  const most = times.filter((when) => when !== 'after').length;
  if (found < least || found > most) yield `${found} ${what}, told of ${least} to ${most}`;
}

function* codeFaults(told: readonly Told[], row: Row, point: Point): Generator<string> {
  const ofKind = (kind: Told['kind']) => told.filter((each) => each.kind === kind);
  yield* boundFaults('wrong codes', row.attemptsUsed ?? 0, ofKind('wrong'), point);
  yield* boundFaults('messages sent again', Math.max(0, row.sends - 1), ofKind('resend'), point);
  const rights = ofKind('right');
  for (const right of rights) {
    const when = whenOf(right, point);
    if (when === 'before' && row.status !== right.status) yield `told ${right.status} after the code, is ${row.status}`;
    // Restored as challenged, it expires if the drill takes five minutes; standingFaults looks at its refund.
    const isOpenOrOver = row.status === 'challenged' || row.status === 'expired' || isSwept(row);
    if (when === 'across' && row.status !== right.status && !isOpenOrOver) {
      yield `under way to ${right.status}, is ${row.status}`;
    }
  }
  if (row.status === 'complete' && !rights.some((right) => whenOf(right, point) !== 'after')) {
    yield 'complete, and its code was sent after the point';
  }
}

function* reportFaults(generate: Told, codes: readonly Told[], row: Row | undefined, point: Point): Generator<Fault> {
  const when = whenOf(generate, point);
  const fault = (about: string) => (what: string) => ({ about, what: `${generate.id}: ${what}` });
  if (!row) {
    if (when === 'before') yield fault(BEFORE)(`no report, told ${generate.status}`);
    return;
  }
  if (when === 'after') {
    yield fault(AFTER)(`a report, ${row.status}`);
    return;
  }
  const faults = [...generateFaults(generate, row)];
  if (when === 'before') yield* faults.map(fault(BEFORE));
  else if (!isSwept(row)) yield* faults.map(fault(ACROSS));
  if (isChallenge(generate) && row.challengeId !== null) yield* [...codeFaults(codes, row, point)].map(fault(BEFORE));
}

function* topUpFaults(told: Told, credits: number | undefined, point: Point): Generator<Fault> {
  const when = whenOf(told, point);
  const what = `top-up ${told.id}: ${credits ?? 'no'} credits of ${told.credits}`;
  if (when === 'before' && credits === undefined) yield { about: BEFORE, what };
  else if (when === 'after' && credits !== undefined) yield { about: AFTER, what };
  else if (credits !== undefined && credits !== told.credits) yield { about: ACROSS, what };
}

/** Of a code under way nobody knows: it counts as lost. */
function isThere(told: Told, { reports, topUps }: Kept): boolean {
  if (told.kind === 'top-up') return topUps.has(told.id);
  const row = reports.get(told.creditReportId);
  return told.kind === 'generate' && row !== undefined && (told.status === 'failed' || !isSwept(row));
}

export function judge(all: readonly Told[], kept: Kept, point: Point): Judgement {
  const told = mergeRepeated(all);
  const codes = Map.groupBy(
    told.filter(({ kind }) => kind === 'wrong' || kind === 'right' || kind === 'resend'),
    ({ creditReportId }) => creditReportId,
  );
  const faults: Fault[] = [];
  for (const each of told) {
    if (each.kind === 'top-up') faults.push(...topUpFaults(each, kept.topUps.get(each.id), point));
    if (each.kind !== 'generate') continue;
    faults.push(...reportFaults(each, codes.get(each.id) ?? [], kept.reports.get(each.id), point));
  }
  for (const row of kept.reports.values()) {
    for (const what of standingFaults(row))
      faults.push({ about: 'every report is in an end state', what: `${row.id}: ${what}` });
  }
  const count = (when: When) => told.filter((each) => whenOf(each, point) === when).length;
  const lost = told.filter((each) => whenOf(each, point) !== 'before' && !isThere(each, kept)).length;
  return { faults, before: count('before'), across: count('across'), after: count('after'), lost };
}
