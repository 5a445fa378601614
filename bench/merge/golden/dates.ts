// Start and end dates: months without days, a few days or weeks apart, the first of the month, none at all.
import { bank, card, eq, ex, type GoldenCase, golden, home, hp, loan, pcp, phone, tu } from './write.ts';

const month = { start: '2019-02', end: '2023-03' };

export const DATES: readonly GoldenCase[] = [
  golden('PCP, month only at TransUnion', 'e1 x1 t1', eq('e1', pcp()), ex('x1', pcp()), tu('t1', pcp(), month)),
  golden('PCP, month only at two bureaus', 'e1 x1 t1', eq('e1', pcp()), ex('x1', pcp(), month), tu('t1', pcp(), month)),
  golden('PCP, month only and no tail', 'e1 t1', eq('e1', pcp()), tu('t1', pcp(), { ...month, tail: null })),
  golden('card, month only', 'e1 x1', eq('e1', card()), ex('x1', card(), { start: '2018-06' })),
  golden(
    'card, month only and three digits',
    'e1 x1',
    eq('e1', card()),
    ex('x1', card(), { start: '2018-06', tail: '730' }),
  ),
  golden('current account, month only', 'x1 t1', ex('x1', bank(), { start: '2011-10' }), tu('t1', bank())),
  golden('mortgage, month only', 'e1 t1', eq('e1', home()), tu('t1', home(), { start: '2017-08' })),
  golden('PCP a day apart', 'e1 x1 t1', eq('e1', pcp()), ex('x1', pcp(), { start: '2019-02-19' }), tu('t1', pcp())),
  golden('HP three days apart', 'e1 x1', eq('e1', hp()), ex('x1', hp(), { start: '2023-09-11' })),
  golden(
    'HP signed in one month and paid out in the next',
    'e1 t1',
    eq('e1', hp(), { start: '2023-08-30' }),
    tu('t1', hp()),
  ),
  golden('HP across a new year', 'e1 x1', eq('e1', hp({ start: '2023-12-31' })), ex('x1', hp({ start: '2024-01-01' }))),
  golden('loan four weeks apart, same number', 'e1 x1', eq('e1', loan()), ex('x1', loan(), { start: '2023-02-17' })),
  golden(
    'PCP four weeks apart without a tail, same sum, term, instalment and end',
    'e1 t1',
    eq('e1', pcp()),
    tu('t1', pcp(), { start: '2019-03-18', tail: null }),
  ),
  golden(
    'PCP told from the first of its month',
    'e1 x1 t1',
    eq('e1', pcp(), { start: '2019-02-01' }),
    ex('x1', pcp()),
    tu('t1', pcp()),
  ),
  golden(
    'card told from the first of its month, same number',
    'e1 x1',
    eq('e1', card(), { start: '2018-06-01' }),
    ex('x1', card()),
  ),
  golden('card three weeks apart, same number', 'e1 t1', eq('e1', card()), tu('t1', card(), { start: '2018-07-02' })),
  golden('phone four weeks apart, same number', 'e1 x1', eq('e1', phone()), ex('x1', phone(), { start: '2024-04-03' })),
  golden(
    'PCP, no start date at one bureau',
    'e1 x1 t1',
    eq('e1', pcp()),
    ex('x1', pcp(), { start: null }),
    tu('t1', pcp()),
  ),
  golden(
    'card, no start date at one bureau, same number and limit',
    'e1 t1',
    eq('e1', card()),
    tu('t1', card(), { start: null }),
  ),
  golden('PCP, end dates a month apart', 'e1 x1', eq('e1', pcp()), ex('x1', pcp(), { end: '2023-03-31' })),
  golden(
    'PCP, no end date at one bureau',
    'e1 x1 t1',
    eq('e1', pcp()),
    ex('x1', pcp(), { end: null }),
    tu('t1', pcp()),
  ),
  golden(
    'leap day against its month',
    'e1 t1',
    eq('e1', pcp({ start: '2020-02-29' })),
    tu('t1', pcp({ start: '2020-02' })),
  ),
  golden(
    'two HP agreements of one lender in one month, told by month at one bureau: the numbers decide',
    'e1 t1 | e2 t2',
    ...[eq('e1', hp()), eq('e2', hp({ tail: '1288', start: '2023-09-28', amount: 9_995, pay: 244.1, now: 4_377.1 }))],
    ...[tu('t1', hp({ start: '2023-09' }))],
    ...[tu('t2', hp({ tail: '1288', start: '2023-09', amount: 9_995, pay: 244.1, now: 4_377.1 }))],
  ),
  golden(
    'two HP agreements of one lender in one month, no numbers at one bureau: the sums decide',
    'e1 t1 | e2 t2',
    ...[eq('e1', hp()), eq('e2', hp({ tail: '1288', start: '2023-09-28', amount: 9_995, pay: 244.1, now: 4_377.1 }))],
    ...[tu('t1', hp({ start: '2023-09', tail: null }))],
    ...[tu('t2', hp({ tail: null, start: '2023-09', amount: 9_995, pay: 244.1, now: 4_377.1 }))],
  ),
  golden(
    'HP of one lender a year apart stays two, though sum and term agree',
    'e1 | x1',
    eq('e1', hp()),
    ex('x1', hp({ start: '2022-09-14', tail: '3377', pay: 360.12, now: 2_904.5 })),
  ),
];
