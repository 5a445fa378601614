// Three disagreeing files, one clean list: every row of every bureau appears in exactly one record. Pure, integer,
// and the same whatever order the files and rows come in.
import type { AccountRecord, Bureau } from '@trefoil/contract';
import type { BureauAccount, SourcedFile } from '../../bureaus/port.ts';
import { type ComparableAccount, type Copies, contentKey, toComparable } from './comparable-account.ts';
import { goldenRecord } from './golden-record.ts';
import { createLenderResolver, type LenderRegistry, type ResolveLender } from './lender-registry.ts';
import { type Match, matchAccounts } from './match-accounts.ts';

export type MergedRecord = {
  readonly record: AccountRecord;
  readonly members: readonly { readonly bureau: Bureau; readonly ref: string }[];
  /** Why these rows are one record, and which came close. For people who check a match; never for consumers. */
  readonly match: Match;
};

/** Rows of one bureau that say the same under two references are one row with two references. */
function foldCopies(accounts: readonly BureauAccount[]): Copies[] {
  const byContent = new Map<string, [BureauAccount, ...BureauAccount[]]>();
  for (const account of accounts.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))) {
    const key = contentKey(account);
    const copies = byContent.get(key);
    if (copies) copies.push(account);
    else byContent.set(key, [account]);
  }
  return [...byContent].map(([key, copies]) => ({ key, accounts: copies }));
}

function inCanonicalOrder(a: ComparableAccount, b: ComparableAccount): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  if (a.bureau !== b.bureau) return a.bureau < b.bureau ? -1 : 1;
  return a.account.ref < b.account.ref ? -1 : 1;
}

/** Newest agreement first; then by lender and content, so that the order never depends on the input's. */
function inReportOrder(a: MergedRecord, b: MergedRecord): number {
  const key = ({ record }: MergedRecord) => [record.companyName ?? '', JSON.stringify(record)];
  const [x, y] = [a.record.startDate ?? '', b.record.startDate ?? ''];
  if (x !== y) return x < y ? 1 : -1;
  return key(a) < key(b) ? -1 : 1;
}

const resolvers = new WeakMap<LenderRegistry, ResolveLender>();

/** Building the look-up is most of the work of a small report, and a registry does not change. */
function resolverOf(registry: LenderRegistry): ResolveLender {
  const known = resolvers.get(registry) ?? createLenderResolver(registry);
  resolvers.set(registry, known);
  return known;
}

export function mergeAccounts(files: readonly SourcedFile[], registry: LenderRegistry): { records: MergedRecord[] } {
  const resolve = resolverOf(registry);
  const rows = files
    .flatMap(({ bureau, file }) => foldCopies(file.accounts).map((copies) => toComparable(bureau, copies, resolve)))
    .toSorted(inCanonicalOrder);
  const records = matchAccounts(rows).map((match) => {
    const record = goldenRecord(match.members);
    return { record, members: record.bureaus.map(({ id, ref }) => ({ bureau: id, ref })), match };
  });
  return { records: records.toSorted(inReportOrder) };
}
