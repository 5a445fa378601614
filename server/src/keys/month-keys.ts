// The working keys of months as rows, for the commands of the operator and the destruction of a month.
import type { Database } from '../lib/postgres/database.ts';
import type { KeyService } from './port.ts';
import {
  listWorkingKeys,
  updateClosed,
  updateDestroyed,
  updateReopened,
  updateRewrapped,
  type WorkingKeyRow,
} from './store.ts';

type Rows = Pick<Database, 'asSystem'>;

export type MonthKey = Omit<WorkingKeyRow, 'wrappedKey' | 'checkValue'>;

export async function listMonthKeys(database: Rows): Promise<MonthKey[]> {
  return (await database.asSystem(listWorkingKeys)).map(({ wrappedKey: _wrapped, checkValue: _check, ...key }) => key);
}

export const markClosed = (database: Rows, id: string) => database.asSystem((tx) => updateClosed(tx, id));
export const markReopened = (database: Rows, id: string) => database.asSystem((tx) => updateReopened(tx, id));
export const markDestroyed = (database: Rows, id: string) => database.asSystem((tx) => updateDestroyed(tx, id));

export type RewrappedMonths = {
  readonly rewrapped: readonly string[];
  /** Already under the newest version of their month's key. */
  readonly current: readonly string[];
  /** The service did not answer, or has no such key. */
  readonly failed: readonly string[];
};

/** Wraps each month's working key by the newest version of the month's key. The working keys themselves stay. */
export async function rewrapWorkingKeys(database: Rows, service: KeyService): Promise<RewrappedMonths> {
  const done = { rewrapped: [] as string[], current: [] as string[], failed: [] as string[] };
  const keys = await database.asSystem(listWorkingKeys);
  for (const { id, month, wrappedKey } of keys.filter((key) => key.service === service.kind && !key.closedAt)) {
    const answer = await service.rewrap(month, wrappedKey);
    if (answer.kind !== 'done') done.failed.push(month);
    else if (answer.value.equals(wrappedKey)) done.current.push(month);
    else {
      // Another run may have been first: its result is as good.
      await database.asSystem((tx) => updateRewrapped(tx, id, wrappedKey, answer.value));
      done.rewrapped.push(month);
    }
  }
  return done;
}
