// Steps of one transaction: when one of them fails in this process, before its own statement is sent, the commit must not
// go along with the writes of the others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyStep, runSteps, type TransactionStep } from '../../src/credit-reports/transaction-steps.ts';
import { newId } from '../../src/lib/ids.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';

let server: LiveServer;
let tenant: OwnTenant;
beforeAll(async () => {
  server = await startLiveServer();
  tenant = await addTenant(server, 10_000);
});
afterAll(() => server.close());

/** Takes a hold; its other writes do what they are told. */
function holding(sourceId: string, write: () => Promise<never[]>): TransactionStep<never> {
  const { tenantId } = tenant;
  return {
    ...emptyStep(),
    order: { tenantIds: [tenantId] },
    apply(ledger) {
      ledger.hold({ tenantId, kind: 'report', sourceId, amount: 2_000, perBureau: 600, lifetimeMs: 30_000 });
      return [];
    },
    write,
  };
}

const run = (part: TransactionStep<never>) =>
  server.database.queue.forTenants([tenant.tenantId], (tx, commitNow) => runSteps(tx, [part], { sent: commitNow }));
const held = (sourceId: string) => server.query('select amount from holds where source_id = $1', [sourceId]);

test.each([
  [
    'at once',
    async () => {
      throw new Error('a fault of ours');
    },
  ],
  [
    'behind some promises',
    async () => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      throw new Error('a fault of ours');
    },
  ],
])('a step that fails %s leaves nothing behind', async (_when, write) => {
  const sourceId = newId();
  await expect(run(holding(sourceId, write))).rejects.toThrow('a fault of ours');
  expect(await held(sourceId)).toEqual([]);
  const [wallet] = await server.query('select held from wallets where tenant_id = $1', [tenant.tenantId]);
  expect(wallet).toEqual({ held: '0' });
});

test('steps that do not fail are committed with the same message', async () => {
  const sourceId = newId();
  await run(holding(sourceId, async () => []));
  expect(await held(sourceId)).toEqual([{ amount: '2000' }]);
});
