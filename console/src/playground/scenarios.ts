// The catalogue of test values as things to do: the request that each value belongs to, and what follows it. Pure.
import type { components, GenerateRequest } from '@trefoil/sdk';

type Schemas = components['schemas'];
export type TestValue = Schemas['TestValue'];
type Options = NonNullable<GenerateRequest['testOptions']>;

export type Next =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'resend' }
  | { readonly kind: 'clock'; readonly advanceSeconds: number };

export type Scenario = { readonly request: GenerateRequest; readonly next?: Next };

/** An invented person: test mode asks no bureau. */
const REQUEST: GenerateRequest = {
  test: true,
  sessionId: 'playground',
  ipAddress: '192.0.2.10',
  searchType: 'pcp',
  bureaus: ['equifax', 'experian', 'transunion'],
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  mobileNumber: '+447700900123',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
    },
  ],
};

/** Past the five minutes in which a code works. */
const PAST_EXPIRY_SECONDS = 301;
const DELAY_MS = 3_000;
const CHALLENGE = { challengeOptions: { status: 'challenge' } } as const;
const ERASED = 'credit-report-purged';
const RIGHT_CODE: Next = { kind: 'code', code: '123456' };
const withOptions = (testOptions: Options): GenerateRequest => ({ ...REQUEST, testOptions });

/** By the field of the value. The server refuses what it does not know, so a value is passed on as it is. */
const MAKERS: Readonly<Record<string, (value: string) => Scenario>> = {
  '/email': (value) => ({
    request: {
      ...REQUEST,
      email: value.startsWith('<') ? 'somebody@example.com' : value.replace(/<.*>/, 'example.com'),
    },
  }),
  '/challengeOptions/status': (value) => ({
    request: { ...REQUEST, challengeOptions: { status: value as 'allow' | 'challenge' | 'block' } },
  }),
  '/code': (value) => ({
    request: { ...REQUEST, ...CHALLENGE },
    next: { kind: 'code', code: value.startsWith('<') ? '000000' : value },
  }),
  '/testOptions/outcome': (value) => ({
    request: {
      ...withOptions({
        outcome: value as NonNullable<Options['outcome']>,
        ...(value === 'failed' && { reason: 'no-bureau-answered' }),
      }),
      ...(value === ERASED && CHALLENGE),
    },
    // The report is answered before it is erased: only what follows is refused.
    ...(value === ERASED && { next: RIGHT_CODE }),
  }),
  '/testOptions/reason': (value) => ({
    request: withOptions({ outcome: 'failed', reason: value as NonNullable<Options['reason']> }),
  }),
  '/testOptions/bureauResults/<place>/outcome': (value) => ({
    request: withOptions({
      bureauResults: [{ bureau: 'equifax', outcome: value as 'ok' | 'no-trace' | 'unavailable' }],
    }),
  }),
  '/testOptions/resend': (value) => ({
    request: { ...withOptions({ resend: value as NonNullable<Options['resend']> }), ...CHALLENGE },
    next: { kind: 'resend' },
  }),
  '/testOptions/receipt': (value) => ({
    request: { ...withOptions({ receipt: value as NonNullable<Options['receipt']> }), ...CHALLENGE },
  }),
  '/testOptions/charges': () => ({ request: withOptions({ charges: true }) }),
  '/testOptions/delayMs': () => ({ request: withOptions({ delayMs: DELAY_MS }) }),
  '/advanceSeconds': () => ({
    request: { ...REQUEST, ...CHALLENGE },
    next: { kind: 'clock', advanceSeconds: PAST_EXPIRY_SECONDS },
  }),
};

/** Undefined for a field that this page does not know yet. */
export const scenarioOf = ({ field, value }: TestValue): Scenario | undefined => MAKERS[field]?.(value);

const TITLES: Readonly<Record<string, string>> = {
  '/email': 'Reports',
  '/challengeOptions/status': 'Screening',
  '/code': 'Codes',
  '/testOptions/outcome': 'Refusals and failures',
  '/testOptions/reason': 'Why a report fails',
  '/testOptions/bureauResults/<place>/outcome': 'One bureau',
  '/testOptions/resend': 'Sending a code again',
  '/testOptions/receipt': 'Texts that arrive or not',
  '/testOptions/charges': 'Money of test mode',
  '/testOptions/delayMs': 'Slow answers',
  '/advanceSeconds': 'Time that passes',
};

export type Group = { readonly field: string; readonly title: string; readonly values: readonly TestValue[] };

/** In the order of the catalogue. */
export function groupsOf(values: readonly TestValue[]): Group[] {
  const groups = new Map<string, TestValue[]>();
  for (const value of values) groups.set(value.field, [...(groups.get(value.field) ?? []), value]);
  return [...groups].map(([field, each]) => ({ field, title: TITLES[field] ?? field, values: each }));
}
