// Who the person is and which names their records may have. The names are common and refer to no real person.
import { REPORT_DAY } from './calendar.ts';
import type { Noise } from './noise.ts';
import type { Random } from './random.ts';

export type PersonName = { readonly title: string; readonly firstName: string; readonly lastName: string };

export type Person = {
  readonly name: PersonName;
  /** The surname before a marriage, with the day it changed. */
  readonly former: { readonly lastName: string; readonly changedDay: number } | null;
  readonly partner: PersonName | null;
};

const WOMEN = ['Amina', 'Beth', 'Carys', 'Dilys', 'Ellen', 'Fiona', 'Grace', 'Hana', 'Isla', 'Joan', 'Kate', 'Mairead'];
const MEN = ['Aled', 'Ben', 'Callum', 'Dev', 'Euan', 'Femi', 'Gareth', 'Hugh', 'Imran', 'Jon', 'Kieran', 'Leon'];
const SURNAMES = [
  ...['Alden', 'Barrow', "O'Dowd", 'Davies', 'Eastwood', 'Farah', 'Grant', 'Hughes', 'Iqbal', 'Jarvis', 'Kaur'],
  ...['Lowe', 'Marsh', 'Nolan', 'Okafor', 'Price', 'Quinn', 'Reid', 'Shaw', 'Tran', 'Lloyd-Parry', 'Young'],
];

function nameOf(random: Random, isWoman: boolean): PersonName {
  const title = isWoman ? random.pick(['Mrs', 'Ms', 'Miss', 'Dr']) : random.pick(['Mr', 'Mr', 'Mr', 'Dr']);
  return { title, firstName: random.pick(isWoman ? WOMEN : MEN), lastName: random.pick(SURNAMES) };
}

export function makePerson(random: Random, noise: Noise): Person {
  const isWoman = random.chance(50);
  const name = nameOf(random, isWoman);
  const former = random.chance(noise.marriedName)
    ? {
        lastName: random.pick(SURNAMES.filter((surname) => surname !== name.lastName)),
        changedDay: REPORT_DAY - random.between(200, 3_600),
      }
    : null;
  const partner = random.chance(noise.partner) ? { ...nameOf(random, !isWoman), lastName: name.lastName } : null;
  return { name, former, partner };
}
