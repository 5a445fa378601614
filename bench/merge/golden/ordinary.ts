// Files that agree, agreements that only one or two bureaus know, and people with little or nothing.
import { bank, card, catalogue, eq, ex, type GoldenCase, golden, home, hp, loan, pcp, phone, tu } from './write.ts';

const utility = phone({ lender: 'brightfen', type: 'utility', n: null, pay: 112, now: 96.4, tail: '8821' });
const policy = phone({ lender: 'tolbury', type: 'insurance', n: 12, pay: 41.2, now: 164.8, tail: '0937' });

export const ORDINARY: readonly GoldenCase[] = [
  golden('a PCP all three tell alike', 'e1 x1 t1', eq('e1', pcp()), ex('x1', pcp()), tu('t1', pcp())),
  golden('a running HP all three tell alike', 'e1 x1 t1', eq('e1', hp()), ex('x1', hp()), tu('t1', hp())),
  golden('a card all three tell alike', 'e1 x1 t1', eq('e1', card()), ex('x1', card()), tu('t1', card())),
  golden('a loan all three tell alike', 'e1 x1 t1', eq('e1', loan()), ex('x1', loan()), tu('t1', loan())),
  golden('a current account all three tell alike', 'e1 x1 t1', eq('e1', bank()), ex('x1', bank()), tu('t1', bank())),
  golden('a mortgage all three tell alike', 'e1 x1 t1', eq('e1', home()), ex('x1', home()), tu('t1', home())),
  golden('a phone contract all three tell alike', 'e1 x1 t1', eq('e1', phone()), ex('x1', phone()), tu('t1', phone())),
  golden('a catalogue account two tell alike', 'e1 t1', eq('e1', catalogue()), tu('t1', catalogue())),
  golden('a power bill all three tell alike', 'e1 x1 t1', eq('e1', utility), ex('x1', utility), tu('t1', utility)),
  golden('an insurance instalment plan at two bureaus', 'x1 t1', ex('x1', policy), tu('t1', policy)),
  golden('a PCP only Equifax knows', 'e1', eq('e1', pcp())),
  golden('a PCP only Experian knows', 'x1', ex('x1', pcp())),
  golden('a PCP only TransUnion knows', 't1', tu('t1', pcp())),
  golden('a PCP Equifax and TransUnion know', 'e1 t1', eq('e1', pcp()), tu('t1', pcp())),
  golden('a PCP Experian and TransUnion know', 'x1 t1', ex('x1', pcp()), tu('t1', pcp())),
  golden('three agreements, each at another bureau', 'e1 | x1 | t1', eq('e1', pcp()), ex('x1', hp()), tu('t1', card())),
  golden(
    'a whole ordinary file',
    'e1 x1 t1 | e2 x2 t2 | e3 x3 | x4 t4 | e5 t5',
    ...[eq('e1', pcp()), eq('e2', card()), eq('e3', bank()), eq('e5', home())],
    ...[ex('x1', pcp()), ex('x2', card()), ex('x3', bank()), ex('x4', loan())],
    ...[tu('t1', pcp()), tu('t2', card()), tu('t4', loan()), tu('t5', home())],
  ),
  golden(
    'card, current account and mortgage of one bank opened on one day stay three',
    'e1 x1 t1 | e2 x2 t2 | e3 x3 t3',
    ...[eq('e1', card({ lender: 'easterlow' })), ex('x1', card({ lender: 'easterlow' }))],
    ...[tu('t1', card({ lender: 'easterlow' }))],
    ...[eq('e2', bank({ lender: 'easterlow', start: '2018-06-11' }))],
    ...[ex('x2', bank({ lender: 'easterlow', start: '2018-06-11' }))],
    ...[tu('t2', bank({ lender: 'easterlow', start: '2018-06-11' }))],
    ...[eq('e3', home({ lender: 'easterlow', start: '2018-06-11' }))],
    ...[ex('x3', home({ lender: 'easterlow', start: '2018-06-11' }))],
    ...[tu('t3', home({ lender: 'easterlow', start: '2018-06-11' }))],
  ),
  golden(
    'a bank whose loan one bureau knows and whose card another knows: two records',
    'e1 | x1',
    eq('e1', loan({ lender: 'easterlow' })),
    ex('x1', card({ lender: 'easterlow' })),
  ),
  golden(
    'a mortgage and a secured loan at the same house stay two',
    'e1 x1 | e2 x2',
    ...[eq('e1', home()), ex('x1', home())],
    ...[
      eq('e2', home({ lender: 'castlenook', type: 'secured-loan', tail: '8005', start: '2020-03-12', amount: 22_000 })),
    ],
    ...[
      ex('x2', home({ lender: 'castlenook', type: 'secured-loan', tail: '8005', start: '2020-03-12', amount: 22_000 })),
    ],
  ),
];
