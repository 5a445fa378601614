// Three disagreeing files, one clean list: every row of every bureau appears in exactly one record. Pure, integer,
// and the same whatever order the files and rows come in.
import type { AccountRecord, Bureau } from '@trefoil/contract';
import type { BureauAccount, SourcedFile } from '../../bureaus/port.ts';
import { compareContent, toComparable } from './comparable-account.ts';
import { goldenRecord } from './golden-record.ts';
import { createLenderResolver, type LenderRegistry, type ResolveLender } from './lender-registry.ts';
import { type Match, matchAccounts } from './match-accounts.ts';

export type MergedRecord = {
  readonly record: AccountRecord;
  readonly members: readonly { readonly bureau: Bureau; readonly ref: string }[];
  /** Why these rows are one record, and which came close. For people who check a match; never for consumers. */
  readonly match: Match;
};

type Row = { readonly bureau: Bureau; readonly account: BureauAccount };

/** The canonical order: by content, then by where it came from. Everything after sees only this order. */
function inCanonicalOrder(a: Row, b: Row): number {
  const byContent = compareContent(a.account, b.account);
  if (byContent !== 0) return byContent;
  if (a.bureau !== b.bureau) return a.bureau < b.bureau ? -1 : 1;
  return a.account.ref < b.account.ref ? -1 : 1;
}

/** Rows of one bureau that say the same under two references are one row with two references. */
function foldCopies(files: readonly SourcedFile[]): { bureau: Bureau; copies: [BureauAccount, ...BureauAccount[]] }[] {
  const rows = files.flatMap(({ bureau, file }) => file.accounts.map((account): Row => ({ bureau, account })));
  const folded: { bureau: Bureau; copies: [BureauAccount, ...BureauAccount[]] }[] = [];
  for (const { bureau, account } of rows.sort(inCanonicalOrder)) {
    const last = folded.at(-1);
    // Copies stand side by side in canonical order.
    if (last?.bureau === bureau && compareContent(last.copies[0], account) === 0) last.copies.push(account);
    else folded.push({ bureau, copies: [account] });
  }
  return folded;
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
  const rows = foldCopies(files).map(({ bureau, copies }) => toComparable(bureau, copies, resolve));
  const records = matchAccounts(rows).map((match) => {
    const record = goldenRecord(match.members);
    return { record, members: record.bureaus.map(({ id, ref }) => ({ bureau: id, ref })), match };
  });
  return { records: records.toSorted(inReportOrder) };
}
