// Three disagreeing files, one clean list: every row of every bureau appears in exactly one record. Pure, integer,
// and the same whatever order the files and rows come in.
import type { AccountRecord, Bureau } from '@trefoil/contract';
import type { BureauAccount, SourcedFile } from '../../bureaus/port.ts';
import { compareContent, givenNames, toComparable, toDay } from './comparable-account.ts';
import { goldenRecord } from './golden-record.ts';
import { createLenderResolver, type LenderRegistry, type ResolveLender } from './lender-registry.ts';
import { type Match, matchAccounts } from './match-accounts.ts';

export type MergedRecord = {
  readonly record: AccountRecord;
  readonly members: readonly { readonly bureau: Bureau; readonly ref: string }[];
  /** Why these rows are one record, and which came close. For people who check a match; never for consumers. */
  readonly match: Match;
};

type Row = {
  readonly bureau: Bureau;
  readonly account: BureauAccount;
  readonly lenderId: string;
  readonly startDay: number;
};

/** The canonical order: by content, then by where it came from. Everything after sees only this order. */
function inCanonicalOrder(a: Row, b: Row): number {
  // Lender and start follow from the content and settle nearly every comparison. They also lay rows that will be
  // compared side by side in memory: 30,000 rows took 457 ms instead of about 550.
  if (a.lenderId !== b.lenderId) return a.lenderId < b.lenderId ? -1 : 1;
  if (a.startDay !== b.startDay) return a.startDay - b.startDay;
  const byContent = compareContent(a.account, b.account);
  if (byContent !== 0) return byContent;
  if (a.bureau !== b.bureau) return a.bureau < b.bureau ? -1 : 1;
  return a.account.ref < b.account.ref ? -1 : 1;
}

/** Rows of one bureau that say the same under two references are one row with two references. */
function foldCopies(
  files: readonly SourcedFile[],
  resolve: ResolveLender,
): { bureau: Bureau; copies: [BureauAccount, ...BureauAccount[]] }[] {
  const rows = files.flatMap(({ bureau, file }) =>
    file.accounts.map((account): Row => {
      const lenderId = resolve(givenNames(account)).lenders[0]?.id ?? '';
      return { bureau, account, lenderId, startDay: toDay(account.startDate)?.number ?? 0 };
    }),
  );
  const folded: { bureau: Bureau; copies: [BureauAccount, ...BureauAccount[]] }[] = [];
  for (const { bureau, account } of rows.sort(inCanonicalOrder)) {
    const last = folded.at(-1);
    // Copies stand side by side in canonical order.
    if (last?.bureau === bureau && compareContent(last.copies[0], account) === 0) last.copies.push(account);
    else folded.push({ bureau, copies: [account] });
  }
  return folded;
}

const compareTexts = (x: string, y: string) => (x === y ? 0 : x < y ? -1 : 1);

/** Newest agreement first; then by lender and reference, so that the order never depends on the input's. */
function inReportOrder({ record: a, members: x }: MergedRecord, { record: b, members: y }: MergedRecord): number {
  return (
    compareTexts(b.startDate ?? '', a.startDate ?? '') ||
    compareTexts(a.companyName ?? '', b.companyName ?? '') ||
    compareTexts(x[0]?.bureau ?? '', y[0]?.bureau ?? '') ||
    compareTexts(x[0]?.ref ?? '', y[0]?.ref ?? '')
  );
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
  const rows = foldCopies(files, resolve).map(({ bureau, copies }) => toComparable(bureau, copies, resolve));
  const records = matchAccounts(rows).map((match) => {
    const record = goldenRecord(match.members);
    return { record, members: record.bureaus.map(({ id, ref }) => ({ bureau: id, ref })), match };
  });
  return { records: records.toSorted(inReportOrder) };
}
