// A rotation of the hash key under load, node by node (docs/operate/hash-key.md): every step of the roll-out while clients get
// reports, answer challenges and repeat requests. No request fails but with a 503, and no key is charged twice.
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HASH_STATES, type HashState, RINGS_ARE_OLD } from '../../../tools/dev/hash-roll-out.ts';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { listRings, openRingWatch } from '../../src/lib/hash-rings.ts';
import { createLog } from '../../src/lib/log.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { sayHere } from '../support/command-line.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { newHashSettings, post } from '../support/mixed-nodes.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';
import { quietMobile } from '../support/words.ts';

/** Clients at a time, and how long each state of the nodes lasts at least. */
const CLIENTS = 6;
const STATE_MS = 1_500;

const settings = newHashSettings();
let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer({ isWide: true, environment: settings.before });
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

type Node = { readonly state: HashState; readonly baseUrl: string; close(): Promise<void> };

async function startNode(state: HashState): Promise<Node> {
  return { state, ...(await server.startNode(settings[state])) };
}

type Counts = { reports: number; repeats: number; codes: number; unavailable: number; readonly wrong: string[] };

/** Gets a report, asks again at another node with the same key, and answers a challenge at yet another, until it is told to end. */
async function runClient(
  tenant: OwnTenant,
  nextNode: () => string,
  signal: AbortSignal,
  counts: Counts,
): Promise<void> {
  /** Again with the same key while the answer is one that the documents say to retry. */
  async function ask(asked: { key: string; action?: string; body: object }) {
    for (;;) {
      const reply = await post(nextNode(), tenant, asked);
      const answer = JSON.parse(reply.text) as { code?: string; data: Record<string, unknown> };
      if (reply.status === 200) return answer.data;
      if (reply.status === 503) counts.unavailable += 1;
      else if (answer.code !== 'request-in-progress') {
        counts.wrong.push(`${reply.status} ${answer.code}`);
        return undefined;
      }
      await setTimeout(20);
    }
  }
  for (let round = 0; !signal.aborted; round += 1) {
    const key = crypto.randomUUID();
    const body = liveBody(server.mintSession());
    const [first, again] = [await ask({ key, body }), await ask({ key, body })];
    if (first?.['status'] !== 'complete') counts.wrong.push(`report ${String(first?.['status'])}`);
    if (first?.['creditReportId'] !== again?.['creditReportId']) counts.wrong.push('another report for the same key');
    counts.reports += 1;
    counts.repeats += 1;
    if (round % 5 > 0) continue;
    const to = quietMobile();
    const opened = await ask({
      key: crypto.randomUUID(),
      body: liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to }),
    });
    const { challengeId } = (opened?.['challenge'] ?? {}) as { challengeId?: string };
    // A number of an earlier round may have had its four challenges.
    if (challengeId === undefined) continue;
    const code = await server.code(to);
    const action = `/${String(opened?.['creditReportId'])}/otp-challenge`;
    const done = await ask({ key: crypto.randomUUID(), action, body: { challengeId, code } });
    if (done?.['status'] !== 'complete') counts.wrong.push(`code ${String(done?.['status'])}`);
    counts.codes += 1;
  }
}

test('every step of the roll-out under load: nothing fails, and nothing is charged twice', async () => {
  const tenant = await addTenant(server, 1_000_000_000);
  const nodes: Node[] = [await startNode('before'), await startNode('before')];
  // From the first node, which ends now; it is good on every node.
  await tenant.trefoil.getToken();
  await server.stopFirst();
  let turn = 0;
  const nextNode = () => nodes[turn++ % nodes.length]?.baseUrl ?? '';
  const ending = new AbortController();
  const counts: Counts = { reports: 0, repeats: 0, codes: 0, unavailable: 0, wrong: [] };
  const clients = Array.from({ length: CLIENTS }, () => runClient(tenant, nextNode, ending.signal, counts));
  const seen: string[] = [];
  try {
    for (const state of HASH_STATES.slice(1)) {
      // Too early: rows of the last day are under the old key alone.
      if (state === 'after') await server.query(RINGS_ARE_OLD);
      for (const place of nodes.keys()) {
        const old = nodes[place];
        nodes[place] = await startNode(state);
        seen.push(nodes.map((node) => node.state).join('+'));
        await setTimeout(STATE_MS);
        // Its requests in flight are answered first.
        await old?.close();
      }
    }
    await setTimeout(STATE_MS);
  } finally {
    ending.abort();
    await Promise.all(clients);
    for (const node of nodes) await node.close();
  }
  console.log(`hash rotation: ${JSON.stringify({ ...counts, states: seen })}`);
  expect(counts.wrong).toEqual([]);
  expect(counts.reports).toBeGreaterThan(50);
  expect(counts.codes).toBeGreaterThan(5);
  const [charges] = await server.query<{ charges: string; reports: string }>(
    `select count(*) as charges, count(distinct source_id) as reports from ledger_txs
      where tenant_id = $1 and kind = 'report-charge'`,
    [tenant.tenantId],
  );
  // Challenges are charged too, and those whose number was used up are not.
  expect(Number(charges?.charges)).toBe(Number(charges?.reports));
  expect(Number(charges?.charges)).toBe(counts.reports + counts.codes);
}, 120_000);

test('a node that is two steps ahead, or shares no key with the last day, does not start and says why', async () => {
  await server.query('delete from hash_rings');
  const first = await startNode('before');
  const refusal = (state: HashState, changes: Record<string, string> = {}) =>
    server.startNode({ ...settings[state], ...changes }).then(
      async (node) => {
        await node.close();
        return 'started';
      },
      (error) => (error instanceof ConfigError ? error.message : String(error)),
    );
  try {
    expect(await refusal('swapped')).toContain('first give it to all of them as the second');
    expect(await refusal('after')).toMatch(/no key in common .* keep their key in the ring for 25 more hours/);
    expect(await refusal('after')).toContain('TREFOIL_ALLOW_PLAINTEXT=foreign-hash-keys');
    expect(await refusal('added')).toBe('started');
  } finally {
    await first.close();
  }
  // It has ended, and what it wrote is still needed.
  expect(await refusal('after')).toContain('no key in common');
  expect(await refusal('swapped')).toBe('started');
  await server.query(RINGS_ARE_OLD);
  expect(await refusal('after')).toBe('started');
});

test('a process that runs in conflict says so and stays visible; one that is refused or held leaves no trace', async () => {
  await server.query('delete from hash_rings');
  const ringOf = (state: HashState) => loadConfig({ ...server.environment, ...settings[state] }).hashKeys;
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => lines.push(line) });
  const watch = (state: HashState) => openRingWatch(server.database, ringOf(state), { isForced: false, log });
  const before = watch('before');
  expect(await before.announce()).toBeUndefined();
  const after = watch('after');
  expect((await after.announce())?.kind).toBe('foreign');
  // It started while it could not reach the database.
  await expect(after.job.run()).rejects.toThrow('no key in common');
  expect(await server.query('select from hash_rings')).toHaveLength(1);
  // A release that does not hold itself back has let it in.
  await server.query('delete from hash_rings');
  expect(await after.announce()).toBeUndefined();
  lines.length = 0;
  for (const each of [before, after]) await expect(each.job.run()).rejects.toThrow('no key in common');
  const rings = await server.database.asSystem(listRings);
  expect(rings.map(({ isRunning }) => isRunning)).toEqual([true, true]);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toContain('TREFOIL_HASH_KEYS has no key in common');
});

test('keys hash: says which rings run and when the old key may go, and prints no key', async () => {
  await server.query('delete from hash_rings');
  const say = (state: HashState) =>
    sayHere({ config: loadConfig({ ...server.environment, ...settings[state] }) }, 'keys', 'hash');
  const one = await startNode('added');
  const two = await startNode('swapped');
  const during = await say('swapped');
  expect(during).toContain('Processes run whose ring begins with another key than new');
  expect(during).toMatch(/old, new .*runs/);
  await one.close();
  expect(await say('swapped')).toMatch(/old may move to TREFOIL_RETIRED_HASH_KEYS from \d{4}-/);
  await server.query(RINGS_ARE_OLD);
  expect(await say('swapped')).toContain('old may move to TREFOIL_RETIRED_HASH_KEYS now.');
  await two.close();
  const after = await say('after');
  expect(after).toContain('No rotation is under way. Retired: old.');
  for (const value of Object.values(settings.added).flatMap((text) => text.split(/[,:]/))) {
    if (value.length > 10) expect(during + after).not.toContain(value);
  }
});
