// A debt sold on: the first lender's default and the purchaser's record are two records, at however many bureaus.
import { card, catalogue, eq, ex, type Facts, type GoldenCase, golden, loan, pcp, phone, tu } from './write.ts';

const gone: Partial<Facts> = { status: 'default', end: '2022-05-16', now: 1_846.22 };
const original = card(gone);
const bought = card({ ...gone, lender: 'ravelin', tail: '6604', start: '2022-11-02', end: null, amount: 1_846.22 });
const carried = card({ ...gone, lender: 'ravelin', end: null, amount: 1_846.22 });
const badLoan = loan({ ...gone, now: 5_120.9 });
const boughtLoan = loan({
  ...gone,
  lender: 'lorncliffe',
  tail: '8123',
  n: null,
  pay: null,
  end: null,
  amount: 5_120.9,
  now: 5_120.9,
});

export const SOLD_DEBT: readonly GoldenCase[] = [
  golden(
    'card default and purchaser, both at two bureaus',
    'e1 x1 | e2 x2',
    eq('e1', original),
    ex('x1', original),
    eq('e2', bought),
    ex('x2', bought),
  ),
  golden('card default at one bureau, purchaser at another', 'e1 | x2', eq('e1', original), ex('x2', bought)),
  golden(
    'purchaser keeps the first opening day, number and balance',
    'e1 x1 | e2 x2',
    eq('e1', original),
    ex('x1', original),
    eq('e2', carried),
    ex('x2', carried),
  ),
  golden(
    'purchaser keeps day, number and balance, at another bureau',
    'e1 | x2',
    eq('e1', original),
    ex('x2', carried),
  ),
  golden(
    'original emptied after the sale',
    'e1 x1 | e2 x2',
    eq('e1', original, { now: 0 }),
    ex('x1', original, { now: 0 }),
    eq('e2', bought),
    ex('x2', bought),
  ),
  golden(
    'original told as transferred at one bureau and default at another',
    'e1 x1 | t2',
    eq('e1', original, { status: 'transferred', now: 0 }),
    ex('x1', original),
    tu('t2', bought),
  ),
  golden(
    'loan default and purchaser with the same opening day',
    'e1 t1 | e2 t2',
    eq('e1', badLoan),
    tu('t1', badLoan),
    eq('e2', boughtLoan),
    tu('t2', boughtLoan),
  ),
  golden('loan default and purchaser, each at another bureau', 'x1 | t2', ex('x1', badLoan), tu('t2', boughtLoan)),
  golden(
    'purchaser’s record told as type other at one bureau',
    'e2 x2',
    eq('e2', bought),
    ex('x2', bought, { type: 'other' }),
  ),
  golden(
    'purchaser’s former name at one bureau',
    'e2 x2',
    eq('e2', bought),
    ex('x2', bought, { name: 'Bastion Collections' }),
  ),
  golden(
    'a debt sold twice: three records',
    'e1 | e2 | e3',
    eq('e1', original),
    eq('e2', carried),
    eq('e3', carried, { lender: 'ashquay', tail: '0077' }),
  ),
  golden(
    'two debts bought by one purchaser in one month',
    'e1 x1 | e2 x2',
    eq('e1', bought),
    ex('x1', bought),
    eq('e2', bought, { tail: '7781', amount: 402.1, now: 402.1 }),
    ex('x2', bought, { tail: '7781', amount: 402.1, now: 402.1 }),
  ),
  golden(
    'two purchasers whose names begin alike',
    'e1 t1 | e2 t2',
    eq('e1', bought, { lender: 'ashquay' }),
    tu('t1', bought, { lender: 'ashquay' }),
    eq('e2', bought, { lender: 'ashquay-three', tail: '5120', amount: 933, now: 933 }),
    tu('t2', bought, { lender: 'ashquay-three', tail: '5120', amount: 933, now: 933 }),
  ),
  golden(
    'phone debt sold',
    'e1 x1 | e2',
    eq('e1', phone(gone)),
    ex('x1', phone(gone)),
    eq('e2', phone({ ...gone, lender: 'ashquay', tail: '1900', n: null, pay: null, end: null })),
  ),
  golden(
    'catalogue debt sold, purchaser told as finance house',
    'e1 x1 | x2',
    eq('e1', catalogue(gone)),
    ex('x1', catalogue(gone)),
    ex('x2', catalogue({ ...gone, lender: 'lorncliffe', sector: 'finance-house', tail: '1900', end: null })),
  ),
  golden(
    'HP shortfall sold',
    'e1 x1 | e2 x2',
    eq('e1', pcp({ ...gone, status: 'repossessed' })),
    ex('x1', pcp({ ...gone, status: 'repossessed' })),
    eq(
      'e2',
      pcp({
        ...gone,
        lender: 'ravelin',
        type: 'other',
        tail: '3401',
        n: null,
        pay: null,
        balloon: null,
        end: null,
        amount: 1_846.22,
      }),
    ),
    ex(
      'x2',
      pcp({
        ...gone,
        lender: 'ravelin',
        type: 'other',
        tail: '3401',
        n: null,
        pay: null,
        balloon: null,
        end: null,
        amount: 1_846.22,
      }),
    ),
  ),
];
