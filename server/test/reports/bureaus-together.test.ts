// What is particular to one wire (Albion's pick list, Cygnet's token and polls), and all three together: one budget,
// breakers, bulkheads. The simulators are the real ones, over HTTP.
import { randomUUID } from 'node:crypto';
import type { Bureau } from '@trefoil/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { BureauAdapter } from '../../src/bureaus/port.ts';
import { type BureauSettings, type Bureaus, createBureaus } from '../../src/bureaus/registry.ts';
import { ask, closeLines, fileOf, openAdapter, reasonOf, warningsOf } from '../../src/bureaus/testing/ask.ts';
import {
  type ControlRule,
  enquiryFor,
  type LoggedEnquiry,
  type SimulatedPerson,
  type Simulators,
  startSimulators,
  WIRES,
  type Wire,
} from '../support/simulators.ts';

/** Where an answer comes, and where none does: a busy machine must not turn the one into the other. */
const PATIENT_MS = 15_000;
/** Where some answers come and one does not. Those who wait for it wait together. */
const HASTY_MS = 6_000;
/** What would end only now never ends: the test runs out of time before. */
const NEVER_MS = 3_600_000;
const running: Bureaus[] = [];

let simulators: Simulators;
let people: readonly SimulatedPerson[];

beforeAll(async () => {
  simulators = await startSimulators();
  people = await simulators.people(40);
});
afterAll(async () => {
  await Promise.all(running.map((bureaus) => bureaus.close()));
  await closeLines();
  await simulators.stop();
});

const open = (wire: Wire, timeoutMs = PATIENT_MS) =>
  openAdapter(simulators.addresses[wire], simulators.wire(wire), timeoutMs);
const askAs = (adapter: BureauAdapter, person = people[0]) => ask(adapter, person);

/** Makes a bureau behave so for one person. */
async function spoil(wire: Wire, person: SimulatedPerson | undefined, rule: Omit<ControlRule, 'match'>): Promise<void> {
  await simulators.control(wire, { match: { person: person?.id ?? '' }, ...rule });
}
/** What the bureau saw of these enquiries. */
async function logOf(wire: Wire, ...enquiryIds: readonly string[]): Promise<readonly LoggedEnquiry[]> {
  return (await simulators.enquiries(wire)).filter(({ enquiryId }) => enquiryIds.includes(enquiryId));
}

describe('Albion’s pick list', () => {
  afterEach(() => simulators.clear());

  test('picks the consumer’s own door, for every form of address', async () => {
    await simulators.control('albion', { match: { any: true }, behaviour: 'pick-list' });
    const adapter = open('albion');
    for (const person of people) {
      expect(
        fileOf(await askAs(adapter, person))
          .accounts.map(({ ref }) => ref)
          .toSorted(),
      ).toEqual((await simulators.refs(person.id, 'albion')).toSorted());
    }
  });

  test('no door of the consumer’s: no-trace, and no pick is made', async () => {
    const [person] = people;
    if (!person) throw new Error('no person');
    const [home] = person.addresses;
    if (!home) throw new Error('no address');
    const moved = { ...home, subBuildingName: null, buildingName: 'Elsewhere House', buildingNumber: null };
    await simulators.control('albion', { match: { any: true }, behaviour: 'pick-list' });
    expect((await askAs(open('albion'), { ...person, addresses: [moved] })).outcome).toMatchObject({
      kind: 'no-trace',
    });
    expect((await simulators.enquiries('albion'))[0]?.calls).toHaveLength(1);
  });
});

describe('Cygnet’s steps', () => {
  afterEach(() => simulators.clear());

  test('one token serves many enquiries', async () => {
    const adapter = open('cygnet');
    await simulators.control('cygnet', { match: { any: true }, behaviour: 'error', call: 'token', times: 1 });
    expect(reasonOf(await askAs(adapter))).toBe('refused');
    await askAs(adapter);
    // A second token would be refused by this rule.
    await simulators.control('cygnet', { match: { any: true }, behaviour: 'error', call: 'token' });
    await Promise.all(people.slice(0, 4).map(async (person) => fileOf(await askAs(adapter, person))));
  });

  test('a hung token ends with the deadline, without an enquiry', async () => {
    await simulators.control('cygnet', { match: { any: true }, behaviour: 'hang', call: 'token' });
    const asked = await askAs(open('cygnet', 400));
    expect(reasonOf(asked)).toBe('timeout');
    expect(await simulators.enquiries('cygnet')).toEqual([]);
  });

  test('a missing section is counted; missing accounts are no answer', async () => {
    for (const [section, field] of [
      ['searches', 'searches'],
      ['premises', 'addresses'],
    ]) {
      await simulators.control('cygnet', { match: { any: true }, behaviour: `partial=${section}`, times: 1 });
      const asked = await askAs(open('cygnet'));
      expect(fileOf(asked).accounts.length).toBeGreaterThan(0);
      expect(warningsOf(asked)).toEqual([{ field, kind: 'missing-section', count: 1 }]);
    }
    await simulators.control('cygnet', { match: { any: true }, behaviour: 'partial=credit', times: 1 });
    expect(reasonOf(await askAs(open('cygnet')))).toBe('refused');
  });
});

const BUREAU_OF: Record<Wire, Bureau> = { albion: 'equifax', beacon: 'experian', cygnet: 'transunion' };
const ALL: readonly Bureau[] = ['equifax', 'experian', 'transunion'];

function together(settings: Partial<BureauSettings> = {}, budgetMs = 2 * PATIENT_MS) {
  const of = (wire: Wire): BureauSettings =>
    ({
      ...simulators.wire(wire),
      baseUrl: simulators.addresses[wire],
      timeoutMs: PATIENT_MS,
      maxConcurrent: 8,
      ...settings,
    }) as BureauSettings;
  const seen: unknown[] = [];
  const warned: unknown[] = [];
  const enquiryIds: string[] = [];
  const bureaus = createBureaus(
    { equifax: of('albion'), experian: of('beacon'), transunion: of('cygnet') },
    { budgetMs, observer: { onOutcome: (event) => seen.push(event), onWarning: (event) => warned.push(event) } },
  );
  running.push(bureaus);
  const askAll = async (asked = ALL, person = people[0]) => {
    if (!person) throw new Error('no person');
    const enquiryId = randomUUID();
    enquiryIds.push(enquiryId);
    const answers = await bureaus.ask(enquiryFor(person, enquiryId), asked);
    return answers.map(({ outcome }) => (outcome.kind === 'unavailable' ? outcome.reason : outcome.kind));
  };
  return { askAll, seen, warned, enquiryIds };
}

// These wait more than they work, so they wait together: each about a person of its own.
describe.concurrent('with time between', () => {
  afterAll(() => simulators.clear());

  test('trouble with Albion’s pick is an outcome, and the pick is not repeated', async () => {
    const [person] = people;
    await spoil('albion', person, { behaviour: 'pick-list' });
    await spoil('albion', person, { behaviour: 'hang', call: 'pick' });
    const asked = await askAs(open('albion', HASTY_MS), person);
    expect(reasonOf(asked)).toBe('timeout');
    const [logged] = await logOf('albion', asked.enquiryId);
    expect(logged?.calls).toHaveLength(2);
  });

  test('Cygnet’s polls end with the deadline', async () => {
    const person = people[1];
    await spoil('cygnet', person, { behaviour: 'poll=1000' });
    const asked = await askAs(open('cygnet', HASTY_MS), person);
    expect(reasonOf(asked)).toBe('timeout');
    expect(await logOf('cygnet', asked.enquiryId)).toMatchObject([{ enquiries: 1 }]);
  });

  test('one budget for all: who has not answered by then is a timeout', async () => {
    const person = people[2];
    await spoil('beacon', person, { behaviour: 'hang' });
    const { askAll } = together({ timeoutMs: NEVER_MS }, HASTY_MS);
    expect(await askAll(ALL, person)).toEqual(['ok', 'timeout', 'ok']);
  });

  test('who waits for a place until the deadline was never asked', async () => {
    const person = people[3];
    await spoil('beacon', person, { behaviour: 'hang' });
    const { askAll, enquiryIds } = together({ maxConcurrent: 1, maxWaiting: 1, timeoutMs: HASTY_MS });
    const answers = await Promise.all([askAll(['experian'], person), askAll(['experian'], person)]);
    expect(answers).toEqual([['timeout'], ['overloaded']]);
    expect(await logOf('beacon', ...enquiryIds)).toHaveLength(1);
  });

  for (const [index, wire] of WIRES.entries()) {
    test(`five failures of ${wire} open its breaker and nobody else’s; one good answer closes it`, async () => {
      const person = people[4 + index];
      const { askAll, enquiryIds } = together({ halfOpenAfterMs: 5_000 });
      const place = ALL.indexOf(BUREAU_OF[wire]);
      // After the fifth the bureau is well again.
      await spoil(wire, person, { behaviour: 'error=500', times: 5 });
      for (let count = 0; count < 5; count++) expect((await askAll(ALL, person))[place]).toBe('refused');
      const others = (await askAll(ALL, person)).toSpliced(place, 1, 'breaker-open');
      expect(others).toEqual(['ok', 'ok', 'ok'].toSpliced(place, 1, 'breaker-open'));
      expect(await logOf(wire, ...enquiryIds)).toHaveLength(5);
      await eventually(async () => expect(await askAll(ALL, person)).toEqual(['ok', 'ok', 'ok']));
      expect(await askAll(ALL, person)).toEqual(['ok', 'ok', 'ok']);
    });
  }
});

describe('all bureaus together', () => {
  afterEach(() => simulators.clear());

  test('only the chosen ones are asked, each once', async () => {
    const { askAll, seen } = together();
    expect(await askAll(['transunion', 'equifax', 'equifax'])).toEqual(['ok', 'ok']);
    expect(seen).toMatchObject([
      { bureau: expect.any(String), kind: 'ok', reason: undefined, timeMs: expect.any(Number) },
      { kind: 'ok' },
    ]);
    expect(await simulators.enquiries('beacon')).toEqual([]);
    expect(await simulators.enquiries('albion')).toMatchObject([{ enquiries: 1 }]);
  });

  test('warnings reach the observer with the bureau’s name and a count, and no value', async () => {
    await simulators.control('albion', { match: { any: true }, behaviour: 'unknown-codes' });
    const { askAll, warned } = together();
    await askAll(['equifax']);
    expect(warned).toContainEqual({ bureau: 'equifax', field: 'account.type', kind: 'unknown-code', count: 1 });
  });

  test('no-trace and a refused request leave the breaker closed', async () => {
    const { askAll } = together();
    const [person] = people;
    if (!person) throw new Error('no person');
    for (let count = 0; count < 7; count++) {
      const stranger = { ...person, firstName: 'Nobody' };
      expect(await askAll(ALL, stranger)).toEqual(['no-trace', 'no-trace', 'no-trace']);
    }
    const nameless = { ...person, firstName: '' };
    for (let count = 0; count < 7; count++)
      expect(await askAll(ALL, nameless)).toEqual(['refused', 'refused', 'refused']);
    expect(await askAll()).toEqual(['ok', 'ok', 'ok']);
  });

  test('a full bulkhead refuses at once, asks nobody, and is not the others’ trouble', async () => {
    await simulators.control('beacon', { match: { any: true }, behaviour: 'slow=600' });
    const { askAll } = together({ maxConcurrent: 2, maxWaiting: 1 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => askAll(['experian'])));
    expect(answers.flat().toSorted()).toEqual(['ok', 'ok', 'ok', 'overloaded', 'overloaded']);
    expect(await simulators.enquiries('beacon')).toHaveLength(3);
    expect(await askAll(['equifax', 'transunion'])).toEqual(['ok', 'ok']);
  });
});
