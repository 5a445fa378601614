// Writes a person's file the way Albion does: XML, upper case, whole pounds, names cut at 26, history oldest first.
import { wholeMonths } from '../dates.ts';
import type { PersonName } from '../people/identity.ts';
import { capitals } from '../people/names.ts';
import { referenceOf } from '../people/reference.ts';
import { type Premises, premisesKey, type Residence } from '../people/residences.ts';
import type { Row, Search, View, World } from '../people/view.ts';
import { hash32 } from '../random.ts';
import { element } from '../xml.ts';
import { MONTH_CODES, ORGANISATION_CODES, SEARCH_CODES, STATE_CODES, TYPE_CODES, UNKNOWN } from './codes.ts';

const NAME_MAX = 26;
const HISTORY_MAX = 72;

export function writeFile(view: View, { asOf, seed }: World): string {
  const { identity, residences, rows, searches } = view;
  const known = new Map(residences.map((residence) => [premisesKey(residence), premKey(residence)]));
  const hasUnknownCodes = rows.some((row) => row.hasUnknownCodes);
  const subject = element('subject', {
    matchLevel: 4,
    ttl: capitals(identity.name.title),
    fore: capitals(identity.name.given[0] ?? ''),
    sur: capitals(identity.name.family),
    dob: identity.born,
  });
  return [
    subject,
    ...residences.map((residence) => writePremises(residence, asOf)),
    element('accts', {}, rows.map((row) => writeAccount(row, { view, seed, known })).join('\n')),
    element('foot', {}, searches.map((search, place) => writeSearch(search, hasUnknownCodes && place === 0)).join('')),
  ].join('\n');
}

export const premKey = (premises: Premises) => String(40_000_000 + (hash32(premisesKey(premises)) % 50_000_000));

export function premisesLine({
  subBuilding,
  buildingName,
  number,
  thoroughfare,
  locality,
  town,
  postcode,
}: Premises): string {
  const isNumberLike = buildingName !== null && /^\d/.test(buildingName);
  const house = [subBuilding, isNumberLike ? null : buildingName].filter(Boolean).join(' ');
  const street = [isNumberLike ? buildingName : null, number, thoroughfare].filter(Boolean).join(' ');
  return capitals([house, street, locality, town, postcode].filter(Boolean).join(', '));
}

function writePremises(residence: Residence, asOf: string): string {
  const months = wholeMonths(residence.from, residence.to ?? asOf);
  return element('prem', {
    key: premKey(residence),
    cur: residence.to === null ? '1' : '0',
    since: duration(months),
    left: residence.to,
    line: premisesLine(residence),
  });
}

function duration(months: number): string {
  const [years, rest] = [Math.floor(months / 12), months % 12];
  return `P${years ? `${years}Y` : ''}${rest || !years ? `${rest}M` : ''}`;
}

type AccountInput = { view: View; seed: string; known: ReadonlyMap<string, string> };

function writeAccount(row: Row, { view, seed, known }: AccountInput): string {
  const { identity } = view;
  const attributes = {
    ref: referenceOf('albion', seed, identity.number, row.index),
    ty: row.hasUnknownCodes ? UNKNOWN.type : TYPE_CODES[row.product],
    org: row.hasUnknownCodes ? UNKNOWN.organisation : ORGANISATION_CODES[row.lender.sector],
    orgName: cut(row.lenderName),
    no: row.knowsNumber ? (row.isUnmasked ? row.number : `XXXXXX${row.number.slice(-4)}`) : null,
    jnt: row.isJoint ? '1' : '0',
    nm: row.holder === identity.name ? null : cut(holderText(row.holder)),
    prem: row.residence === null ? null : known.get(row.residence),
    grade: row.hasUnknownCodes ? 'Z9' : null,
  };
  return element('acct', attributes, writeDetails(row));
}

function writeDetails(row: Row): string {
  const { schedule, default: defaulted } = row;
  const state = row.state === 'behind' ? String(row.behind) : STATE_CODES[row.state];
  const months = row.months.slice(-HISTORY_MAX);
  const history = months.map(({ status }) => MONTH_CODES[status]).join('');
  return [
    element('open', { dt: row.opened, amt: pounds(row.creditPence) }),
    row.limitPence === null ? '' : element('limit', { amt: pounds(row.limitPence) }),
    schedule &&
      element('terms', {
        n: schedule.count,
        freq: schedule.every,
        amt: pounds(schedule.pence),
        last: pounds(schedule.lastPence),
      }),
    element('now', {
      bal: pounds(row.balancePence),
      upd: row.updated,
      st: row.hasUnknownCodes ? UNKNOWN.state : state,
      end: row.ended,
    }),
    defaulted && element('dflt', { dt: defaulted.on, amt: pounds(defaulted.pence) }),
    months[0] &&
      element('hist', { from: months[0].month, s: row.hasUnknownCodes ? UNKNOWN.month + history.slice(1) : history }),
  ]
    .filter(Boolean)
    .join('');
}

function writeSearch({ by, on, why }: Search, isUnknown: boolean): string {
  return element('srch', { org: cut(by), dt: on, why: isUnknown ? UNKNOWN.search : SEARCH_CODES[why] });
}

const cut = (text: string) => capitals(text).slice(0, NAME_MAX).trimEnd();

const holderText = ({ title, given, family }: PersonName) => `${title} ${given[0]} ${family}`;

/** To the nearest pound, half upwards. */
const pounds = (pence: number | null) => (pence === null ? null : String(Math.floor((pence + 50) / 100)));
