// Which stored events a reader asks for, from the text of its filters.
import { storedTypesOf } from './public-event.ts';
import type { StoredType } from './stored-type.ts';

/** The stored types behind a list of names with commas; undefined when a name is not a type. */
export function parseTypes(list: string): readonly StoredType[] | undefined {
  const named = list.split(',').map((name) => storedTypesOf(name.trim()));
  return named.every((types) => types.length > 0) ? [...new Set(named.flat())] : undefined;
}

/**
 * Events take their place in commit order within moments of their time. This allows for that, for transactions that wait, and
 * for clocks that differ between nodes.
 */
export const DISORDER_MS = 10 * 60_000;

const YEAR_10000_MS = Date.UTC(10_000, 0, 1);

/** The time in an id of ours (UUID version 7); undefined for another id, and for a year that PostgreSQL cannot read. */
export function timeOfId(id: string): Date | undefined {
  if (id[14] !== '7') return undefined;
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return ms < YEAR_10000_MS ? new Date(ms) : undefined;
}

/** No event of the reader's choice is older than this; undefined where nothing says so. */
export function earliestOf(from: Date | undefined, creditReportId: string | undefined): Date | undefined {
  const made = creditReportId === undefined ? undefined : timeOfId(creditReportId);
  const times = [from, made].flatMap((time) => (time ? [time.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(0, Math.max(...times) - DISORDER_MS)) : undefined;
}
