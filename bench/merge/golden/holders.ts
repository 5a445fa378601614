// The holder's name on a record: joint accounts, a partner's name, a name before marriage, initials.
import { bank, card, eq, ex, type GoldenCase, golden, home, hp, loan, pcp, tu } from './write.ts';

const partner = { who: ['Mrs', 'Ellen', 'Alden'] } as const;
const maiden = { who: ['Miss', 'Beth', 'Nolan'] } as const;
const married = { who: ['Mrs', 'Beth', 'Alden'] } as const;
const initial = { who: ['Mr', 'J', 'Alden'] } as const;

export const HOLDERS: readonly GoldenCase[] = [
  golden(
    'joint mortgage, one row under the partner’s name',
    'e1 x1 t1',
    eq('e1', home({ joint: true })),
    ex('x1', home(partner)),
    tu('t1', home()),
  ),
  golden(
    'joint current account under the partner’s name at one bureau',
    'e1 x1',
    eq('e1', bank({ joint: true })),
    ex('x1', bank(partner)),
  ),
  golden(
    'joint loan, one bureau does not know it is joint',
    'e1 t1',
    eq('e1', loan({ joint: true })),
    tu('t1', loan({ joint: false })),
  ),
  golden(
    'joint HP under the partner’s name, no number there',
    'e1 x1',
    eq('e1', hp({ joint: true })),
    ex('x1', hp({ ...partner, tail: null })),
  ),
  golden(
    'joint mortgage and own mortgage with one lender stay two',
    'e1 x1 | e2 x2',
    eq('e1', home({ joint: true })),
    ex('x1', home()),
    eq('e2', home({ tail: '7203', start: '2021-03-30', amount: 96_000, pay: 410.2, now: 80_400 })),
    ex('x2', home({ tail: '7203', start: '2021-03-30', amount: 96_000, pay: 410.2, now: 80_400 })),
  ),
  golden(
    'his and her HP from one lender on one day, hers on his file by the joint address',
    'e1 x1 | e2 x2',
    eq('e1', hp()),
    ex('x1', hp()),
    eq('e2', hp({ ...partner, tail: '6107', amount: 11_900, pay: 287.3, now: 5_410.8 })),
    ex('x2', hp({ ...partner, tail: '6107', amount: 11_900, pay: 287.3, now: 5_410.8 })),
  ),
  golden(
    'his and her HP, each at another bureau',
    'e1 | x2',
    eq('e1', hp()),
    ex('x2', hp({ ...partner, tail: '6107', amount: 11_900, pay: 287.3, now: 5_410.8 })),
  ),
  golden(
    'PCP from before the marriage under both surnames',
    'e1 x1 t1',
    eq('e1', pcp(maiden)),
    ex('x1', pcp(married)),
    tu('t1', pcp(married)),
  ),
  golden('card from before the marriage under both surnames', 'e1 x1', eq('e1', card(maiden)), ex('x1', card(married))),
  golden(
    'PCP before the marriage, no number at the bureau with the old name',
    'e1 t1',
    eq('e1', pcp({ ...maiden, tail: null })),
    tu('t1', pcp(married)),
  ),
  golden(
    'two links of a chain, the first under the maiden name',
    'e1 x1 | e2 x2',
    eq('e1', pcp({ ...maiden, end: '2021-05-20' })),
    ex('x1', pcp({ ...married, end: '2021-05-20' })),
    eq(
      'e2',
      pcp({
        ...married,
        tail: '9377',
        start: '2021-05-20',
        end: '2024-05-20',
        amount: 17_800,
        pay: 341.6,
        balloon: 6_900,
      }),
    ),
    ex(
      'x2',
      pcp({
        ...married,
        tail: '9377',
        start: '2021-05-20',
        end: '2024-05-20',
        amount: 17_800,
        pay: 341.6,
        balloon: 6_900,
      }),
    ),
  ),
  golden('initial only at one bureau', 'e1 x1 t1', eq('e1', pcp()), ex('x1', pcp(initial)), tu('t1', pcp())),
  golden('title differs', 'e1 x1', eq('e1', card()), ex('x1', card({ who: ['Dr', 'Jon', 'Alden'] }))),
  golden(
    'surname with an apostrophe and without',
    'e1 x1',
    eq('e1', hp({ who: ['Mr', 'Hugh', "O'Dowd"] })),
    ex('x1', hp({ who: ['Mr', 'Hugh', 'ODowd'] })),
  ),
  golden(
    'father and son of one name, two HP agreements, other numbers and sums',
    'e1 | x1',
    eq('e1', hp()),
    ex('x1', hp({ tail: '1830', start: '2024-11-02', amount: 6_300, pay: 152.4, now: 4_800 })),
  ),
];
