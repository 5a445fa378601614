// Codes: hire purchase reported as a loan or lease, unknown types, states that lag or disagree.
import { bank, card, catalogue, eq, ex, type GoldenCase, golden, hp, loan, pcp, phone, tu } from './write.ts';

const asLoan = { type: 'personal-loan' } as const;
const other = { type: 'other' } as const;
const unknown = { status: 'unknown' } as const;
const carAndLoan = loan({
  lender: 'pellgate',
  start: '2023-09-14',
  tail: '4001',
  amount: 1_800,
  n: 24,
  pay: 82.1,
  now: 0,
});

export const CODES: readonly GoldenCase[] = [
  golden('PCP told as a loan at one bureau', 'e1 x1 t1', eq('e1', pcp()), ex('x1', pcp(), asLoan), tu('t1', pcp())),
  golden(
    'PCP told as a loan at two bureaus',
    'e1 x1 t1',
    eq('e1', pcp(), asLoan),
    ex('x1', pcp(), asLoan),
    tu('t1', pcp()),
  ),
  golden('PCP told as a loan, no number there', 'e1 x1', eq('e1', pcp()), ex('x1', pcp(), { ...asLoan, tail: null })),
  golden('loan told as hire purchase', 'e1 x1', eq('e1', loan(), { type: 'hire-purchase' }), ex('x1', loan())),
  golden('PCP told as a lease', 'e1 t1', eq('e1', pcp()), tu('t1', pcp(), { type: 'lease' })),
  golden('HP of unknown type at one bureau', 'e1 x1 t1', eq('e1', hp()), ex('x1', hp(), other), tu('t1', hp())),
  golden('HP of unknown type, no number there', 'e1 x1', eq('e1', hp()), ex('x1', hp(), { ...other, tail: null })),
  golden('card of unknown type', 'e1 x1', eq('e1', card()), ex('x1', card(), other)),
  golden('current account of unknown type', 'e1 t1', eq('e1', bank()), tu('t1', bank(), other)),
  golden('unknown type at every bureau', 'e1 x1 t1', eq('e1', hp(other)), ex('x1', hp(other)), tu('t1', hp(other))),
  golden(
    'store card told as credit card',
    'e1 x1',
    eq('e1', card({ lender: 'dunlin', type: 'store-card' })),
    ex('x1', card({ lender: 'dunlin' })),
  ),
  golden('catalogue told as a card', 'e1 x1', eq('e1', catalogue()), ex('x1', catalogue(), { type: 'credit-card' })),
  golden('unknown state at one bureau', 'e1 x1', eq('e1', pcp()), ex('x1', pcp(), unknown)),
  golden('unknown type and state at one bureau', 'e1 t1', eq('e1', pcp()), tu('t1', pcp(), { ...other, ...unknown })),
  golden(
    'settled here, still open there',
    'e1 x1 t1',
    eq('e1', pcp()),
    ex('x1', pcp(), { status: 'open', end: null, now: 5_390 }),
    tu('t1', pcp()),
  ),
  golden(
    'settled here, still open there, no number there',
    'e1 t1',
    eq('e1', pcp()),
    tu('t1', pcp(), { status: 'open', end: null, now: 5_390.4, tail: null }),
  ),
  golden(
    'settled here, closed there',
    'e1 x1',
    eq('e1', card({ status: 'settled', end: '2022-04-04', now: 0 })),
    ex('x1', card({ status: 'closed', end: '2022-04-04', now: 0 })),
  ),
  golden(
    'arrears here, default there',
    'e1 x1',
    eq('e1', loan(), { status: 'arrears' }),
    ex('x1', loan(), { status: 'default' }),
  ),
  golden('arrangement here, open there', 'e1 t1', eq('e1', card(), { status: 'arrangement' }), tu('t1', card())),
  golden(
    'dormant here, open there',
    'e1 x1',
    eq('e1', bank({ now: 0 }), { status: 'dormant' }),
    ex('x1', bank({ now: 0 })),
  ),
  golden('queried at one bureau', 'e1 x1', eq('e1', phone(), { status: 'query' }), ex('x1', phone())),
  golden(
    'partially settled here, default there',
    'e1 x1',
    eq('e1', loan({ end: '2024-10-01', now: 0 }), { status: 'partially-settled' }),
    ex('x1', loan({ end: '2024-10-01', now: 0 }), { status: 'default' }),
  ),
  golden(
    'an HP and a small loan of one lender on one day: type confusion must not join them',
    'e1 x1 | e2 x2',
    eq('e1', hp({ lender: 'pellgate' })),
    ex('x1', hp({ lender: 'pellgate' }), asLoan),
    eq('e2', carAndLoan),
    ex('x2', carAndLoan),
  ),
  golden(
    'an HP at one bureau and a small loan of the same day at another',
    'e1 | x2',
    eq('e1', hp({ lender: 'pellgate' })),
    ex('x2', carAndLoan),
  ),
  golden(
    'an account of unknown type is not the lender’s HP when number, day and sum differ',
    'e1 | x2',
    eq('e1', hp()),
    ex('x2', hp({ ...other, tail: '7440', start: '2020-02-20', amount: 640, pay: 26.7, n: 24, now: 0 })),
  ),
];
