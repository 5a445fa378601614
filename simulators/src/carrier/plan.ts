// What the carrier does with one message: how it answers the submit, and which receipts follow. Told as text, such as
// `late=500, duplicate=3`, by a rule or by the number it goes to (WIRE.md, "The carrier").
export const CARRIER_BEHAVIOURS = [
  'delivered',
  'undelivered',
  'forget',
  'reorder',
  'receipts',
  'late',
  'duplicate',
  'early',
  'refuse',
  'throttle',
  'lost',
  'hang',
  'reset',
  'garbage',
  'huge',
] as const;

type CarrierBehaviour = (typeof CARRIER_BEHAVIOURS)[number];

/** `lost`, `reset`, `garbage` and `huge` take the message and spoil the answer. */
export type Submit = 'accept' | 'refuse' | 'throttle' | 'lost' | 'hang' | 'reset' | 'garbage' | 'huge';

export type Plan = {
  readonly text: string;
  readonly submit: Submit;
  /** Of a refusal. */
  readonly errorCode: number;
  /** In the order in which they are told. */
  readonly receipts: readonly string[];
  readonly lateMs: number;
  readonly copies: number;
  /** Receipts come before the submit is answered. */
  readonly isEarly: boolean;
};

export class BadPlan extends Error {}

/** The first digit of the last three of a reserved number. */
const BY_NUMBER: Readonly<Record<string, string>> = {
  1: 'late=2000',
  2: 'undelivered',
  3: 'forget',
  4: 'duplicate=2',
  5: 'reorder',
  6: 'refuse=21610',
  7: 'lost',
  8: 'hang',
};

export function planForNumber(to: string): Plan {
  const [, digit = ''] = /^\+447700900(\d)\d\d$/.exec(to) ?? [];
  return planOf(BY_NUMBER[digit] ?? 'delivered');
}

const ORDERS: Partial<Record<CarrierBehaviour, readonly string[]>> = {
  delivered: ['sent', 'delivered'],
  undelivered: ['sent', 'undelivered'],
  forget: [],
  reorder: ['delivered', 'sent', 'undelivered'],
};

const SUBMITS: readonly Submit[] = ['refuse', 'throttle', 'lost', 'hang', 'reset', 'garbage', 'huge'];

export function planOf(text: string): Plan {
  const wishes = new Map(text.split(',').map((part) => readWish(part.trim())));
  const amount = (name: CarrierBehaviour, usual: number, unless: number) =>
    wishes.has(name) ? Number(wishes.get(name) || usual) : unless;
  const order = Object.keys(ORDERS).findLast((name) => wishes.has(name as CarrierBehaviour)) as CarrierBehaviour;
  const listed = wishes.get('receipts')?.split('+').filter(Boolean);
  return {
    text,
    submit: SUBMITS.find((submit) => wishes.has(submit as CarrierBehaviour)) ?? 'accept',
    errorCode: amount('refuse', 21_610, 0),
    receipts: listed ?? ORDERS[order] ?? ['sent', 'delivered'],
    lateMs: amount('late', 2_000, 0),
    copies: amount('duplicate', 2, 1),
    isEarly: wishes.has('early'),
  };
}

const NUMBERS_MAX: Partial<Record<CarrierBehaviour, number>> = { late: 86_400_000, duplicate: 1_000, refuse: 999_999 };

function readWish(part: string): readonly [CarrierBehaviour, string] {
  const [, word = '', value = ''] = /^([a-z]+)(?:=(.*))?$/.exec(part) ?? [];
  const name = CARRIER_BEHAVIOURS.find((known) => known === word);
  if (name === undefined) throw new BadPlan(`no such behaviour: ${part}. Known: ${CARRIER_BEHAVIOURS.join(', ')}`);
  const max = NUMBERS_MAX[name];
  if (max === undefined ? value !== '' && name !== 'receipts' : !/^\d{0,8}$/.test(value) || Number(value) > max)
    throw new BadPlan(`${name} does not take ${value}`);
  if (name === 'receipts' && !/^[a-z_]*(\+[a-z_]+)*$/.test(value))
    throw new BadPlan('receipts takes states joined with +');
  return [name, value];
}
