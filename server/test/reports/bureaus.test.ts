// What every bureau adapter promises, held against the real simulators over HTTP: one table, run for each wire. A new
// adapter joins by being in WIRES (docs/guides/add-a-bureau.md).
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BureauLine, openLine } from '../../src/bureaus/call-bureau.ts';
import type { BureauAdapter } from '../../src/bureaus/port.ts';
import { createAdapter } from '../../src/bureaus/registry.ts';
import {
  ask,
  closeLines,
  fileOf,
  openAdapter,
  reasonOf,
  richPerson,
  warningsOf,
} from '../../src/bureaus/testing/ask.ts';
import { type SimulatedPerson, type Simulators, startSimulators, WIRES, type Wire } from '../support/simulators.ts';

/** Where an answer comes, and where none does: a busy machine must not turn the one into the other. */
const PATIENT_MS = 15_000;
const HASTY_MS = 1_000;
/** Where each wire cuts the names of lenders and searchers. */
const NAME_LIMITS: Record<Wire, number> = { albion: 26, beacon: 40, cygnet: 20 };

let simulators: Simulators;
let people: readonly SimulatedPerson[];

beforeAll(async () => {
  simulators = await startSimulators();
  people = await simulators.people(40);
});
afterAll(async () => {
  await closeLines();
  await simulators.stop();
});

const open = (wire: Wire, timeoutMs = PATIENT_MS) =>
  openAdapter(simulators.addresses[wire], simulators.wire(wire), timeoutMs);
const askAs = (adapter: BureauAdapter, person = people[0]) => ask(adapter, person);

/** Makes the bureau behave so, and asks; returns what it answered, and what the bureau saw of it. */
async function askSpoilt(wire: Wire, person: SimulatedPerson | undefined, behaviour: string, timeoutMs?: number) {
  await simulators.control(wire, { match: { person: person?.id ?? '' }, behaviour });
  const asked = await askAs(open(wire, timeoutMs), person);
  const logged = (await simulators.enquiries(wire)).find(({ enquiryId }) => enquiryId === asked.enquiryId);
  return { asked, logged };
}

/** Checks that the answer has the digest of the last reply. */
async function expectDigest(wire: Wire, person: SimulatedPerson | undefined, kind: string): Promise<void> {
  const line = openLine({ baseUrl: simulators.addresses[wire], timeoutMs: PATIENT_MS, connections: 2 });
  const replies: Uint8Array[] = [];
  const recorded: BureauLine = {
    ...line,
    async call(call, signal) {
      const reply = await line.call(call, signal);
      replies.push(reply.bytes);
      return reply;
    },
  };
  const askedAt = Date.now();
  const { outcome } = await ask(createAdapter(recorded, simulators.wire(wire)), person);
  await line.close();
  if (outcome.kind === 'unavailable') throw new Error(outcome.reason);
  expect(outcome.kind).toBe(kind);
  const last = replies.at(-1) ?? Buffer.of();
  expect(outcome.replySha256).toBe(createHash('sha256').update(last).digest('hex'));
  expect(Date.parse(outcome.answeredAt)).toBeGreaterThanOrEqual(askedAt);
  expect(Date.parse(outcome.answeredAt)).toBeLessThanOrEqual(Date.now());
}

// These wait more than they work, so they wait together: each about a person of its own.
describe.concurrent('with time between', () => {
  afterAll(() => simulators.clear());

  for (const wire of WIRES) {
    for (const [place, behaviour] of ['slow=60000', 'hang', 'drip', 'drip=100'].entries()) {
      test(`${wire}, ${behaviour}: timeout, by the deadline, and asked once`, async () => {
        const { asked, logged } = await askSpoilt(wire, people[place], behaviour, HASTY_MS);
        expect(reasonOf(asked)).toBe('timeout');
        // A machine that stops for a moment may let so short a time pass before the call is sent.
        if (!logged) return;
        expect(logged.enquiries).toBe(1);
        expect(logged.calls).toHaveLength(1);
      });
    }

    test(`${wire}: an answer of a file after a pick list or a poll has the digest of the reply it was read from`, async () => {
      const person = people[10];
      await simulators.control(wire, { match: { person: person?.id ?? '' }, behaviour: 'pick-list, poll' });
      await expectDigest(wire, person, 'ok');
    });

    test(`${wire}: a second step belongs to the same enquiry`, async () => {
      const person = await richPerson(simulators, wire, people.slice(20));
      const { asked, logged } = await askSpoilt(wire, person, 'pick-list, poll=1');
      expect(fileOf(asked).accounts).toHaveLength((await simulators.refs(person.id, wire)).length);
      const steps = { albion: ['enquiry', 'pick'], beacon: ['enquiry'], cygnet: ['enquiry', 'poll', 'poll'] };
      expect(logged?.enquiries).toBe(1);
      expect(logged?.calls.map(({ call }) => call)).toEqual(steps[wire]);
    });
  }
});

for (const wire of WIRES) {
  describe(`the ${wire} adapter`, () => {
    afterEach(() => simulators.clear());

    test('shows every row the bureau holds, in known words and without a warning', async () => {
      const adapter = open(wire);
      for (const person of people) {
        const asked = await askAs(adapter, person);
        const { accounts, addresses, searches } = fileOf(asked);
        expect(accounts.map(({ ref }) => ref).toSorted()).toEqual((await simulators.refs(person.id, wire)).toSorted());
        expect(warningsOf(asked)).toEqual([]);
        expect(addresses.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
        for (const address of addresses) {
          const own = person.addresses.find(({ postcode }) => postcode === address.postcode);
          expect(own, 'an address that is not the person’s').toBeDefined();
          expect(address.townOrCity?.toUpperCase()).toBe(own?.townOrCity.toUpperCase());
          expect(address.thoroughfare?.toUpperCase()).toBe(own?.thoroughfare?.toUpperCase());
          expect(address.subBuildingName ?? address.buildingName ?? address.buildingNumber).not.toBeNull();
          expect(address.monthsAtAddress).not.toBeNull();
        }
        for (const account of accounts) {
          expect(account.companyName).not.toBe('');
          expect(account.startDate).not.toBeNull();
          expect(account.updatedDate).not.toBeNull();
          expect(account.accountType).not.toBe('other');
        }
        for (const search of searches) {
          expect(search.date).toMatch(/^20\d\d-\d\d-\d\d$/);
          expect(search.companyNameLimit).toBe(NAME_LIMITS[wire]);
          expect(search.companyName.length).toBeLessThanOrEqual(NAME_LIMITS[wire]);
        }
      }
      const log = await simulators.enquiries(wire);
      expect(log).toHaveLength(people.length);
      expect(log.every(({ enquiries }) => enquiries === 1)).toBe(true);
    });

    test.each([
      ['a file', '', 'ok'],
      ['no trace', 'no-trace', 'no-trace'],
    ])('an answer of %s has the digest of the reply it was read from', async (_name, behaviour, kind) => {
      if (behaviour) await simulators.control(wire, { match: { any: true }, behaviour });
      await expectDigest(wire, people[0], kind);
    });

    test('knows no-trace from a person the bureau does not have', async () => {
      const [person] = people;
      if (!person) throw new Error('no person');
      const stranger = { ...person, firstName: 'Nobody', lastName: 'Whatsoever' };
      expect((await askAs(open(wire), stranger)).outcome).toMatchObject({ kind: 'no-trace' });
    });

    const failures: readonly (readonly [behaviour: string, reason: string | readonly string[]])[] = [
      ['no-trace', 'no-trace'],
      ['reset', 'connection'],
      ['reset=body', 'connection'],
      ['garbage', 'unintelligible'],
      ['garbage=html', 'unintelligible'],
      ['garbage=binary', 'unintelligible'],
      ['garbage=empty', 'unintelligible'],
      ['half', 'connection'],
      ['half=clean', 'unintelligible'],
      ['throttle', 'throttled'],
      ['error', 'refused'],
      ['error=500', 'refused'],
      ['error=503', 'refused'],
      ['error=404', 'refused'],
      ['error=429', ['throttled', 'refused']],
      ['maintenance', 'refused'],
      ['wrong-type', 'unintelligible'],
      ['deep', 'unintelligible'],
      ['huge', 'too-large'],
    ];
    for (const [behaviour, reason] of failures) {
      test(`${behaviour}: ${String(reason)}, by the deadline, and asked once`, async () => {
        await simulators.control(wire, { match: { any: true }, behaviour });
        const asked = await askAs(open(wire));
        expect([reason].flat()).toContain(reasonOf(asked));
        const log = await simulators.enquiries(wire);
        expect(log).toMatchObject([{ enquiryId: asked.enquiryId, enquiries: 1 }]);
        expect(log[0]?.calls).toHaveLength(1);
      });
    }

    test('a body of 100 MB is neither kept nor read to its end', async () => {
      await simulators.control(wire, { match: { any: true }, behaviour: 'huge=100' });
      const before = process.memoryUsage();
      const asked = await askAs(open(wire));
      const after = process.memoryUsage();
      expect(reasonOf(asked)).toBe('too-large');
      expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20_000_000);
    });

    test('unknown codes: every record is kept, as other or unknown, and counted', async () => {
      const person = await richPerson(simulators, wire, people);
      await simulators.control(wire, { match: { any: true }, behaviour: 'unknown-codes' });
      const asked = await askAs(open(wire), person);
      const { accounts } = fileOf(asked);
      expect(accounts.map(({ ref }) => ref).toSorted()).toEqual((await simulators.refs(person.id, wire)).toSorted());
      expect(accounts).toContainEqual(
        expect.objectContaining({ accountType: 'other', accountStatus: 'unknown', companyType: 'other' }),
      );
      for (const field of ['account.type', 'account.status', 'account.companyType']) {
        expect(warningsOf(asked)).toContainEqual({ field, kind: 'unknown-code', count: 1 });
      }
    });

    test('whole account numbers: only the same last digits leave', async () => {
      const person = await richPerson(simulators, wire, people);
      const adapter = open(wire);
      const masked = fileOf(await askAs(adapter, person));
      await simulators.control(wire, { match: { any: true }, behaviour: 'unmasked' });
      const asked = await askAs(adapter, person);
      const { accounts } = fileOf(asked);
      expect(JSON.stringify(accounts.map(({ ref: _, ...account }) => account))).not.toMatch(/[0-9]{8}/);
      for (const [place, { accountNumberTail }] of accounts.entries()) {
        expect(accountNumberTail).toMatch(/^\d{2,4}$/);
        const before = masked.accounts[place]?.accountNumberTail;
        if (before && accountNumberTail?.length === 4) expect(accountNumberTail.endsWith(before)).toBe(true);
      }
      expect(warningsOf(asked)).toContainEqual({
        field: 'account.number',
        kind: 'unmasked-number',
        count: accounts.length,
      });
    });

    test('negative amounts: not told, counted, and no record lost', async () => {
      const person = await richPerson(simulators, wire, people);
      await simulators.control(wire, { match: { any: true }, behaviour: 'negative-money' });
      const asked = await askAs(open(wire), person);
      const { accounts } = fileOf(asked);
      expect(accounts).toHaveLength((await simulators.refs(person.id, wire)).length);
      expect(accounts.every(({ startBalancePence }) => startBalancePence === null || startBalancePence === 0)).toBe(
        true,
      );
      expect(warningsOf(asked)).toContainEqual({
        field: 'account.startBalance',
        kind: 'unreadable-value',
        count: expect.any(Number),
      });
    });

    test('duplicate rows: both are kept, under references of their own', async () => {
      const person = await richPerson(simulators, wire, people);
      const rows = (await simulators.refs(person.id, wire)).length;
      await simulators.control(wire, { match: { any: true }, behaviour: 'duplicate-rows=same', times: 1 });
      const same = await askAs(open(wire), person);
      expect(fileOf(same).accounts).toHaveLength(rows + 1);
      const refs = fileOf(same).accounts.map(({ ref }) => ref);
      const [copy = ''] = refs.filter((ref) => ref.endsWith('#2'));
      expect(refs).toContain(copy.slice(0, -'#2'.length));
      expect(warningsOf(same)).toEqual([{ field: 'account.ref', kind: 'duplicate-ref', count: 1 }]);
      await simulators.control(wire, { match: { any: true }, behaviour: 'duplicate-rows', times: 1 });
      const other = await askAs(open(wire), person);
      expect(fileOf(other).accounts).toHaveLength(rows + 1);
      expect(warningsOf(other)).toEqual([]);
    });

    test('many accounts: all of them', async () => {
      await simulators.control(wire, { match: { any: true }, behaviour: 'many=1500' });
      expect(fileOf(await askAs(open(wire))).accounts).toHaveLength(1_500);
    });

    test('more accounts than anybody has: no file', async () => {
      await simulators.control(wire, { match: { any: true }, behaviour: 'many=2001' });
      // Where a row takes many bytes, the whole is too large before it is counted.
      expect(['unintelligible', 'too-large']).toContain(reasonOf(await askAs(open(wire))));
    });

    test('a few levels of something new do no harm', async () => {
      await simulators.control(wire, { match: { any: true }, behaviour: 'deep=20' });
      expect(fileOf(await askAs(open(wire))).accounts.length).toBeGreaterThan(0);
    });

    test('wrong credentials are a refusal', async () => {
      const { credentials, ...rest } = simulators.wire(wire);
      const wrong = Object.fromEntries(Object.keys(credentials).map((key) => [key, 'wrong']));
      const adapter = openAdapter(simulators.addresses[wire], { ...rest, credentials: wrong } as never);
      expect(reasonOf(await askAs(adapter))).toBe('refused');
    });

    test('a bureau that is not there is a failed connection', async () => {
      const adapter = openAdapter('http://127.0.0.1:9', simulators.wire(wire));
      expect(reasonOf(await askAs(adapter))).toBe('connection');
    });
  });
}
