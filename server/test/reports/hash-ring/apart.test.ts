// Two nodes whose hash keys have nothing in common (docs/decisions/0260-the-hash-key-is-a-ring.md): what would be charged twice,
// and that a node which could not see the other's ring at its start does no work before it has.
import { expect, test } from 'vitest';
import { openProxy } from '../../../../tools/faults/proxy.ts';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { startLiveServer } from '../../support/live.ts';
import { newHashSettings, startMixed } from '../../support/mixed-nodes.ts';
import { raceCharges } from '../../support/ring-races.ts';

test('the control: nodes that look only under their own first key charge twice', async () => {
  // What `added` beside `swapped` would be if each node hashed under the first key of its ring alone.
  const mixed = await startMixed('before', 'after', 'foreign-hash-keys');
  try {
    const { severalReports, charges } = await raceCharges(mixed, 2);
    expect([severalReports, charges]).toEqual([2, 4]);
  } finally {
    await mixed.close();
  }
});

test('503: a node whose database was away at its start works only once its ring fits: no key is charged twice', async () => {
  const settings = newHashSettings();
  const server = await startLiveServer({ isWide: true, environment: settings.before });
  const proxied = ['TREFOIL_DATABASE_URL', 'TREFOIL_SYSTEM_DATABASE_URL'].map((name) => ({
    name,
    url: new URL(server.environment[name] ?? ''),
  }));
  const proxy = await openProxy(Number(proxied[0]?.url.port || '5432'));
  for (const { url } of proxied) url.host = `127.0.0.1:${proxy.port}`;
  await proxy.goAway();
  const late = await server.startNode({
    ...settings.after,
    ...Object.fromEntries(proxied.map(({ name, url }) => [name, url.href])),
  });
  const readiness = async () => {
    const answer = await fetch(`${late.baseUrl}/readyz`);
    return (await answer.json()) as { status: string; reason?: string };
  };
  try {
    expect((await readiness()).reason).toContain('the database does not answer');
    await proxy.comeBack();
    const reason = expect.stringContaining('TREFOIL_HASH_KEYS has no key in common with the ring');
    await eventually(async () => expect(await readiness()).toMatchObject({ status: 'not-ready', reason }));
    // A client that does not ask /readyz.
    const found = await raceCharges({ server, nodes: [server.baseUrl, late.baseUrl] }, 3);
    expect([found.severalReports, found.charges]).toEqual([0, 3]);
    expect(new Set(found.others)).toEqual(new Set(['503 service-unavailable']));
    expect(server.logText().match(/no key in common/g)).toHaveLength(1);
    const runs = async () => {
      const metrics = await (await fetch(late.metricsAddress)).text();
      return metrics.match(/^trefoil_job_runs_total\{name="hand-out-events",outcome="\w+"\} \d+/gm)?.join();
    };
    await eventually(async () => expect(await runs()).toMatch(/outcome="done"\} 0,.*outcome="failed"\} [1-9]/));
    await eventually(async () => {
      await server.query('delete from hash_rings');
      expect(await readiness()).toEqual({ status: 'ready', limits: 'shared' });
    });
    await eventually(async () => expect(await runs()).toMatch(/outcome="done"\} [1-9]/));
  } finally {
    await late.close();
    await proxy.close();
    await server.close();
  }
});
