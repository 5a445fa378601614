// Workers as real processes, killed with SIGKILL again and again while events happen: every event is handed out once and
// arrives at least once, always with its own id.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../harness.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { addWebhookTenant, startWebhookServer } from '../support/webhooks.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const KILLS = 6;

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startWebhookServer({ environment: { TREFOIL_JOBS: 'off' } });
  // Slow enough that a killed worker has attempts under way.
  receiver = await startReceiver((response) => void setTimeout(() => response.writeHead(204).end(), 60));
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

/** Resolves once it works. */
async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN, 'worker'], {
    env: { ...server.environment, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"working"')) break;
  child.stdout.resume();
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

test(`${KILLS} kills: no event is lost, none is handed out twice`, async () => {
  const tenant = await addWebhookTenant(server);
  const { id } = await tenant.add({ url: receiver.url });
  const reports: string[] = [];
  let workers = await Promise.all([startWorker(), startWorker()]);
  for (let round = 0; round < KILLS; round += 1) {
    reports.push(...(await tenant.happen(40)));
    const seen = receiver.received.length;
    await expect.poll(() => receiver.received.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(seen + 10);
    const [victim, survivor] = workers;
    if (!victim || !survivor) throw new Error('no worker');
    await kill(victim);
    workers = [survivor, await startWorker()];
    // The leases of the dead worker end.
    await server.query(
      `update webhook_deliveries set leased_until = now(), next_attempt_at = now()
        where state = 'pending' and leased_until is not null`,
    );
  }
  const waiting = async () =>
    (await server.query(`select from webhook_deliveries where endpoint_id = $1 and state <> 'delivered'`, [id])).length;
  await expect.poll(waiting, { timeout: 30_000, interval: 100 }).toBe(0);
  for (const worker of workers) await kill(worker);
  const [row] = await server.query<{ count: number }>(
    'select count(*)::int as count from webhook_deliveries where endpoint_id = $1',
    [id],
  );
  expect(row?.count).toBe(reports.length);
  const arrived = new Map<string, Set<string>>();
  for (const { webhookId, event } of receiver.received) {
    const report = String(event.data['creditReportId']);
    arrived.set(report, (arrived.get(report) ?? new Set()).add(webhookId));
  }
  expect([...arrived.keys()].toSorted()).toEqual(reports.toSorted());
  for (const ids of arrived.values()) expect(ids.size).toBe(1);
}, 120_000);
