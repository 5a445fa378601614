// Checks that an outcome is what the port promises. Written from port.ts and the contract alone, with a schema and
// without the readers, so that it does not share their faults. Tests only.
import { ACCOUNT_STATUSES, ACCOUNT_TYPES, COMPANY_TYPES } from '@trefoil/contract';
import { Ajv } from 'ajv';
import type { BureauOutcome, ReadOutcome } from '../port.ts';

const PENCE_MAX = 1_000_000_000_000;

const nullable = (schema: object) => ({ anyOf: [{ type: 'null' }, schema] });
const closed = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const text = (maxLength: number, minLength = 1) => ({ type: 'string', minLength, maxLength, format: 'one-line' });
const whole = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });
const date = { type: 'string', format: 'real-date' };
const amount = nullable(whole(0, PENCE_MAX));

const account = closed({
  ref: text(80),
  accountType: { enum: ACCOUNT_TYPES },
  accountStatus: { enum: ACCOUNT_STATUSES },
  companyType: { enum: COMPANY_TYPES },
  companyName: text(150, 0),
  companyNameLimit: { enum: [20, 26, 40] },
  otherCompanyNames: { type: 'array', maxItems: 10, items: text(150) },
  title: nullable(text(100)),
  firstName: nullable(text(100)),
  lastName: nullable(text(100)),
  accountNumberTail: nullable({ type: 'string', pattern: '^[0-9]{1,4}$' }),
  startDate: nullable(date),
  endDate: nullable(date),
  updatedDate: nullable(date),
  numberOfPayments: nullable(whole(0, 2_000)),
  repaymentPeriodMonths: nullable(whole(0, 24_000)),
  paymentPence: amount,
  startBalancePence: amount,
  balancePence: nullable(whole(-PENCE_MAX, PENCE_MAX)),
  balloonPence: amount,
  moneyStepPence: { enum: [1, 100] },
  isJoint: nullable({ type: 'boolean' }),
});

const address = closed({
  subBuildingName: nullable(text(110)),
  buildingName: nullable(text(100)),
  buildingNumber: nullable(text(100)),
  thoroughfare: nullable(text(100)),
  district: nullable(text(400)),
  townOrCity: nullable(text(100)),
  county: { type: 'null' },
  country: { type: 'null' },
  postcode: nullable({
    type: 'string',
    pattern: '^(?:[A-Z]{1,2}[0-9][A-Z0-9]? [0-9][A-Z]{2}|BFPO [0-9]{1,4}|GIR 0AA)$',
  }),
  monthsAtAddress: nullable(whole(0, 2_400)),
  isCurrent: nullable({ type: 'boolean' }),
});

const search = closed({
  companyName: text(150, 0),
  companyNameLimit: { enum: [20, 26, 40] },
  date: { type: 'string', format: 'real-date', minLength: 10 },
});
const list = (items: object, maxItems: number) => ({ type: 'array', items, maxItems });

const warning = closed({
  field: { type: 'string', pattern: '^[a-z]+(?:\\.[a-zA-Z]+)?$' },
  kind: { enum: ['unknown-code', 'missing-section', 'unreadable-value', 'duplicate-ref', 'unmasked-number'] },
  count: { type: 'integer', minimum: 1 },
});

const outcome = {
  anyOf: [
    closed({
      kind: { const: 'ok' },
      file: closed({
        accounts: list(account, 2_000),
        addresses: list(address, 200),
        searches: list(search, 2_000),
      }),
      warnings: list(warning, 100),
    }),
    closed({ kind: { const: 'no-trace' } }),
    closed({
      kind: { const: 'unavailable' },
      reason: {
        enum: [
          'timeout',
          'connection',
          'throttled',
          'refused',
          'unintelligible',
          'too-large',
          'breaker-open',
          'overloaded',
        ],
      },
      // One of our errors: its message is checked below.
      cause: { type: 'object' },
    }),
  ],
};

function isRealDate(text: string): boolean {
  const [, year, month, day = '01'] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(text) ?? [];
  const moment = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${year}-${month}-${day}`);
}

const isOneLine = (value: string) =>
  value === value.trim() && value.isWellFormed() && ![...value].some((sign) => sign < ' ' || sign === '\u007f');

const ajv = new Ajv({
  strict: true,
  formats: {
    'real-date': { type: 'string', validate: isRealDate },
    'one-line': { type: 'string', validate: isOneLine },
  },
});
const isOutcome = ajv.compile(outcome);

/** Throws with the location of the fault. For what a reader makes of a reply. */
export function checkReading(value: ReadOutcome): void {
  const isWellFormed: boolean = isOutcome(value);
  if (!isWellFormed) {
    const places = (isOutcome.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    throw new Error(`not an outcome of the port: ${places.join('; ')}`);
  }
  if (value.kind === 'ok') {
    const refs = value.file.accounts.map(({ ref }) => ref);
    if (new Set(refs).size !== refs.length) throw new Error('two accounts under one reference');
    const noted = value.warnings.map(({ field, kind }) => `${field} ${kind}`);
    if (new Set(noted).size !== noted.length) throw new Error('a warning told twice');
  }
  if (value.kind === 'unavailable') {
    // Fixed phrases with at most a four-digit code or our own limit: nothing from a reply.
    const words = (value.cause as Error).message.replace('5000000', '');
    if (!/^[a-z-]+: [A-Za-z0-9 _,:-]{1,80}$/.test(words) || /\d{5}/.test(words)) {
      throw new Error('a cause that may quote the reply');
    }
  }
}

/** The same for what an adapter answers: an answer names the reply it was read from, and nothing else has a mark. */
export function checkOutcome(value: BureauOutcome): void {
  if (value.kind === 'unavailable') {
    checkReading(value);
    return;
  }
  const { replySha256, answeredAt, ...reading } = value;
  checkReading(reading);
  if (!/^[0-9a-f]{64}$/.test(replySha256)) throw new Error('no digest of the reply');
  if (new Date(answeredAt).toISOString() !== answeredAt) throw new Error('no time of the reply');
}
