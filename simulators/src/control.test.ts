// Rules, the log, and the endpoints that describe people, over real HTTP.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../tools/testing/eventually.ts';
import { describeTruth } from './people/describe.ts';
import {
  ASK,
  BUREAUS,
  control,
  enquiriesOf,
  type Person,
  person,
  type Simulators,
  startSimulators,
} from './testing.ts';

let sims: Simulators;
let who: Person;
let other: Person;

beforeAll(async () => {
  sims = await startSimulators();
  who = await person(sims.beacon, 'person-0011');
  other = await person(sims.beacon, 'person-0012');
});
afterEach(async () => {
  for (const bureau of BUREAUS) await fetch(`${sims[bureau]}/control`, { method: 'DELETE' });
});
afterAll(() => sims.stop());

const isTraced = async (response: Response) => {
  const text = await response.text();
  return response.status === 200 && !/code="NT"|"rc":"0100"/.test(text);
};

describe.each(BUREAUS)('%s', (bureau) => {
  const ask = (about: Person, enquiryId: string = randomUUID()) => ASK[bureau](sims, about, { enquiryId });

  test('a rule by last name holds for that name only, as often as said', async () => {
    const rule = { match: { lastName: who.lastName.toUpperCase() }, behaviour: 'no-trace', times: 2 };
    expect((await control(sims[bureau], rule)).status).toBe(201);
    expect(await isTraced(await ask(other))).toBe(true);
    expect(await isTraced(await ask(who))).toBe(false);
    expect(await isTraced(await ask(who))).toBe(false);
    expect(await isTraced(await ask(who))).toBe(true);
  });

  test('rules by person, by enquiry id and for any add up', async () => {
    await control(sims[bureau], { match: { person: who.id }, behaviour: 'slow=5' });
    await control(sims[bureau], { match: { enquiryId: 'chosen' }, behaviour: 'duplicate-rows' });
    await control(sims[bureau], { match: { any: true }, behaviour: 'wrong-type' });
    await (await ask(who, 'chosen')).text();
    const [logged] = await enquiriesOf(sims[bureau], 'chosen');
    expect(logged?.calls.map(({ behaviour }) => behaviour)).toEqual(['slow=5, duplicate-rows, wrong-type']);
  });

  test('a family name can carry a behaviour', async () => {
    expect(await isTraced(await ask({ ...who, lastName: `${who.lastName} Simulate no trace` }))).toBe(false);
    const enquiryId = randomUUID();
    expect(await isTraced(await ask({ ...who, lastName: `${who.lastName}-Simulate-slow-20` }, enquiryId))).toBe(true);
    expect(await enquiriesOf(sims[bureau], enquiryId)).toMatchObject([
      { person: who.id, calls: [{ behaviour: 'slow=20' }] },
    ]);
  });

  test('held: answers when it is released, and holds nothing after that', async () => {
    await control(sims[bureau], { match: { person: who.id }, behaviour: 'held=back' });
    const enquiryId = randomUUID();
    let isAnswered = false;
    const asked = ask(who, enquiryId).finally(() => {
      isAnswered = true;
    });
    await eventually(async () => expect(await enquiriesOf(sims[bureau], enquiryId)).toHaveLength(1));
    expect((await control(sims[bureau], { release: 'another' })).status).toBe(201);
    expect(isAnswered).toBe(false);
    await control(sims[bureau], { release: 'back' });
    expect(await isTraced(await asked)).toBe(true);
    expect(await isTraced(await ask(who))).toBe(true);
  });

  test('204: DELETE lets held answers go', async () => {
    await control(sims[bureau], { match: { person: who.id }, behaviour: 'held=until-the-end' });
    const enquiryId = randomUUID();
    const asked = ask(who, enquiryId);
    await eventually(async () => expect(await enquiriesOf(sims[bureau], enquiryId)).toHaveLength(1));
    expect((await fetch(`${sims[bureau]}/control`, { method: 'DELETE' })).status).toBe(204);
    expect(await isTraced(await asked)).toBe(true);
  });

  test('204: DELETE forgets rules and log', async () => {
    await control(sims[bureau], { match: { any: true }, behaviour: 'hang' });
    expect((await fetch(`${sims[bureau]}/control`, { method: 'DELETE' })).status).toBe(204);
    expect(await (await fetch(`${sims[bureau]}/control`)).json()).toEqual({ rules: [] });
    expect(await (await fetch(`${sims[bureau]}/control/enquiries`)).json()).toEqual({ enquiries: [] });
    expect(await isTraced(await ask(who))).toBe(true);
  });
});

test('400: a rule that makes no sense', async () => {
  const rules = [
    {},
    { match: {}, behaviour: 'hang' },
    { match: { any: true }, behaviour: 'fly' },
    { match: { any: true }, behaviour: 'hang', times: 0 },
    { match: { any: true }, behaviour: 'hang', call: 'phone' },
  ];
  for (const rule of rules) expect((await control(sims.albion, rule)).status).toBe(400);
  expect((await fetch(`${sims.albion}/control`, { method: 'POST', body: '{' })).status).toBe(400);
});

test('every bureau describes the same people, lenders and truth', async () => {
  for (const path of ['/people/person-0042', '/people?count=3&from=40', '/lenders', '/people/person-0042/truth']) {
    const [albion, ...rest] = await Promise.all(
      BUREAUS.map(async (bureau) => (await fetch(sims[bureau] + path)).text()),
    );
    expect(rest).toEqual([albion, albion]);
  }
  expect((await fetch(`${sims.albion}/people/person-0000`)).status).toBe(404);
  expect((await fetch(`${sims.albion}/people/person-00042`)).status).toBe(404);
});

test('the truth names exactly the rows of the three files', async () => {
  const { agreements } = describeTruth({ seed: 'trefoil', asOf: '2026-06-01' }, 11);
  const patterns = { albion: /A-\d{5}-\d{3}/g, beacon: /B\d{4}\.\d{2}/g, cygnet: /c-\d{4}-[a-z]{2}/g };
  for (const bureau of BUREAUS) {
    const text = await (await ASK[bureau](sims, who)).text();
    const refs = agreements.flatMap(({ refs: each }) => each[bureau] ?? []);
    expect([...text.matchAll(patterns[bureau])].map(([ref]) => ref).toSorted()).toEqual(refs.toSorted());
  }
});
