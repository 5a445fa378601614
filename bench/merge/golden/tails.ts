// Account-number tails: missing, three digits, from the card before or from another number of the same agreement.
import { bank, card, eq, ex, type GoldenCase, golden, home, hp, loan, pcp, phone, tu } from './write.ts';

const none = { tail: null };

export const TAILS: readonly GoldenCase[] = [
  golden('PCP, no tail at one bureau', 'e1 x1 t1', eq('e1', pcp()), ex('x1', pcp(), none), tu('t1', pcp())),
  golden('PCP, no tail at two bureaus', 'e1 x1 t1', eq('e1', pcp(), none), ex('x1', pcp(), none), tu('t1', pcp())),
  golden('PCP, no tail anywhere', 'e1 x1 t1', eq('e1', pcp(none)), ex('x1', pcp(none)), tu('t1', pcp(none))),
  golden('HP, no tail at one of two bureaus', 'x1 t1', ex('x1', hp()), tu('t1', hp(), none)),
  golden('loan, no tail at one bureau', 'e1 x1 t1', eq('e1', loan()), ex('x1', loan()), tu('t1', loan(), none)),
  golden('mortgage, no tail anywhere', 'e1 x1', eq('e1', home(none)), ex('x1', home(none))),
  golden('card, no tail at one bureau', 'e1 x1 t1', eq('e1', card()), ex('x1', card(), none), tu('t1', card())),
  golden('card, no tail at one of two bureaus', 'e1 t1', eq('e1', card()), tu('t1', card(), none)),
  golden('current account, no tail at one bureau', 'e1 x1', eq('e1', bank()), ex('x1', bank(), none)),
  golden('phone, no tail at one bureau', 'e1 x1', eq('e1', phone(), none), ex('x1', phone())),
  golden(
    'PCP, three digits at Experian',
    'e1 x1 t1',
    eq('e1', pcp()),
    ex('x1', pcp(), { tail: '821' }),
    tu('t1', pcp()),
  ),
  golden('card, three digits at Experian', 'e1 x1', eq('e1', card()), ex('x1', card(), { tail: '730' })),
  golden('current account, three digits at Experian', 'x1 t1', ex('x1', bank(), { tail: '014' }), tu('t1', bank())),
  golden(
    'a tail that begins with nought keeps it',
    'e1 x1 t1',
    ...[eq('e1', card({ tail: '0042' })), ex('x1', card({ tail: '042' })), tu('t1', card({ tail: '0042' }))],
  ),
  golden(
    'two HP agreements whose last three digits agree and nothing else does',
    'e1 t1 | x2',
    ...[eq('e1', hp({ tail: '6093' })), tu('t1', hp({ tail: '6093' }))],
    ex(
      'x2',
      hp({
        tail: '093',
        start: '2017-04-20',
        end: '2020-04-20',
        status: 'settled',
        amount: 9_100,
        pay: 279.4,
        n: 36,
        now: 0,
      }),
    ),
  ),
  golden(
    'two HP agreements whose four digits agree by chance, eight years apart',
    'e1 | x1',
    eq(
      'e1',
      pcp({
        lender: 'tarnwick',
        start: '2014-01-11',
        end: '2020-09-01',
        amount: 8_400,
        pay: 172.5,
        n: 60,
        balloon: null,
        tail: '6093',
      }),
    ),
    ex('x1', hp()),
  ),
  golden(
    'the same digits at two different lenders, different everything',
    'e1 | t1',
    eq('e1', card({ tail: '5151' })),
    tu('t1', card({ lender: 'vantreeve', tail: '5151', start: '2021-02-02', amount: 8_000, now: 77.3 })),
  ),
  golden(
    're-issued card: the number changed at one bureau, limit, day and balance are the same',
    'e1 x1 t1',
    ...[eq('e1', card()), ex('x1', card()), tu('t1', card({ tail: '0916' }))],
  ),
  golden(
    're-issued card at one of two bureaus, all else the same',
    'e1 x1',
    ...[eq('e1', card({ tail: '2480' })), ex('x1', card())],
  ),
  golden(
    'agreement number at one bureau, account number at another: same day, sum, term and instalment',
    'e1 x1 t1',
    ...[eq('e1', pcp()), ex('x1', pcp({ tail: '7001' })), tu('t1', pcp())],
  ),
  golden(
    'three bureaus, three numbers, one PCP: day, sum, term, instalment and end all agree',
    'e1 x1 t1',
    ...[eq('e1', pcp()), ex('x1', pcp({ tail: '7001' })), tu('t1', pcp({ tail: '3350' }))],
  ),
  golden(
    'mortgage whose sub-account number is shown by one bureau',
    'e1 t1',
    ...[eq('e1', home({ tail: '0001' })), tu('t1', home())],
  ),
  golden(
    'loan with another number at one bureau and the same day, sum, term and instalment',
    'e1 x1',
    ...[eq('e1', loan({ tail: '4410' })), ex('x1', loan())],
  ),
  golden(
    'HP with a missing tail here and a wrong one there',
    'e1 x1 t1',
    ...[eq('e1', hp(none)), ex('x1', hp({ tail: '888' })), tu('t1', hp())],
  ),
  golden(
    'a wrong tail that happens to be the tail of another lender’s card',
    'e1 x1 t1 | e2 x2',
    ...[eq('e1', pcp()), ex('x1', pcp()), tu('t1', pcp({ tail: '7730' }))],
    ...[eq('e2', card()), ex('x2', card())],
  ),
];
