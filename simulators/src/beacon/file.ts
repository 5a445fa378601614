// Writes a person's file the way Beacon does: flat JSON, every value a string, pounds in seven digits rounded down,
// dates DDMMYYYY, names cut at 40, history newest first, addresses in a table.
import { wholeMonths } from '../dates.ts';
import type { PersonName } from '../people/identity.ts';
import { capitals } from '../people/names.ts';
import { referenceOf } from '../people/reference.ts';
import { foldPostcode, premisesKey, type Residence } from '../people/residences.ts';
import type { Row, Search, View, World } from '../people/view.ts';
import { hash32 } from '../random.ts';
import {
  COMPANY_CODES,
  CONDITIONAL_SALE,
  MONTH_CODES,
  SEARCH_CODES,
  STATE_CODES,
  TYPE_CODES,
  UNKNOWN,
} from './codes.ts';

const NAME_MAX = 40;
const HISTORY_MAX = 72;
const MASK_WIDTH = 8;

export function writeFile({ identity, residences, rows, searches }: View, { asOf, seed }: World): object {
  const places = new Map(residences.map((residence, place) => [premisesKey(residence), pad(place + 1, 2)]));
  const hasUnknownCodes = rows.some((row) => row.hasUnknownCodes);
  const { title, given, family } = identity.name;
  return {
    sub: {
      ml: '4',
      ttl: capitals(title),
      fn: capitals(given[0] ?? ''),
      sn: capitals(family),
      dob: date(identity.born),
    },
    loc: residences.map((residence, place) => writeLocation(residence, pad(place + 1, 2), asOf)),
    acc: rows.map((row) => writeAccount(row, referenceOf('beacon', seed, identity.number, row.index), places)),
    cap: searches.map((search, place) => writeSearch(search, hasUnknownCodes && place === 0)),
  };
}

function writeLocation(residence: Residence, i: string, asOf: string): object {
  const { subBuilding, buildingName, number, thoroughfare, locality, town, postcode, from, to } = residence;
  const isNumberLike = buildingName !== null && /^\d/.test(buildingName);
  const months = wholeMonths(from, to ?? asOf);
  return {
    i,
    cu: to === null ? 'Y' : 'N',
    flat: capitals(subBuilding ?? '').replace(/^FLAT /, ''),
    hn: isNumberLike ? capitals(buildingName) : '',
    hnm: isNumberLike ? '' : capitals(buildingName ?? ''),
    hno: number ?? '',
    st: capitals(thoroughfare),
    dl: capitals(locality ?? ''),
    pt: capitals(town),
    pc: foldPostcode(postcode),
    tm: pad(Math.floor(months / 12), 2) + pad(months % 12, 2),
    lv: date(to),
  };
}

function writeAccount(row: Row, k: string, places: ReadonlyMap<string, string>): object {
  const { schedule } = row;
  const history = row.months
    .slice(-HISTORY_MAX)
    .toReversed()
    .map(({ status }) => MONTH_CODES[status])
    .join('');
  return {
    k,
    loc: places.get(row.residence ?? '') ?? '',
    typ: typeCode(row),
    cty: row.hasUnknownCodes ? UNKNOWN.company : COMPANY_CODES[row.lender.sector],
    sup: cut(row.lenderName),
    nm: cut(holderText(row.holder)),
    jn: row.isJoint ? 'Y' : 'N',
    num: numberText(row),
    sfx: String(hash32(row.number) % 10 === 0 ? 1 : 0),
    std: date(row.opened),
    sed: date(row.ended),
    upd: date(row.updated),
    ob: pounds(row.creditPence),
    b: balances(row),
    pay: pounds(schedule?.pence ?? null),
    np: schedule ? pad(schedule.count, 3) : '',
    rp: row.termMonths === null ? '' : pad(row.termMonths, 3),
    fq: schedule?.every ?? '',
    dfd: date(row.default?.on ?? null),
    st: row.hasUnknownCodes ? UNKNOWN.state : STATE_CODES[row.state],
    sts: row.hasUnknownCodes ? UNKNOWN.month + history.slice(1) : history,
    ...(row.hasUnknownCodes && { zz: 'Z9' }),
  };
}

function typeCode(row: Row): string {
  if (row.hasUnknownCodes) return UNKNOWN.type;
  const hasBalloon = row.product === 'hire-purchase' && Boolean(row.schedule?.lastPence);
  return hasBalloon && hash32(row.lender.id) % 4 === 0 ? CONDITIONAL_SALE : TYPE_CODES[row.product];
}

function numberText(row: Row): string {
  if (!row.knowsNumber) return '';
  return row.isUnmasked ? row.number : row.number.slice(-row.tailLength).padStart(MASK_WIDTH, '*');
}

function balances({ balancePence, limitPence, schedule, default: defaulted }: Row): object[] {
  const owed = balancePence === null ? [] : [{ amt: pounds(Math.abs(balancePence)), kd: balancePence < 0 ? 'K' : 'C' }];
  const rest = [
    [limitPence, 'L'],
    [schedule?.lastPence ?? null, 'F'],
    [defaulted?.pence ?? null, 'D'],
  ] as const;
  return [...owed, ...rest.flatMap(([pence, kd]) => (pence === null ? [] : [{ amt: pounds(pence), kd }]))];
}

function writeSearch({ by, on, why }: Search, isUnknown: boolean): object {
  return { co: cut(by), dt: date(on), tp: isUnknown ? UNKNOWN.search : SEARCH_CODES[why] };
}

const pad = (value: number, width: number) => String(value).padStart(width, '0');

const cut = (text: string) => capitals(text).slice(0, NAME_MAX).trimEnd();

const holderText = ({ title, given, family }: PersonName) => `${title} ${given[0]} ${family}`;

/** `2019-02-18` is `18022019`, `2019-02` is `00022019`. */
export function date(iso: string | null): string {
  if (iso === null) return '';
  const [year = '', month = '', day = '00'] = iso.split('-');
  return day + month + year;
}

/** Rounded down. The format has no negative amounts; one is sent only on request. */
function pounds(pence: number | null): string {
  if (pence === null) return '';
  const whole = Math.min(9_999_999, Math.floor(Math.abs(pence) / 100));
  return pence < 0 ? `-${pad(whole, 6)}` : pad(whole, 7);
}
