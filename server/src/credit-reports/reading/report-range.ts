// Which reports a list or a count is about: the filters of a query as bounds that one statement takes.
import { firstIdAt } from '../../lib/ids.ts';
import { parseInstant } from '../../lib/values/instant.ts';

export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Of the creation: inclusive and exclusive, as ISO 8601 or `-infinity` and `infinity`. */
export type TimeRange = { readonly from: string; readonly to: string };

type Asked = { readonly from?: string | undefined; readonly to?: string | undefined };

export function timeRangeOf({ from, to }: Asked): TimeRange {
  return {
    from: (from && parseInstant(from)?.toISOString()) || '-infinity',
    to: (to && parseInstant(to)?.toISOString()) || 'infinity',
  };
}

/** A test-only credential sees test reports, whatever it asks for. */
export function modesOf(test: boolean | undefined, isTestOnly: boolean): readonly boolean[] {
  const modes = test === undefined ? [true, false] : [test];
  return isTestOnly ? modes.filter((isTest) => isTest) : modes;
}

/**
 * An id is made by a node's clock, some time before the database's clock says when the report was created. A node more than
 * 30 s off raises an alarm (docs/decisions/0149-the-clock.md); this allows for much more.
 */
const APART_MS = 15 * 60_000;

/** Ids between which every report of the range lies, both exclusive: the walk along the ids can begin and end there. */
export function idsAround({ from, to }: TimeRange): { readonly afterId: string; readonly beforeId: string } {
  return {
    afterId: from === '-infinity' ? LOWEST_ID : firstIdAt(new Date(new Date(from).getTime() - APART_MS)),
    beforeId: to === 'infinity' ? HIGHEST_ID : firstIdAt(new Date(new Date(to).getTime() + APART_MS)),
  };
}
