// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: a report is
// reserved before anybody is asked, and ends although its worker is gone.
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { leasesAreSwept, NOTHING } from '../../support/challenges.ts';
import { type LiveServer, liveBody } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { askedTimes, release, spoil } from '../../support/providers.ts';
import { SHORT_RESTS } from '../../support/rests.ts';
import { addTenant, refusalOf, type Story, storyOf } from '../../support/tenant.ts';
import { FUNDS, newName, P, quietMobile, S } from '../../support/words.ts';

let server: LiveServer;
useLiveServer(
  (started) => {
    server = started;
  },
  { overrides: { rests: SHORT_RESTS } },
);

describe.concurrent('– → pending', () => {
  test('402 insufficient-funds: no report, no hold, nobody is asked; the figures are right to the credit', async () => {
    const tenant = await addTenant(server, P + S - 1);
    const body = liveBody(server.mintSession(), { mobileNumber: quietMobile() });
    expect(await refusalOf(tenant.trefoil.generate(body))).toEqual({
      status: 402,
      code: 'insufficient-funds',
      required: P + S,
      available: P + S - 1,
    });
    expect(await storyOf(server, tenant)).toEqual({ ...NOTHING, balance: P + S - 1 });
    const { mobileNumber: _, ...withoutMobile } = body;
    const { meta } = await tenant.trefoil.generate(withoutMobile);
    expect(meta.wallet).toEqual({ cost: P, balance: S - 1 });
    // One bureau alone costs 800, and 39 are left.
    const one = tenant.trefoil.generate({ ...withoutMobile, bureaus: ['equifax'] });
    expect(await refusalOf(one)).toMatchObject({ required: 800, available: S - 1 });
  });

  test('402: what is held counts as spent', async () => {
    const tenant = await addTenant(server, 2 * P);
    const lastName = newName();
    await spoil(server, lastName, `held=${lastName}`, ['albion']);
    const first = tenant.trefoil.generate(liveBody(server.mintSession(), { lastName, mobileNumber: quietMobile() }));
    await eventually(async () => expect((await server.wallet(tenant.tenantId)).held).toBe(P + S));
    const second = tenant.trefoil.generate(liveBody(server.mintSession()));
    expect(await refusalOf(second)).toMatchObject({ status: 402, required: P, available: P - S });
    await release(server, lastName, 'albion');
    expect((await first).meta.wallet).toEqual({ cost: P, balance: P });
  });

  test('held before anybody is asked: P and S, nothing charged yet, no event', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await spoil(server, lastName, `held=${lastName}`, ['beacon']);
    const work = tenant.trefoil.generate(liveBody(server.mintSession(), { lastName, mobileNumber: quietMobile() }));
    await eventually(async () => {
      expect(await storyOf(server, tenant)).toEqual({
        ...NOTHING,
        held: P + S,
        reports: ['pending'],
        holds: ['report 2000 open', 'sms 40 open'],
      });
    });
    await release(server, lastName, 'beacon');
    expect((await work).data.status).toBe('complete');
  });
});

describe.concurrent('the worker of a pending report is gone', () => {
  test('the lease is over: failed by the sweep, all given back, no bureau asked again; the late worker changes nothing', async () => {
    await leasesAreSwept(server, SHORT_RESTS.reachableMs);
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await spoil(server, lastName, `held=${lastName}`, ['cygnet']);
    const body = liveBody(server.mintSession(), { lastName, mobileNumber: quietMobile() });
    const zombie = tenant.trefoil.generate(body, { idempotencyKey: 'zombie' });
    await eventually(async () => expect((await server.wallet(tenant.tenantId)).held).toBe(P + S));
    await server.query(`update holds set expires_at = clock_timestamp() - interval '1 second' where tenant_id = $1`, [
      tenant.tenantId,
    ]);
    const swept: Story = {
      ...NOTHING,
      reports: ['failed interrupted'],
      holds: ['report 2000 voided', 'sms 40 voided'],
      events: ['report.failed report 1'],
      audit: ['report.failed by system report 1'],
    };
    await eventually(async () => expect(await storyOf(server, tenant)).toEqual(swept));
    await release(server, lastName, 'cygnet');
    const { meta, data } = await zombie;
    expect(data.status).toBe('failed');
    expect(meta.wallet).toEqual({ cost: 0, balance: FUNDS });
    expect(await storyOf(server, tenant)).toEqual(swept);
    expect(await askedTimes(server, data.creditReportId)).toEqual([1, 1, 1]);
    // The key has the answer that holds.
    const again = await tenant.trefoil.generate(body, { idempotencyKey: 'zombie' });
    expect(again.data).toEqual(data);
    expect(await storyOf(server, tenant)).toEqual(swept);
  });
});
