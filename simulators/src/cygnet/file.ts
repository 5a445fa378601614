// Writes a person's file the way Cygnet does: nested JSON by product, decimal pounds with a currency, mixed case, short
// names cut at 20 beside optional legal ones, dates in three precisions, months newest first.
import { londonOffset } from '../dates.ts';
import type { PersonName } from '../people/identity.ts';
import { referenceOf } from '../people/reference.ts';
import { premisesKey, type Residence } from '../people/residences.ts';
import type { Row, Search, View, World } from '../people/view.ts';
import { hash32 } from '../random.ts';
import { GROUPS, MONTHS, PRODUCTS, PURPOSES, SECTORS, STATES, UNKNOWN } from './codes.ts';

const SHORT_NAME_MAX = 20;
const MONTHS_MAX = 36;

const SECTIONS = { searches: 'lookups', premises: 'premises', credit: 'credit' } as const;

/** `missing`: a section to leave out, with a note in the file; undefined for a whole file. */
export function writeFile(view: View, { seed }: World, missing: string | undefined): object {
  const { identity, residences, rows, searches } = view;
  const keys = new Map(residences.map((residence, place) => [premisesKey(residence), `p${place + 1}`]));
  const hasUnknownCodes = rows.some((row) => row.hasUnknownCodes);
  const file: Record<string, unknown> = {
    premises: Object.fromEntries(residences.map((residence, place) => [`p${place + 1}`, writePremises(residence)])),
    credit: writeCredit(rows, (row) =>
      writeAccount(row, referenceOf('cygnet', seed, identity.number, row.index), keys),
    ),
    lookups: searches.map((search, place) => writeLookup(search, hasUnknownCodes && place === 0)),
  };
  if (missing === undefined) return file;
  const section = missing in SECTIONS ? (missing as keyof typeof SECTIONS) : 'searches';
  delete file[SECTIONS[section]];
  return { sections: { [section]: 'unavailable' }, ...file };
}

export const writeName = ({ title, given, family }: PersonName) => ({ title, given: given.slice(0, 1), family });

function writePremises({
  subBuilding,
  buildingName,
  number,
  thoroughfare,
  locality,
  town,
  postcode,
  from,
  to,
}: Residence) {
  return {
    paf: { subBuilding, buildingName, number, thoroughfare, locality, town, postcode },
    occupancy: [{ from, to }],
  };
}

function writeCredit(rows: readonly Row[], write: (row: Row) => object): object {
  const groups: Record<string, object[]> = Object.fromEntries(GROUPS.map((group) => [group, []]));
  for (const row of rows) {
    const group = row.hasUnknownCodes ? UNKNOWN.group : groupOf(row);
    groups[group] = [...(groups[group] ?? []), write(row)];
  }
  return groups;
}

/** Goods other than vehicles are financed by hire purchase too, and belong to the loans. */
function groupOf({ product, lender }: Row): string {
  return product === 'hire-purchase' && lender.sector !== 'motor-finance' ? 'loans' : PRODUCTS[product][0];
}

function writeAccount(row: Row, handle: string, keys: ReadonlyMap<string, string>): object {
  const { schedule, default: defaulted, lender, hasUnknownCodes } = row;
  const premises = keys.get(row.residence ?? '');
  const tradingAs = lender.trading === lender.legal ? [] : [lender.trading];
  return {
    handle,
    product: hasUnknownCodes ? UNKNOWN.product : productOf(row),
    lender: {
      short: cut(row.lenderName),
      ...(row.legalName !== null && { legal: { name: row.legalName, tradingAs } }),
      sector: hasUnknownCodes ? UNKNOWN.sector : SECTORS[lender.sector],
    },
    holder: writeName(row.holder),
    joint: row.isJoint,
    ...(premises !== undefined && { premises }),
    agreement: {
      lastDigits: row.knowsNumber ? (row.isUnmasked ? row.number : row.number.slice(-4)) : null,
      ...(row.isUnmasked && { number: row.number }),
      opened: writeDate(row.opened, handle),
      closed: writeDate(row.ended, handle),
      updated: midnight(row.updated),
      state: hasUnknownCodes ? UNKNOWN.state : STATES[row.state],
      opening: money(row.creditPence),
      outstanding: money(row.balancePence),
      limit: money(row.limitPence),
      balloon: money(schedule?.lastPence ?? null),
      schedule: schedule && {
        count: schedule.count,
        every: schedule.every === 'W' ? 'P1W' : 'P1M',
        amount: money(schedule.pence),
      },
      default: defaulted && { on: defaulted.on, amount: money(defaulted.pence) },
      ...(hasUnknownCodes && { riskBand: 'Z9' }),
    },
    months: row.months
      .slice(-MONTHS_MAX)
      .toReversed()
      .map(({ month, status, balancePence }, place) => ({
        month,
        status: hasUnknownCodes && place === 0 ? UNKNOWN.month : MONTHS[status],
        balance: status === 'not-reported' ? null : money(balancePence),
      })),
  };
}

function productOf({ product, schedule, lender }: Row): string {
  const hasBalloon = product === 'hire-purchase' && Boolean(schedule?.lastPence);
  return hasBalloon && hash32(`cygnet/${lender.id}`) % 5 === 0 ? 'CONDITIONAL_SALE' : PRODUCTS[product][1];
}

function writeLookup({ by, on, why }: Search, isUnknown: boolean): object {
  const minute = hash32(by + on) % 540;
  const clock = `${String(9 + Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
  return {
    by: cut(by),
    on: `${on}T${clock}${londonOffset(on)}`,
    purpose: isUnknown ? UNKNOWN.purpose : PURPOSES[why],
  };
}

/** A month stays a month; three records in ten give the day with time and zone. */
function writeDate(date: string | null, handle: string): string | null {
  if (date === null || date.length === 7) return date;
  return hash32(handle + date) % 10 < 3 ? midnight(date) : date;
}

const midnight = (date: string) => `${date}T00:00:00${londonOffset(date)}`;

const cut = (text: string) => text.slice(0, SHORT_NAME_MAX).trimEnd();

function money(pence: number | null) {
  if (pence === null) return null;
  const digits = String(Math.abs(pence)).padStart(3, '0');
  return { value: `${pence < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`, ccy: 'GBP' };
}
