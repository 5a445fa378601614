// Identifies a lender by any name a bureau uses: trading name, legal name, former name, any of them cut short. Pure;
// the registry is an input. If a cut name fits several lenders, all of them stay candidates.
import type { CompanyType } from '@trefoil/contract';

export type Lender = {
  readonly id: string;
  readonly trading: string;
  readonly legal: string;
  readonly aliases: readonly string[];
  readonly formerNames: readonly string[];
  readonly group: string | null;
  readonly companyType: CompanyType;
};

export type LenderRegistry = readonly Lender[];

/** Words for the kind of company, which do not identify it. */
const COMPANY_WORDS = new Set(['LTD', 'LIMITED', 'PLC', 'LLP', 'UK', 'GB', 'THE', 'CO', 'COMPANY', 'AND', 'OF', 'INC']);

const mayBeCompanyWord = (beginning: string) => [...COMPANY_WORDS].some((word) => word.startsWith(beginning));

/** Upper case without accents and punctuation, split at trading marks, company words dropped. */
export function nameTokens(name: string): string[] {
  const folded = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .replace(/['’`.]/g, '')
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim();
  const tokens = folded.split(' ').filter(Boolean);
  const telling = tokens.filter((token) => !COMPANY_WORDS.has(token));
  return telling.length > 0 ? telling : tokens;
}

/** `X LTD T/A Y` has two names: the legal and the trading name. */
export function splitTradingNames(name: string): string[] {
  return name
    .split(/\s+(?:t\/a|t\.a\.|trading as)\s+/i)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** A name as a bureau gave it. `isCut`: it fills the bureau's field, so its end may be missing. */
type GivenName = { readonly text: string; readonly isCut: boolean };

/** Whether `cut` could be the beginning of `whole`, the last word of `cut` possibly unfinished. */
export function isBeginning(cut: readonly string[], whole: readonly string[]): boolean {
  if (cut.length === 0 || cut.length > whole.length) return false;
  return cut.every((token, index) =>
    index === cut.length - 1 ? (whole[index] ?? '').startsWith(token) : token === whole[index],
  );
}

/** The lenders that a set of names may mean, and the names as comparable words. */
export type ResolvedNames = {
  readonly lenders: readonly Lender[];
  readonly names: readonly (readonly string[])[];
  /** The lender, if there is exactly one. */
  readonly only: Lender | null;
  /** The numbers of the houses (a lender or a group of brands each) that `lenders` belong to, in ascending order. */
  readonly houses: readonly number[];
};

/** Takes a bureau's name for a lender, whether it is cut, and further names, which never are. */
export type ResolveLender = (name: string, isCut: boolean, others: readonly string[]) => ResolvedNames;

/** Numbers lenders and groups of brands from 1, independent of the registry's order. */
function numberHouses(registry: LenderRegistry): (lenders: readonly Lender[]) => number[] {
  const nameOf = ({ id, group }: Lender) => (group === null ? `lender ${id}` : `group ${group}`);
  const names = [...new Set(registry.map(nameOf))].toSorted();
  const numbers = new Map(names.map((name, index) => [name, index + 1]));
  return (lenders) => [...new Set(lenders.map((lender) => numbers.get(nameOf(lender)) ?? 0))].toSorted((a, b) => a - b);
}

/** Cached results, one step for each name: joining the names to one key took longer than the look-up. */
type Remembered = { readonly next: Map<string, Remembered>; resolved: ResolvedNames | undefined };

/** A shorter beginning would fit too many lenders. */
const CUT_LETTERS_MIN = 6;
const REMEMBERED_MAX = 20_000;

function createLenderResolver(registry: LenderRegistry): ResolveLender {
  const housesOf = numberHouses(registry);
  const exact = new Map<string, Lender[]>();
  const byFirstLetters = new Map<string, { tokens: string[]; lender: Lender }[]>();
  for (const lender of registry) {
    const names = [lender.trading, lender.legal, ...lender.aliases, ...lender.formerNames];
    for (const part of names.flatMap(splitTradingNames)) {
      const tokens = nameTokens(part);
      const key = tokens.join(' ');
      const known = exact.get(key) ?? [];
      if (!known.includes(lender)) exact.set(key, [...known, lender]);
      const letters = key.slice(0, CUT_LETTERS_MIN);
      byFirstLetters.set(letters, [...(byFirstLetters.get(letters) ?? []), { tokens, lender }]);
    }
  }

  function resolveOne({ text, isCut }: GivenName): Lender[] {
    return splitTradingNames(text).flatMap((part, index, parts) => {
      const tokens = nameTokens(part);
      const key = tokens.join(' ');
      const same = exact.get(key) ?? [];
      // Only the last part of a cut name is cut.
      if (!isCut || index < parts.length - 1 || key.length < CUT_LETTERS_MIN) return same;
      const longer = byFirstLetters.get(key.slice(0, CUT_LETTERS_MIN)) ?? [];
      // The last word may be the beginning of a company word, such as the LI of LIMITED.
      const told = [tokens, ...(mayBeCompanyWord(tokens.at(-1) ?? '') ? [tokens.slice(0, -1)] : [])];
      const fits = longer.filter((entry) => told.some((each) => isBeginning(each, entry.tokens)));
      return [...same, ...fits.map((entry) => entry.lender)];
    });
  }

  function resolve(given: readonly GivenName[]): ResolvedNames {
    // A complete name takes precedence over a cut one.
    const whole = given.filter(({ isCut }) => !isCut).flatMap(resolveOne);
    const found = whole.length > 0 ? whole : given.flatMap(resolveOne);
    const lenders = [...new Set(found)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return {
      lenders,
      only: lenders.length === 1 ? (lenders[0] ?? null) : null,
      names: given.flatMap(({ text }) => splitTradingNames(text)).map(nameTokens),
      houses: housesOf(lenders),
    };
  }

  const beginning = (): Remembered => ({ next: new Map(), resolved: undefined });
  let [cutNames, wholeNames, remembered] = [beginning(), beginning(), 0];
  const step = (from: Remembered, name: string): Remembered => {
    const known = from.next.get(name);
    if (known) return known;
    const added = beginning();
    from.next.set(name, added);
    remembered += 1;
    return added;
  };
  return (name, isCut, others) => {
    // Bureaus can send any names: the cache must not grow without limit.
    if (remembered >= REMEMBERED_MAX) [cutNames, wholeNames, remembered] = [beginning(), beginning(), 0];
    let place = step(isCut ? cutNames : wholeNames, name);
    for (const other of others) place = step(place, other);
    place.resolved ??= resolve([{ text: name, isCut }, ...others.map((text) => ({ text, isCut: false }))]);
    return place.resolved;
  };
}

const resolvers = new WeakMap<LenderRegistry, ResolveLender>();

/** Cached, because building the look-up is most of the work of a small report, and a registry does not change. */
export function resolverOf(registry: LenderRegistry): ResolveLender {
  const known = resolvers.get(registry) ?? createLenderResolver(registry);
  resolvers.set(registry, known);
  return known;
}
