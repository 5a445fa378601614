// What happened, from the ledger, the events and the reports themselves, and the figures that follow from it. Written apart from the
// server: it reads whole tables, uses none of the counted ones, and shares no code with what it judges.
import type { Scene } from './scene.ts';

type Line = { readonly kind: string; readonly amount: number; readonly at: Date };
type Happened = {
  readonly type: string;
  readonly isTest: boolean;
  readonly creditReportId: string | null;
  readonly amount: number | null;
  readonly at: Date;
};
type Report = {
  readonly id: string;
  readonly isTest: boolean;
  readonly status: string;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly firstSentAt: Date | null;
  readonly codeHasExpired: boolean;
  readonly results: readonly { readonly bureau: string; readonly outcome: string }[] | null;
};
type Action = { readonly action: string; readonly subjectId: string | null; readonly actor: string; readonly at: Date };

export type Facts = {
  readonly now: Date;
  readonly lines: readonly Line[];
  /** In the order of their commits. */
  readonly events: readonly Happened[];
  readonly reports: readonly Report[];
  readonly actions: readonly Action[];
  readonly held: number;
  /** Messages of the day that UTC has now. */
  readonly messagesToday: number;
};

export async function readFacts({ query }: Scene, tenantId: string): Promise<Facts> {
  const [now] = await query<{ now: Date }>('select clock_timestamp() as now');
  const lines = await query<Line>(
    `select txs.kind, coalesce(sum(entries.amount), 0)::float8 as amount, txs.created_at as at
       from ledger_txs as txs
       left join ledger_entries as entries on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq and account = 'wallet'
      where txs.tenant_id = $1 group by txs.tenant_id, txs.seq, txs.kind, txs.created_at order by txs.seq`,
    [tenantId],
  );
  const events = await query<Happened>(
    `select type, is_test as "isTest", credit_report_id as "creditReportId", amount::float8, created_at as at
       from outbox where tenant_id = $1 order by xact_id, id`,
    [tenantId],
  );
  const reports = await query<Report>(
    `select reports.id, is_test as "isTest", status, failure, reports.created_at as "createdAt", bureau_results as results,
            (select min(sent_at) from sms_sends where credit_report_id = reports.id) as "firstSentAt",
            coalesce((select bool_or(clock_timestamp() - last_sent_at > interval '5 minutes') from challenges
                       where credit_report_id = reports.id), false) as "codeHasExpired"
       from credit_reports as reports where tenant_id = $1`,
    [tenantId],
  );
  const actions = await query<Action>(
    `select action, subject_id as "subjectId", actor, occurred_at as at from audit_log where tenant_id = $1 order by seq`,
    [tenantId],
  );
  const [sums] = await query<{ held: number; messages: number }>(
    `select (select coalesce(sum(amount), 0) from holds where tenant_id = $1 and state = 'open')::float8 as held,
            (select count(*) from sms_sends where tenant_id = $1 and sent_at >= current_date)::float8 as messages`,
    [tenantId],
  );
  if (!now || !sums) throw new Error('the database says nothing');
  return { ...now, lines, events, reports, actions, held: sums.held, messagesToday: sums.messages };
}

const LONDON = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });
const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);
const dayOf = (at: Date) => LONDON.format(at);

/** Of London, oldest first: noon is the same day there and in UTC. */
function lastDays(now: Date, count: number): string[] {
  const noon = Date.parse(`${dayOf(now)}T12:00:00Z`);
  return Array.from({ length: count }, (_, place) => dayOf(new Date(noon - (count - 1 - place) * DAY_MS)));
}

function spentOn({ lines }: Facts, days: readonly string[]) {
  const own = lines.filter(({ at }) => days.includes(dayOf(at)));
  const spent = (...kinds: string[]) =>
    0 - sum(own.filter(({ kind }) => kinds.includes(kind)).map((each) => each.amount));
  // Without a negative zero.
  return { reports: spent('report-charge', 'report-refund') + 0, messages: spent('sms-charge') + 0 };
}

function failuresOf(facts: Facts, ended: readonly Happened[]) {
  const reports = new Map(facts.reports.map((report) => [report.id, report]));
  const counts = new Map<string, number>();
  for (const { type, creditReportId } of ended) {
    if (type !== 'report.failed' && type !== 'report.expired') continue;
    const reason =
      reports.get(creditReportId ?? '')?.failure ?? (type === 'report.expired' ? 'expired' : 'attempts-used');
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  const [reason] = [...counts].flatMap(([each, count]) => (count === most ? [each] : [])).toSorted();
  return reason === undefined ? null : { reason, count: most };
}

function medianSeconds(facts: Facts, events: readonly Happened[]): number | null {
  const reports = new Map(facts.reports.map((report) => [report.id, report]));
  const seconds = events
    .filter(({ type }) => type === 'challenge.verified')
    .map(({ at, creditReportId }) => {
      const report = reports.get(creditReportId ?? '');
      const from = report?.firstSentAt ?? report?.createdAt;
      return from ? (at.getTime() - from.getTime()) / 1_000 : Number.NaN;
    })
    .toSorted((a, b) => a - b);
  return seconds[Math.ceil(seconds.length / 2) - 1] ?? null;
}

export function usageOf(facts: Facts, days: number, test: boolean) {
  const dates = lastDays(facts.now, Math.max(2 * days, 7));
  const spent = (some: readonly string[]) => (test ? { reports: 0, messages: 0 } : spentOn(facts, some));
  const shown = dates.slice(-days);
  const events = facts.events.filter(({ isTest, at }) => isTest === test && shown.includes(dayOf(at)));
  const of = (type: string) => events.filter((each) => each.type === type).length;
  const week = spent(dates.slice(-7));
  return {
    test,
    days: shown.map((day) => ({ day, ...spent([day]) })),
    spent: spent(shown),
    previous: spent(dates.slice(-2 * days, -days)),
    last7DaysCredits: week.reports + week.messages,
    outcomes: {
      ...{ complete: of('report.completed'), blocked: of('report.blocked') },
      ...{ failed: of('report.failed'), expired: of('report.expired') },
    },
    commonestFailure: failuresOf(facts, events),
    codes: {
      ...{ sent: of('challenge.sent'), delivered: of('challenge.delivered'), undelivered: of('challenge.undelivered') },
      verified: of('challenge.verified'),
      medianSeconds: medianSeconds(facts, events),
    },
  };
}

/** When a month of London begins: midnight there is midnight or an hour before it in UTC. */
function startOf(month: string): string {
  const midnight = Date.parse(`${month}-01T00:00:00Z`);
  const start = [midnight - 3_600_000, midnight].find((at) => dayOf(new Date(at)) === `${month}-01`);
  return new Date(start ?? midnight).toISOString();
}

function monthAfter(month: string): string {
  return new Date(Date.parse(`${month}-15T00:00:00Z`) + 31 * DAY_MS).toISOString().slice(0, 7);
}

export function monthsOf({ lines, now }: Facts) {
  const moving = lines.filter(({ kind }) => kind !== 'sms-writeoff');
  const current = dayOf(now).slice(0, 7);
  const first = moving[0] ? dayOf(moving[0].at).slice(0, 7) : current;
  const months: object[] = [];
  let opening = 0;
  for (let month = first; month <= current; month = monthAfter(month)) {
    const own = moving.filter(({ at }) => dayOf(at).startsWith(month));
    const of = (kind: string) => sum(own.filter((each) => each.kind === kind).map((each) => each.amount));
    const closing = opening + sum(own.map(({ amount }) => amount));
    months.unshift({
      ...{ month, startsAt: startOf(month), endsAt: startOf(monthAfter(month)), opening },
      ...{ topUps: of('top-up'), adjustments: of('adjust'), reports: of('report-charge') },
      ...{ refunds: of('report-refund'), messages: of('sms-charge'), closing, count: own.length },
    });
    opening = closing;
  }
  return months;
}

export function walletOf({ lines, held, messagesToday }: Facts, smsCredits: number) {
  const balance = sum(lines.map(({ amount }) => amount));
  return {
    ...{ balance, held, available: balance - held },
    smsDay: { usedMessages: messagesToday, usedCredits: messagesToday * smsCredits },
  };
}

function shownStatus({ status, failure, codeHasExpired }: Report) {
  if (status === 'complete' || status === 'blocked') return status;
  if (status === 'pending' || status === 'fetching') return 'in-progress';
  if (status !== 'challenged') return 'failed';
  return failure !== null || codeHasExpired ? 'failed' : 'authentication-required';
}

export function countsOf({ reports }: Facts, test: boolean) {
  const own = reports.filter(({ isTest }) => isTest === test);
  const counts = {
    total: own.length,
    complete: 0,
    'authentication-required': 0,
    blocked: 0,
    failed: 0,
    'in-progress': 0,
  };
  for (const each of own) counts[shownStatus(each)] += 1;
  return counts;
}

/** For each bureau that was asked, its half hours: when, how often, how often with an answer. */
export function bureausOf({ events, reports, now }: Facts) {
  const newest = Math.floor(now.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS;
  const results = new Map(reports.map((report) => [report.id, report.results]));
  const slots = new Map<string, { asked: number; answered: number }>();
  for (const { type, isTest, creditReportId, at } of events) {
    if (isTest || (type !== 'report.completed' && type !== 'report.failed')) continue;
    const start = Math.floor(at.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS;
    if (start <= newest - 48 * HALF_HOUR_MS) continue;
    for (const { bureau, outcome } of results.get(creditReportId ?? '') ?? []) {
      const key = `${bureau} ${new Date(start).toISOString()}`;
      const slot = slots.get(key) ?? { asked: 0, answered: 0 };
      slots.set(key, { asked: slot.asked + 1, answered: slot.answered + (outcome === 'unavailable' ? 0 : 1) });
    }
  }
  return Object.fromEntries([...slots].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const SHOWN_EVENTS = /^report\.|^wallet\.(topped-up|low)$/;
const SHOWN_ACTIONS = /^(member|invitation|credential|webhook|settings|tenant|price)\./;
const READ_BACK = 5_000;

/** As lines, newest first: those of the same moment in any order. Of the audit log the latest rows are looked at. */
export function activityOf({ events, actions }: Facts, limit: number, test: boolean): string[] {
  const shown = events
    .filter(({ type, isTest }) => isTest === test && SHOWN_EVENTS.test(type))
    .slice(-limit)
    .map(({ type, at, creditReportId, amount }) => {
      const isMove = type === 'wallet.topped-up';
      return [at.toISOString(), type.replace('report.', 'credit-report.'), creditReportId, isMove ? amount : null];
    });
  const changed = actions
    .slice(-READ_BACK)
    .filter(({ action }) => !test && SHOWN_ACTIONS.test(action))
    .slice(-limit)
    .map(({ action, at }) => [at.toISOString(), action, null, null]);
  return [...shown, ...changed]
    .map((parts) => parts.map((part) => part ?? '-').join(' '))
    .toSorted()
    .toReversed()
    .slice(0, limit);
}
