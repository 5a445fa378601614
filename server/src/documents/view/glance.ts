// The first thing a reader sees: one sentence, then what must be known to read it rightly. "Nothing on the file", "nobody
// found" and "did not answer" never share a sentence: they mean three different things.
import type { Material } from './material.ts';
import type { View } from './view.ts';
import { capital, count, list } from './words.ts';

function headlineOf({ found, carFinanceInAll }: Material): string {
  const [first] = found;
  if (first === undefined) return 'No credit file was found with these details.';
  if (carFinanceInAll > 0) return capital(`${count(carFinanceInAll, 'car finance agreement')} found.`);
  return found.length === 1
    ? `No car finance agreement is on the file that ${first.name} holds.`
    : 'No car finance agreement is on these files.';
}

function accountsOf({ found, accountsInAll, carFinanceInAll }: Material): string | null {
  if (found.length === 0) return null;
  if (accountsInAll === 0) return found.length === 1 ? 'No other account is on it.' : 'No other account is on them.';
  const others = accountsInAll - carFinanceInAll;
  return carFinanceInAll === 0
    ? capital(`${count(others, 'other account')} found.`)
    : capital(`${count(accountsInAll, 'account')} in all.`);
}

function answersOf({ agencies }: Material): string {
  const answered = agencies.filter(({ outcome }) => outcome !== 'unavailable').length;
  if (answered < agencies.length) return `${answered} of the ${agencies.length} agencies asked gave an answer.`;
  if (agencies.length === 1)
    return `One agency was asked: ${list(agencies.map(({ name }) => name))}. It gave an answer.`;
  return `${agencies.length === 2 ? 'Both' : `All ${agencies.length}`} agencies asked gave an answer.`;
}

function nextOf({ found, carFinanceInAll, limitWords }: Material): string {
  if (found.length === 0) return 'The file may be under another name or address: see “What no agency can show”.';
  return carFinanceInAll > 0
    ? `Agreements that ended before ${limitWords} have normally left these files.`
    : 'This does not show that there was none: see “What no agency can show”.';
}

export function glanceOf(material: Material): View['glance'] {
  const { agencies, accountsInAll, carFinance, others } = material;
  const untraced = agencies.filter(({ outcome }) => outcome === 'no-trace').map(({ name }) => name);
  const silent = agencies.filter(({ outcome }) => outcome === 'unavailable').map(({ name }) => name);
  const listed = carFinance.length + others.length;
  const points = [
    [accountsOf(material), answersOf(material)].filter((each) => each !== null).join(' '),
    nextOf(material),
    ...(listed < accountsInAll
      ? [
          `This document lists ${count(listed, 'account')} of ${accountsInAll.toLocaleString('en-GB')}: car finance first, then the newest of the others. The report’s data have all of them.`,
        ]
      : []),
    ...(untraced.length > 0
      ? [`${list(untraced)} found nobody with these details. This says nothing about credit under other details.`]
      : []),
    ...(silent.length > 0
      ? [
          `${list(silent)} did not answer. Anything that only ${silent.length === 1 ? 'it knows' : 'they know'} is missing here.`,
        ]
      : []),
  ];
  return { headline: headlineOf(material), points };
}
