// The state table (docs/decisions/0050-when-the-report-is-charged.md) over HTTP against the simulators: what a device
// session decides about a challenge.
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../../tools/testing/eventually.ts';
import { generate } from '../../support/challenges.ts';
import { type LiveServer, liveBody } from '../../support/live.ts';
import { useLiveServer } from '../../support/one-node.ts';
import { release, spoil } from '../../support/providers.ts';
import { addTenant, type OwnTenant, refusalOf, storyOf } from '../../support/tenant.ts';
import { FUNDS, newName, P, quietMobile } from '../../support/words.ts';

let server: LiveServer;
useLiveServer((started) => {
  server = started;
});

describe.concurrent('device sessions', () => {
  const strangers: Record<string, (tenant: OwnTenant) => Promise<string>> = {
    unknown: async () => 'a-session-nobody-made',
    forged: async () => {
      const session = server.mintSession();
      const last = session.at(-6) === 'A' ? 'B' : 'A';
      return `${session.slice(0, -6)}${last}${session.slice(-5)}`;
    },
    'over 30 minutes old': async () => server.mintSession(new Date(Date.now() - 30 * 60_000 - 1_000)),
    'first used for another person': async (tenant) => {
      const session = server.mintSession();
      await tenant.trefoil.generate(liveBody(session, { firstName: 'Beatrix' }));
      return session;
    },
    'first used for the same name, born another day': async (tenant) => {
      const session = server.mintSession();
      await tenant.trefoil.generate(liveBody(session, { dateOfBirth: '1984-03-10' }));
      return session;
    },
    'first used by another tenant': async () => {
      const session = server.mintSession();
      const other = await addTenant(server, FUNDS);
      await other.trefoil.generate(liveBody(session));
      return session;
    },
  };
  for (const [name, sessionOf] of Object.entries(strangers)) {
    test(`${name}: completes if nothing is demanded, fails without a message or a cost if a challenge is`, async () => {
      const tenant = await addTenant(server, FUNDS);
      const session = await sessionOf(tenant);
      const before = await storyOf(server, tenant);
      const to = quietMobile();
      const demanded = await generate(server, tenant, { email: 'challenge@example.com', mobileNumber: to }, session);
      expect(demanded).toMatchObject({ data: { status: 'failed' }, cost: 0 });
      if (demanded.data.status === 'failed')
        expect(demanded.data.errorMessage).toMatch(/device could not be verified/i);
      const after = await storyOf(server, tenant);
      expect(after).toMatchObject({ balance: before.balance, held: 0, lines: before.lines, sends: [] });
      expect(after.reports.at(-1)).toBe('failed device-not-verified');
      expect(await server.inbox(to)).toEqual([]);
      const allowed = await generate(server, tenant, {}, session);
      expect(allowed).toMatchObject({ data: { status: 'complete' }, cost: P });
    });
  }

  test('the same person, tenant and page again: known, whatever the spelling', async () => {
    const tenant = await addTenant(server, FUNDS);
    const session = server.mintSession();
    await generate(server, tenant, {}, session);
    const changes = { email: 'challenge@example.com', mobileNumber: quietMobile(), firstName: ' ADA ' };
    const { data } = await generate(server, tenant, changes, session);
    expect(data.status).toBe('authentication-required');
  });

  test('a session that met a 409 or a 422 is not bound by it', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    await spoil(server, lastName, `held=${lastName}`, ['albion']);
    const call = { idempotencyKey: 'session' };
    const running = tenant.trefoil.generate(liveBody(server.mintSession(), { lastName }), call);
    await eventually(async () => expect((await server.wallet(tenant.tenantId)).held).toBe(P));
    const session = server.mintSession();
    const stranger = liveBody(session, { firstName: 'Beatrix' });
    expect(await refusalOf(tenant.trefoil.generate(stranger, call))).toMatchObject({ status: 422 });
    await release(server, lastName, 'albion');
    await running;
    expect(await refusalOf(tenant.trefoil.generate(stranger, call))).toMatchObject({ status: 422 });
    const changes = { email: 'challenge@example.com', mobileNumber: quietMobile() };
    expect((await generate(server, tenant, changes, session)).data.status).toBe('authentication-required');
  });

  test('a session that met a 402 is not bound by it', async () => {
    const [poor, rich] = [await addTenant(server, 0), await addTenant(server, FUNDS)];
    const session = server.mintSession();
    expect(await refusalOf(poor.trefoil.generate(liveBody(session)))).toMatchObject({ status: 402 });
    const changes = { email: 'challenge@example.com', mobileNumber: quietMobile() };
    expect((await generate(server, rich, changes, session)).data.status).toBe('authentication-required');
  });
});
