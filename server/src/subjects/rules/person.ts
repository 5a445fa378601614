// When two spellings are one person: the parts that are hashed, in one form. Pure. Birth dates are compared as they are.
import type { CreditReport, GenerateRequest, SubjectRequest } from '@trefoil/contract';

/** First name, last name, birth date, postcode, in their one form. */
export type PersonKey = readonly [firstName: string, lastName: string, dateOfBirth: string, postcode: string];

/** Letters that do not decompose into a base letter and a mark. */
const BASES: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ŋ: 'n', ħ: 'h' },
};

/** Without case, accents, spaces, hyphens, apostrophes and dots: people and forms leave them out or add them. */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœøłđðþıŋħ]/g, (letter) => BASES[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
}

const foldPostcode = (postcode: string) => postcode.replace(/\s/g, '').toUpperCase();

export const keyOfPerson = ({ firstName, lastName, dateOfBirth, postcode }: SubjectRequest): PersonKey => [
  foldName(firstName),
  foldName(lastName),
  dateOfBirth,
  foldPostcode(postcode),
];

type Named = { readonly firstName: string; readonly middleName?: string; readonly lastName: string };

/**
 * Of `Mary Ann`, with the middle name `Rose`: as it is, and with the middle name. Not its first word alone: twins may share it, and
 * one must not get or erase the other's reports.
 */
function spellingsOf({ firstName, middleName, lastName }: Named): (readonly [string, string])[] {
  const firsts = [firstName, ...(middleName === undefined ? [] : [`${firstName} ${middleName}`])];
  return firsts.map((first) => [foldName(first), foldName(lastName)]);
}

/** More than any person has; a file with hundreds of addresses must not make thousands of hashes. */
const NAMES_MAX = 6;
const POSTCODES_MAX = 20;

/**
 * Every person key by which a report is found: its person's names with its person's postcodes, as requested and as the bureaus
 * gave them. Names on accounts are left out: an account may be a relative's, who must not get this person's report.
 */
export function keysOfReport(request: GenerateRequest, report: CreditReport | null): PersonKey[] {
  const names = new Map(
    [...spellingsOf(request as Named), ...(report ? spellingsOf(report.person) : [])]
      .filter(([first, last]) => first !== '' && last !== '')
      .map((name) => [name.join(' '), name]),
  );
  const postcodes = new Set(
    [
      ...request.addresses.map(({ ukAddress }) => ukAddress.postcode),
      ...(report?.residencies ?? []).map(({ address }) => address.ukAddress.postcode ?? ''),
    ]
      .map(foldPostcode)
      .filter((postcode) => postcode !== ''),
  );
  return [...names.values()]
    .slice(0, NAMES_MAX)
    .flatMap(([first, last]) =>
      [...postcodes].slice(0, POSTCODES_MAX).map((postcode): PersonKey => [first, last, request.dateOfBirth, postcode]),
    );
}
