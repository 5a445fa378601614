// What the carrier does with one message: how it answers the submit, which receipts follow, and what it answers when
// asked. Given as text, such as `late=500, duplicate=3`, by a rule or by the recipient's number (WIRE.md, "The carrier").
export const CARRIER_BEHAVIOURS = [
  'delivered',
  'undelivered',
  'forget',
  'reorder',
  'receipts',
  'state',
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
  'other',
] as const;

type CarrierBehaviour = (typeof CARRIER_BEHAVIOURS)[number];

/** `lost`, `reset`, `garbage` and `huge` accept the message and damage the response. */
export type Submit = 'accept' | 'refuse' | 'throttle' | 'lost' | 'hang' | 'reset' | 'garbage' | 'huge';

export type Plan = {
  readonly text: string;
  readonly submit: Submit;
  /** The error code of a refusal. */
  readonly errorCode: number;
  /** In the order in which they are sent. */
  readonly receipts: readonly string[];
  /** The state the carrier reports when asked, whatever its receipts say; null for the state of its receipts. */
  readonly state: string | null;
  /** The answer to an ask is about another message. */
  readonly isAboutOther: boolean;
  readonly lateMs: number;
  readonly copies: number;
  /** Receipts are sent before the submit is answered. */
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
  9: 'forget, state=delivered',
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
    state: wishes.get('state') || null,
    isAboutOther: wishes.has('other'),
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
  const takesWords = name === 'receipts' || name === 'state';
  if (max === undefined ? value !== '' && !takesWords : !/^\d{0,8}$/.test(value) || Number(value) > max)
    throw new BadPlan(`${name} does not take ${value}`);
  if (name === 'state' && !/^[a-z_]{1,40}$/.test(value)) throw new BadPlan('state takes one state');
  if (name === 'receipts' && !/^[a-z_]*(\+[a-z_]+)*$/.test(value))
    throw new BadPlan('receipts takes states joined with +');
  return [name, value];
}
