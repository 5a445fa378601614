// What was seen before, counted in the database: requests of one transaction count each other, people are told apart, and
// no subject costs more than its hundred newest rows.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noteSignals, type RequestSignals, type SignalsOfRequest } from '../../src/screening/note-signals.ts';
import { startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const hash = () => randomBytes(16);
const note = (requests: readonly RequestSignals[]) =>
  server.database.forTenants([server.demo.tenantId], (tx) =>
    noteSignals(
      tx,
      requests.map((each) => [each] as const),
    ),
  );
const request = (changes: Partial<RequestSignals> = {}): RequestSignals => ({
  person: hash(),
  network: hash(),
  device: undefined,
  mobile: undefined,
  ...changes,
});

test('requests of one transaction count each other, in their order', async () => {
  const network = hash();
  const person = hash();
  const counted = await note([request({ network, person }), request({ network }), request({ network, person })]);
  expect(counted.map((each) => each.network)).toEqual([
    { hour: 0, day: 0, otherPeople: 0 },
    { hour: 1, day: 1, otherPeople: 1 },
    { hour: 2, day: 2, otherPeople: 1 },
  ]);
  expect(counted.map((each) => each.person.day)).toEqual([0, 0, 1]);
  const [next] = await note([request({ network })]);
  expect(next?.network).toEqual({ hour: 3, day: 3, otherPeople: 2 });
});

test('under two keys the same request counts once, and what was written under one of them alone counts too', async () => {
  const [old, next] = [request(), request()];
  const noteAll = (...requests: readonly SignalsOfRequest[]) =>
    server.database.forTenants([server.demo.tenantId], (tx) => noteSignals(tx, requests));
  await noteAll([old], [old]);
  const [first, second] = await noteAll([next, old], [old, next]);
  expect([first?.network, second?.network]).toEqual([
    { hour: 2, day: 2, otherPeople: 0 },
    { hour: 3, day: 3, otherPeople: 0 },
  ]);
  const other: SignalsOfRequest = [request({ network: next.network }), request({ network: old.network })];
  expect((await noteAll(other))[0]?.network).toEqual({ hour: 4, day: 4, otherPeople: 1 });
  // A node with the new key alone knows what was written since both were in use.
  expect((await noteAll([next]))[0]?.network).toEqual({ hour: 3, day: 3, otherPeople: 1 });
});

test('an hour, a day and thirty days are told apart, and a hundred is the most', async () => {
  const device = { atNetwork: hash(), withPerson: hash() };
  const person = hash();
  const seenAgain = async () => (await note([request({ device, person })]))[0]?.device;
  const age = (interval: string) =>
    server.query(`update sightings set seen_at = seen_at - $1::interval where identity_hash = $2`, [interval, person]);
  expect(await seenAgain()).toEqual({ hour: 0, day: 0, otherPeople: 0, isKnownWithPerson: false });
  expect(await seenAgain()).toEqual({ hour: 1, day: 1, otherPeople: 0, isKnownWithPerson: false });
  await age('61 minutes');
  expect(await seenAgain()).toEqual({ hour: 0, day: 2, otherPeople: 0, isKnownWithPerson: true });
  await age('25 hours');
  expect(await seenAgain()).toEqual({ hour: 0, day: 0, otherPeople: 0, isKnownWithPerson: true });
  await age('31 days');
  expect(await seenAgain()).toEqual({ hour: 0, day: 0, otherPeople: 0, isKnownWithPerson: false });
  const network = hash();
  await note(Array.from({ length: 150 }, () => request({ network })));
  expect((await note([request({ network })]))[0]?.network).toMatchObject({ hour: 100, day: 100 });
});
