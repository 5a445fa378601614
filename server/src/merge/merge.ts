// Three disagreeing files, one clean list: every row of every bureau appears in exactly one record. Pure, with integers
// only, and independent of the order of files and rows.
import type { AccountRecord, Bureau } from '@trefoil/contract';
import type { SourcedFile } from '../bureaus/port.ts';
import { goldenRecord, startOf } from './golden-record.ts';
import { type LenderRegistry, resolverOf } from './matching/lender-registry.ts';
import { type Match, matchAccounts } from './matching/match-accounts.ts';
import { toRowList } from './matching/match-rows.ts';
import { inOrderOf, sortPart } from './merge-order.ts';

export type Member = { readonly bureau: Bureau; readonly ref: string };

/** A line of the report and its sources. */
export class MergedRecord {
  readonly record: AccountRecord;
  /** Why these rows are one record, and the near misses. For people who check a match; never for consumers. */
  readonly match: Match;

  constructor(match: Match) {
    this.record = goldenRecord(match.members);
    this.match = match;
  }

  get members(): Member[] {
    return this.record.bureaus.map(({ id, ref }) => ({ bureau: id, ref }));
  }
}

const compareTexts = (x: string, y: string) => (x === y ? 0 : x < y ? -1 : 1);

/** By lender and reference, so that the order never depends on the input's. */
function inReportOrder({ record: a }: MergedRecord, { record: b }: MergedRecord): number {
  const [x, y] = [a.bureaus[0], b.bureaus[0]];
  return (
    compareTexts(a.companyName ?? '', b.companyName ?? '') ||
    compareTexts(x?.id ?? '', y?.id ?? '') ||
    compareTexts(x?.ref ?? '', y?.ref ?? '')
  );
}

/** Newest agreement first, those without a start last. */
function toRecords(matches: readonly Match[]): MergedRecord[] {
  const days = new Int32Array(matches.length);
  const records = matches.map((match, place) => {
    days[place] = startOf(match.members)?.startDay ?? 0;
    return new MergedRecord(match);
  });
  const order = inOrderOf(days).reverse();
  const sorted: MergedRecord[] = [];
  for (let from = 0, to = 0; from < order.length; from = to) {
    for (to = from; to < order.length && days[order[to] as number] === days[order[from] as number]; to += 1) {
      sorted.push(records[order[to] as number] as MergedRecord);
    }
    sortPart(sorted, from, to, inReportOrder);
  }
  return sorted;
}

export function mergeAccounts(files: readonly SourcedFile[], registry: LenderRegistry): { records: MergedRecord[] } {
  const resolve = resolverOf(registry);
  return { records: toRecords(matchAccounts(toRowList(files, resolve))) };
}
