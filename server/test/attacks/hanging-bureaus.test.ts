// One tenant asks about people for whom a bureau hangs, as often as it may. The places at that bureau are not all its own:
// the reports of another tenant are all complete, and hardly slower than before.
import type { TrefoilError } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { spoil } from '../support/providers.ts';
import { addTenant } from '../support/tenant.ts';

const REPORTS = 50;
const AT_A_TIME = 15;
/** Nobody of that name is known, which is an answer. */
const WHOLE = 'complete no-trace no-trace no-trace';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

/** What "not slower" means when quiet and fault are measured in one run. */
const mayTakeMs = (quietMs: number) => Math.max(3 * quietMs, quietMs + 50);

test('a bureau hangs for one tenant: of 50 reports of the other none fails, lacks a bureau or takes long', async () => {
  const [attacker, victim] = [await addTenant(server, 1_000_000), await addTenant(server, 1_000_000)];
  for (const [lastName, behaviour] of [
    ['Hangwell', 'hang'],
    // Slow enough for fifteen to need fifteen places.
    ['Slowman', 'slow=500'],
  ] as const) {
    await spoil(server, lastName, behaviour, ['cygnet']);
  }
  const ask = async () => {
    const { data } = await victim.trefoil.generate(liveBody(server.mintSession(), { lastName: 'Slowman' }));
    const outcomes = 'bureauResults' in data ? (data.bureauResults?.map(({ outcome }) => outcome) ?? []) : [];
    return [data.status, ...outcomes].join(' ');
  };
  /** The slowest of fifty. */
  async function askAll(): Promise<number> {
    let [left, slowestMs] = [REPORTS, 0];
    const answers = new Set<string>();
    await Promise.all(
      Array.from({ length: AT_A_TIME }, async () => {
        while (left > 0) {
          left -= 1;
          const startedMs = performance.now();
          answers.add(await ask());
          slowestMs = Math.max(slowestMs, performance.now() - startedMs);
        }
      }),
    );
    expect(answers).toEqual(new Set([WHOLE]));
    return slowestMs;
  }
  const quietMs = await askAll();
  const hanging = Array.from({ length: 60 }, () =>
    attacker.trefoil.generate(liveBody(server.mintSession(), { lastName: 'Hangwell' })).then(
      ({ data }) => data.status,
      (error: TrefoilError) => error.code,
    ),
  );
  // All of them have their place or their refusal: the reports that were begun are the ones that hang.
  await eventually(async () =>
    expect((await server.query("select from credit_reports where status = 'pending'")).length).toBeGreaterThanOrEqual(
      20,
    ),
  );
  expect(await askAll()).toBeLessThanOrEqual(mayTakeMs(quietMs));
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['complete', 'service-unavailable']));
}, 60_000);
