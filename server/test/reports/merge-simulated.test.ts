// From three wires to one report: the real simulators, the real adapters, the merge, and a developer's command on top.
// The simulators know which rows are one agreement, and were written without knowledge of the matcher.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askSimulators,
  checkAddresses,
  listLenders,
  type SimulatorAddresses,
} from '../../../tools/dev/ask-simulators.ts';
import { askBureaus } from '../../../tools/dev/bureau-ask.ts';
import { explainReport } from '../../src/merge/explain-report.ts';
import { type Simulators, startSimulators, WIRES } from '../support/simulators.ts';

let simulators: Simulators;
let addresses: SimulatorAddresses;
beforeAll(async () => {
  simulators = await startSimulators();
  const credentials = Object.fromEntries(WIRES.map((wire) => [wire, simulators.wire(wire).credentials]));
  addresses = { ...simulators.addresses, credentials } as SimulatorAddresses;
});
afterAll(() => simulators.stop());

const BUREAU_OF = { albion: 'equifax', beacon: 'experian', cygnet: 'transunion' } as const;

/** The true partition of a person's rows, as the bureaus' own references. */
async function truthOf(personId: string): Promise<string[]> {
  const response = await fetch(`${addresses.albion}/people/${personId}/truth`);
  const { agreements } = (await response.json()) as {
    agreements: { refs: Partial<Record<keyof typeof BUREAU_OF, string>> }[];
  };
  return agreements
    .map(({ refs }) => WIRES.flatMap((wire) => (refs[wire] ? [`${BUREAU_OF[wire]} ${refs[wire]}`] : [])).join(', '))
    .filter(Boolean)
    .toSorted();
}

async function mergedOf(personId: string) {
  const { consumer, lenders, asked } = await askSimulators(addresses, personId);
  const files = asked.flatMap(({ bureau, outcome }) => (outcome.kind === 'ok' ? [{ bureau, file: outcome.file }] : []));
  return explainReport(consumer, files, lenders);
}

test('of 150 simulated people nearly all reports are exactly right, and every row appears once', async () => {
  const people = await simulators.people(150);
  let exact = 0;
  for (const { id } of people) {
    const truth = await truthOf(id);
    const { records } = await mergedOf(id);
    const found = records.map(({ rows }) => rows.join(', ')).toSorted();
    expect(found.flatMap((rows) => rows.split(', ')).toSorted()).toEqual(
      truth.flatMap((rows) => rows.split(', ')).toSorted(),
    );
    if (JSON.stringify(found) === JSON.stringify(truth)) exact += 1;
  }
  expect(exact).toBeGreaterThanOrEqual(147);
}, 60_000);

test('of 60 simulated people: titles and mixed-case names where a bureau knows them', async () => {
  const same = (x: string | null, y: string | null) => x?.toLowerCase() === y?.toLowerCase();
  for (const { id } of await simulators.people(60)) {
    const { consumer, lenders, asked } = await askSimulators(addresses, id);
    const files = asked.flatMap(({ bureau, outcome }) =>
      outcome.kind === 'ok' ? [{ bureau, file: outcome.file }] : [],
    );
    const { title: _, ...untitled } = consumer;
    const { person, consumerData } = explainReport(untitled, files, lenders).report;
    const rows = files.flatMap(({ bureau, file }) => file.accounts.map((row) => ({ bureau, ...row })));
    const isTitleKnown = rows.some(
      ({ title, firstName, lastName }) =>
        title !== null && same(firstName, consumer.firstName) && same(lastName, consumer.lastName),
    );
    expect(person.title !== null, id).toBe(isTitleKnown);
    for (const { bureaus, lastName } of consumerData.records) {
      const told = rows.filter(({ bureau, ref }) => bureaus.some((each) => each.id === bureau && each.ref === ref));
      const mixed = told.find((row) => same(row.lastName, lastName) && row.lastName !== row.lastName?.toUpperCase());
      expect(lastName, id).toBe(mixed?.lastName ?? lastName);
    }
  }
}, 60_000);

test('every lender of the demo has its kind, card issuers too', async () => {
  const kinds = (await listLenders(addresses.albion)).map(({ companyType }) => companyType);
  expect(kinds).toContain('credit-card-issuer');
  expect(kinds).not.toContain('other');
});

test('the same person asked twice gives the same report', async () => {
  const [first, second] = [await mergedOf('person-0007'), await mergedOf('person-0007')];
  expect(JSON.stringify(second.report)).toBe(JSON.stringify(first.report));
});

test('bureau-ask tells three raw files, the merged report and the reasons', async () => {
  const { text } = await askBureaus('person-0001', addresses);
  for (const part of ['<env:Envelope', '"hdr"', '"enquiry"', 'merged report', 'one agreement, because'])
    expect(text).toContain(part);
  expect(text).not.toContain('access_token');
});

const refused: [string, string][] = [
  ['a host elsewhere', 'http://bureau.example.com'],
  ['a private network', 'http://10.0.0.1:8080'],
  ['a name that begins like this machine', 'http://127.0.0.1.example.com'],
  ['another scheme', 'https://127.0.0.1:8080'],
  ['no address', ''],
];
for (const [name, albion] of refused) {
  test(`bureau-ask refuses ${name}`, () => {
    expect(() => checkAddresses({ ...addresses, albion })).toThrow('Only simulators on this machine');
  });
}
