// Earlier searches of the file, grouped by company: the same search in two bureaus counts once.
import type { CreditReport } from '@trefoil/contract';
import type { BureauSearch, SourcedFile } from '../bureaus/port.ts';
import { type LenderRegistry, nameTokens, resolverOf } from './matching/lender-registry.ts';
import { spelledBest } from './spelling.ts';

type Providers = CreditReport['previousSearches']['providers'];

/** Bureaus give a day or an instant; a day becomes its first instant. */
function toInstant(date: string): string {
  return date.length === 10 ? `${date}T00:00:00.000Z` : date;
}

export function mergeSearches(files: readonly SourcedFile[], registry: LenderRegistry): Providers {
  const resolve = resolverOf(registry);
  const groups = new Map<string, { names: string[]; byDay: Map<string, string> }>();
  const searches: BureauSearch[] = files.flatMap(({ file }) => [...file.searches]);
  for (const { companyName, companyNameLimit, date } of searches.toSorted((a, b) =>
    JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
  )) {
    const [lender, ...others] = resolve(companyName, companyName.length >= companyNameLimit - 1, []).lenders;
    const sure = others.length === 0 ? lender : undefined;
    // A name without Latin letters has no words to compare; then the name itself is the key.
    const key = sure?.id ?? (nameTokens(companyName).join(' ') || companyName);
    const group = groups.get(key) ?? { names: sure ? [sure.trading] : [], byDay: new Map<string, string>() };
    if (!sure) group.names.push(companyName);
    // Two bureaus may give the same search as a day and as an instant of that day: the instant is more precise.
    const instant = toInstant(date);
    const day = instant.slice(0, 10);
    const known = group.byDay.get(day);
    if (known === undefined || known < instant) group.byDay.set(day, instant);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ names, byDay }) => ({
      companyName: spelledBest(names.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))[0] ?? '', names),
      records: [...byDay.values()].toSorted((a, b) => (a < b ? 1 : -1)).map((date) => ({ date })),
    }))
    .toSorted((a, b) => (a.companyName < b.companyName ? -1 : 1));
}
