// A short random day: every figure of the API equals what follows from the ledger and the events, and a wrong row is found. The
// whole day of 5,000 operations is `npm run random-day` (docs/decisions/0242-a-random-day.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../../bench/merge/random.ts';
import { createTally } from '../../../tools/chaos/tally.ts';
import { compareFigures } from '../../../tools/random-day/compare-figures.ts';
import { PLANTS, plant } from '../../../tools/random-day/plants.ts';
import { letCodesExpire, playDay } from '../../../tools/random-day/play-day.ts';
import type { Scene } from '../../../tools/random-day/scene.ts';
import { settle } from '../../../tools/random-day/settle.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { spoil } from '../support/providers.ts';

const OPERATIONS = 200;
const seed = Number(process.env['TREFOIL_TEST_SEED'] ?? Date.now() % 2 ** 31);
const random = new Random(seed);
let server: LiveServer;
let scene: Scene;

beforeAll(async () => {
  server = await startLiveServer({ isWide: true });
  const { baseUrl, demo, other, database, mintSession, query, providers } = server;
  await server.fund(demo.tenantId, 100_000_000);
  await spoil(server, 'Partly', 'error', ['albion']);
  const { firstName, dateOfBirth, addresses } = liveBody('');
  scene = {
    ...{ nodes: { pick: () => ({ baseUrl }) }, tenants: [demo, other], addresses: providers.addresses, database },
    nextPerson() {
      const lastName = random.pickWeighted(
        [['Example', 84] as const, ['Partly', 8] as const, ['Nobody Simulate error', 8] as const],
        ([, weight]) => weight,
      )[0];
      return { firstName, lastName, dateOfBirth, addresses };
    },
    mintSession: () => mintSession(),
    query: (text, values = []) => query(text, [...values]),
  };
}, 60_000);
afterAll(() => server.close());

test(`seed ${seed}: ${OPERATIONS} random operations, and every figure equals the books; each planted fault is found`, async () => {
  const tally = createTally();
  const signal = AbortSignal.timeout(60_000);
  await playDay(scene, random, tally, { operations: OPERATIONS, atOnce: 16, signal });
  await letCodesExpire(scene);
  expect(await settle(scene, 60_000), 'at rest').toBe(true);
  expect([...tally.findings]).toEqual([]);
  for (const tenant of scene.tenants) {
    const { figures, differences } = await compareFigures(scene, tenant);
    expect(differences).toEqual([]);
    expect(figures).toBeGreaterThan(500);
  }
  for (const fault of PLANTS) {
    await plant(scene, scene.tenants[0].tenantId, fault);
    const { differences } = await compareFigures(scene, scene.tenants[0]);
    const place = { usage: /^usage\(.*outcomes\.complete/, wallet: /^months\..*reports/, bureaus: /^bureaus\..*asked/ };
    expect(
      differences.filter((each) => place[fault.id].test(each)),
      fault.id,
    ).not.toEqual([]);
  }
}, 180_000);
