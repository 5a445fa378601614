// The keys of months: how many live rows need each, and their destruction, which also erases the copies of that month's reports
// in every backup (docs/decisions/0259-month-keys.md). A month goes only when no live row needs it and it is older than the
// longest retention of any tenant.
import { auditEveryTenant } from '../../audit/audit-operator.ts';
import { listMonthKeys, type MonthKey, markClosed, markDestroyed, markReopened } from '../../keys/month-keys.ts';
import type { Destroyed, KeyService } from '../../keys/port.ts';
import { destroyableFrom, mayDestroy, monthOf } from '../../keys/rules/month.ts';
import type { Job } from '../../lib/jobs.ts';
import type { Log } from '../../lib/log.ts';
import { OutsideFault } from '../../lib/outside/outside-fault.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { getLongestRetention, listKeyUses } from './ring-store.ts';

/** It reads every data key. */
const COUNT_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

export type CountedMonth = MonthKey & {
  readonly liveRows: number;
  readonly destroyableFrom: Date;
  /** Old enough, needed by no row, and not destroyed yet. */
  readonly mayDestroy: boolean;
};

/** The keys of the ring and of months that data keys name, with how many do. */
export const countKeyUses = async (database: Database): Promise<ReadonlyMap<string, number>> =>
  new Map((await database.asSystem(listKeyUses, { statementMs: COUNT_MS })).map(({ id, count }) => [id, count]));

export async function listCountedMonths(database: Database, now: Date): Promise<CountedMonth[]> {
  const keys = await listMonthKeys(database);
  const uses = await countKeyUses(database);
  const days = await database.asSystem(getLongestRetention);
  return keys.map((key) => {
    const counted = { ...key, liveRows: uses.get(key.id) ?? 0 };
    return {
      ...counted,
      destroyableFrom: destroyableFrom(key.month, days),
      mayDestroy: key.destroyedAt === null && mayDestroy(counted, days, now).may,
    };
  });
}

export type Destruction =
  | { readonly kind: 'destroyed'; readonly until: Destroyed['until'] }
  | { readonly kind: 'unknown-month' | 'destroyed-before' }
  | {
      readonly kind: 'refused';
      readonly because: 'live-rows' | 'too-young';
      readonly liveRows: number;
      readonly from: Date;
    }
  | { readonly kind: 'away'; readonly cause: OutsideFault };

/**
 * A service that has no key of the month may have destroyed it in a run that was cut off, or may be another one: with the settings
 * of another account nothing would be destroyed, and we would believe that it was. Ours has the key of this month.
 */
async function findStranger(service: KeyService, month: string, now: Date): Promise<Destruction | undefined> {
  const there = await service.describe(month);
  if (there.kind === 'away') return there;
  if (there.kind === 'done') return undefined;
  const own = await service.describe(monthOf(now));
  if (own.kind === 'away') return own;
  if (own.kind === 'done') return undefined;
  return {
    kind: 'away',
    cause: new OutsideFault('refused', 'it has none of the keys of this installation', 'request'),
  };
}

/** Can be repeated: a run that was cut off is finished by the next. */
export async function destroyMonth(
  database: Database,
  service: KeyService,
  month: string,
  now: Date,
): Promise<Destruction> {
  const key = (await listMonthKeys(database)).find((each) => each.month === month && each.service === service.kind);
  if (!key) return { kind: 'unknown-month' };
  if (key.destroyedAt) return { kind: 'destroyed-before' };
  const days = await database.asSystem(getLongestRetention);
  const judge = async () => {
    const liveRows = (await countKeyUses(database)).get(key.id) ?? 0;
    const judged = mayDestroy({ month, liveRows }, days, now);
    return judged.may
      ? undefined
      : ({ kind: 'refused', because: judged.because, liveRows, from: judged.from } as const);
  };
  const refused = await judge();
  if (refused) return refused;
  // From here on no process loads it. What one still has in memory wraps nothing: it wraps new reports, and the month is over.
  await markClosed(database, key.id);
  const refusedNow = await judge();
  if (refusedNow) {
    await markReopened(database, key.id);
    return refusedNow;
  }
  const stranger = await findStranger(service, month, now);
  if (stranger) return stranger;
  const answer = await service.destroy(month);
  if (answer.kind === 'away') return answer;
  // Before the mark, which ends all repetitions: after a cut-off some tenants have two rows, and none has no row.
  await auditEveryTenant(database, { action: 'month-key.destroyed', details: { month, service: service.kind } });
  await markDestroyed(database, key.id);
  return { kind: 'destroyed', until: answer.kind === 'done' ? answer.value.until : undefined };
}

type Surroundings = {
  readonly database: Database;
  readonly log: Log;
  readonly now: () => Date;
  readonly service: KeyService;
  /** Whether the job may destroy; otherwise it says what could be. */
  readonly isDestroying: boolean;
};

/** Once a day: the months that could be destroyed are destroyed, or told. */
export function monthKeyJob({ database, log, now, service, isDestroying }: Surroundings): Job {
  return {
    name: 'month-keys',
    everyMs: DAY_MS,
    firstAfterMs: 60_000,
    async run() {
      const keys = (await listMonthKeys(database)).filter(({ destroyedAt }) => destroyedAt === null);
      const days = await database.asSystem(getLongestRetention);
      // Counting reads every data key: only for a month that is old enough.
      if (!keys.some(({ month }) => destroyableFrom(month, days) <= now())) return 0;
      const months = (await listCountedMonths(database, now())).filter(
        (each) => each.mayDestroy && each.service === service.kind,
      );
      for (const { id, month } of months) {
        if (!isDestroying) log.warn('a month key can be destroyed', { kid: id });
        else if ((await destroyMonth(database, service, month, now())).kind === 'away') {
          log.warn('a month key could not be destroyed', { kid: id });
        }
      }
      return isDestroying ? months.length : 0;
    },
  };
}
