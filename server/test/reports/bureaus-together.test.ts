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
  enquiryFor,
  type SimulatedPerson,
  type Simulators,
  startSimulators,
  WIRES,
  type Wire,
} from '../support/simulators.ts';

/** Where an answer comes, and where none does: a busy machine must not turn the one into the other. */
const PATIENT_MS = 15_000;
const HASTY_MS = 2_000;
/** What would end only now never ends: the test runs out of time before. */
const NEVER_MS = 3_600_000;
const running: Bureaus[] = [];

let simulators: Simulators;
let people: readonly SimulatedPerson[];

beforeAll(async () => {
  simulators = await startSimulators();
  people = await simulators.people(40);
});
afterEach(() => simulators.clear());
afterAll(async () => {
  await Promise.all(running.map((bureaus) => bureaus.close()));
  await closeLines();
  await simulators.stop();
});

const open = (wire: Wire, timeoutMs = PATIENT_MS) =>
  openAdapter(simulators.addresses[wire], simulators.wire(wire), timeoutMs);
const askAs = (adapter: BureauAdapter, person = people[0]) => ask(adapter, person);

describe('Albion’s pick list', () => {
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

  test('trouble with the pick is an outcome, and the pick is not repeated', async () => {
    await simulators.control('albion', { match: { any: true }, behaviour: 'pick-list' });
    await simulators.control('albion', { match: { any: true }, behaviour: 'hang', call: 'pick' });
    const asked = await askAs(open('albion', HASTY_MS));
    expect(reasonOf(asked)).toBe('timeout');
    expect((await simulators.enquiries('albion'))[0]?.calls).toHaveLength(2);
  });
});

describe('Cygnet’s steps', () => {
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

  test('polls end with the deadline', async () => {
    await simulators.control('cygnet', { match: { any: true }, behaviour: 'poll=1000' });
    const asked = await askAs(open('cygnet', HASTY_MS));
    expect(reasonOf(asked)).toBe('timeout');
    expect((await simulators.enquiries('cygnet'))[0]).toMatchObject({ enquiries: 1 });
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

describe('all bureaus together', () => {
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
    const bureaus = createBureaus(
      { equifax: of('albion'), experian: of('beacon'), transunion: of('cygnet') },
      { budgetMs, observer: { onOutcome: (event) => seen.push(event), onWarning: (event) => warned.push(event) } },
    );
    running.push(bureaus);
    const askAll = async (asked = ALL, person = people[0]) => {
      if (!person) throw new Error('no person');
      const answers = await bureaus.ask(enquiryFor(person, randomUUID()), asked);
      return answers.map(({ outcome }) => (outcome.kind === 'unavailable' ? outcome.reason : outcome.kind));
    };
    return { askAll, seen, warned };
  }

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

  test('one budget for all: who has not answered by then is a timeout', async () => {
    await simulators.control('beacon', { match: { any: true }, behaviour: 'hang' });
    expect(await together({ timeoutMs: NEVER_MS }, HASTY_MS).askAll()).toEqual(['ok', 'timeout', 'ok']);
  });

  test('warnings reach the observer with the bureau’s name and a count, and no value', async () => {
    await simulators.control('albion', { match: { any: true }, behaviour: 'unknown-codes' });
    const { askAll, warned } = together();
    await askAll(['equifax']);
    expect(warned).toContainEqual({ bureau: 'equifax', field: 'account.type', kind: 'unknown-code', count: 1 });
  });

  for (const wire of WIRES) {
    test(`five failures of ${wire} open its breaker and nobody else’s; one good answer closes it`, async () => {
      const { askAll } = together({ halfOpenAfterMs: 1_000 });
      const place = ALL.indexOf(BUREAU_OF[wire]);
      await simulators.control(wire, { match: { any: true }, behaviour: 'error=500' });
      for (let count = 0; count < 5; count++) expect((await askAll())[place]).toBe('refused');
      const others = (await askAll()).toSpliced(place, 1, 'breaker-open');
      expect(others).toEqual(['ok', 'ok', 'ok'].toSpliced(place, 1, 'breaker-open'));
      expect(await simulators.enquiries(wire)).toHaveLength(5);
      await simulators.clear();
      await eventually(async () => expect(await askAll()).toEqual(['ok', 'ok', 'ok']));
      expect(await askAll()).toEqual(['ok', 'ok', 'ok']);
    });
  }

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

  test('who waits for a place until the deadline was never asked', async () => {
    await simulators.control('beacon', { match: { any: true }, behaviour: 'hang' });
    const { askAll } = together({ maxConcurrent: 1, maxWaiting: 1, timeoutMs: HASTY_MS });
    const answers = await Promise.all([askAll(['experian']), askAll(['experian'])]);
    expect(answers).toEqual([['timeout'], ['overloaded']]);
    expect(await simulators.enquiries('beacon')).toHaveLength(1);
  });
});
