// Brands of one group: two agreements with two brands stay two; one agreement under the sister brand's name stays one.
import { card, eq, ex, type GoldenCase, golden, hp, loan, tu } from './write.ts';

const larkmoor = hp({ lender: 'larkmoor' });
const saltershaw = hp({
  lender: 'saltershaw',
  tail: '2710',
  amount: 18_950,
  pay: 432.05,
  now: 8_801.3,
  n: 49,
  balloon: 6_400,
});
const trellis = card({ lender: 'trellisford' });
const bluefern = card({ lender: 'bluefern', tail: '1193', amount: 4_500, now: 95.1 });
const hazel = card({ lender: 'hazelmarch', tail: '8846', amount: 900, now: 310.77 });

export const GROUPS: readonly GoldenCase[] = [
  golden(
    'two cars from two brands on one day',
    'e1 x1 t1 | e2 x2 t2',
    eq('e1', larkmoor),
    ex('x1', larkmoor),
    tu('t1', larkmoor),
    eq('e2', saltershaw),
    ex('x2', saltershaw),
    tu('t2', saltershaw),
  ),
  golden('two brands, each at another bureau, same day', 'e1 | x1', eq('e1', larkmoor), ex('x1', saltershaw)),
  golden(
    'three cards of three brands on one day',
    'e1 x1 | e2 x2 | e3 x3',
    eq('e1', trellis),
    ex('x1', trellis),
    eq('e2', bluefern),
    ex('x2', bluefern),
    eq('e3', hazel),
    ex('x3', hazel),
  ),
  golden('two brands’ cards, each at another bureau', 'e1 | t1', eq('e1', trellis), tu('t1', bluefern)),
  golden(
    'two brands’ cards a week apart, limit the same, numbers differ',
    'e1 t1 | e2 t2',
    eq('e1', trellis),
    tu('t1', trellis),
    eq('e2', bluefern, { amount: 3_000, start: '2018-06-18' }),
    tu('t2', bluefern, { amount: 3_000, start: '2018-06-18' }),
  ),
  golden(
    'one card under the sister’s name: number, day, limit and balance agree',
    'e1 x1',
    eq('e1', trellis),
    ex('x1', trellis, { name: 'Bluefern Card' }),
  ),
  golden(
    'one HP under the sister’s name: number, day, sum, term and instalment agree',
    'e1 x1 t1',
    eq('e1', larkmoor),
    ex('x1', larkmoor, { name: 'Saltershaw Automotive Finance' }),
    tu('t1', larkmoor),
  ),
  golden(
    'sister’s name on one row while the sister’s own agreement is there too',
    'e1 x1 t1 | e2 x2 t2',
    eq('e1', larkmoor),
    ex('x1', larkmoor, { name: 'Saltershaw Automotive Finance' }),
    tu('t1', larkmoor),
    eq('e2', saltershaw),
    ex('x2', saltershaw),
    tu('t2', saltershaw),
  ),
  golden(
    'bank and motor arm of one group: a loan and an HP on one day',
    'e1 x1 | e2 x2',
    eq('e1', loan({ lender: 'harrowmead-bank' })),
    ex('x1', loan({ lender: 'harrowmead-bank' })),
    eq('e2', hp({ lender: 'harrowmead-motor', start: '2023-01-20' })),
    ex('x2', hp({ lender: 'harrowmead-motor', start: '2023-01-20' })),
  ),
  golden(
    'bank and motor arm of one group, each at another bureau',
    'e1 | x1',
    eq('e1', loan({ lender: 'harrowmead-bank' })),
    ex('x1', hp({ lender: 'harrowmead-motor', start: '2023-01-20' })),
  ),
  golden(
    'loans from a bank and its direct arm in one week, other sums',
    'e1 x1 | e2 t2',
    eq('e1', loan({ lender: 'corveside' })),
    ex('x1', loan({ lender: 'corveside' })),
    eq(
      'e2',
      loan({ lender: 'corveside-direct', tail: '7119', start: '2023-01-24', amount: 4_000, pay: 88.2, now: 1_720 }),
    ),
    tu(
      't2',
      loan({ lender: 'corveside-direct', tail: '7119', start: '2023-01-24', amount: 4_000, pay: 88.2, now: 1_720 }),
    ),
  ),
  golden(
    'former name of a sister is still the sister',
    'e1 | x1',
    eq('e1', trellis),
    ex('x1', bluefern, { name: 'Plainfern Card' }),
  ),
];
