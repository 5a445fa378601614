// How soon a request that waits for an event is answered, with the service's own limits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { endOf, untilWaiting, writeEvent } from '../support/event-waits.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ overrides: { patience: 1 } });
});
afterAll(() => server.close());

test('a waiting request is answered within a second of the commit', async () => {
  for (let round = 0; round < 3; round += 1) {
    const cursor = await endOf(server.trefoil);
    const waiting = server.trefoil.listEvents({ cursor, wait: 15 });
    await untilWaiting(server.metricsAddress, 1);
    await writeEvent(server);
    const committedMs = performance.now();
    const { data } = await waiting;
    expect(performance.now() - committedMs).toBeLessThan(1_000);
    expect(data.items.length).toBe(1);
  }
});

test('a wait of 20 seconds is answered with 200 before the request’s own limit', async () => {
  const cursor = await endOf(server.trefoil);
  const startedMs = performance.now();
  const { data } = await server.trefoil.listEvents({ cursor, wait: 20 });
  expect(data.items).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
