// What happened last, as far as each role may see it; and how bureaus answered, by half hours (docs/decisions/0234-usage.md).
import type { ActivityData, BureausData, Role } from '@trefoil/contract';
import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { listRecentEvents } from '../../src/events/list-recent-events.ts';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import { rollUpUsage } from '../../src/usage/roll-up-usage.ts';
import { generateBody } from '../harness.ts';
import { challenge, codeOf, generate, submit } from '../support/challenges.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { addTenant as addBook, addLiveReport, results } from '../support/money-states.ts';
import { countingPages } from '../support/pages.ts';
import { addPerson, addTenantWithOwner, callAs } from '../support/people.ts';
import { spoil } from '../support/providers.ts';
import { addTenant } from '../support/tenant.ts';
import { addCredential } from '../support/tokens.ts';
import { FUNDS, newName } from '../support/words.ts';

let server: LiveServer;
beforeAll(async () => {
  server = await startLiveServer();
});
afterAll(() => server.close());

const read = async (tenantId: string, role: Role, path: string) => {
  const person = await addPerson(server, tenantId, role);
  const { status, data, reply } = await callAs(server, person, 'GET', `/${tenantId}/v1/${path}`);
  expect(status, reply.text).toBe(200);
  return data;
};
const activityOf = async (tenantId: string, role: Role, query = '') =>
  ((await read(tenantId, role, `activity${query}`)) as unknown as ActivityData).items;

describe('activity', () => {
  test('200: outcomes, top-ups and changes by people, newest first; each role sees what it may', async () => {
    const tenant = await addTenant(server, 10_000);
    const { tenantId, trefoil } = tenant;
    const { data } = await generate(server, tenant);
    // What moves the test wallet is no news.
    await trefoil.generate(generateBody({ testOptions: { charges: true } }));
    const owner = await addPerson(server, tenantId, 'owner');
    await callAs(server, owner, 'PATCH', `/${tenantId}/v1/settings`, { retentionDays: 31 });
    const seen = await activityOf(tenantId, 'owner');
    expect(seen.map(({ kind }) => kind)).toEqual(['settings.changed', 'credit-report.completed', 'wallet.topped-up']);
    expect(seen[0]).toMatchObject({ actor: owner.userId, subjectId: tenantId, creditReportId: null, amount: null });
    expect(seen[1]).toMatchObject({ creditReportId: data.creditReportId, actor: null, subjectId: null });
    expect(seen[2]).toMatchObject({ amount: 10_000 });
    const times = seen.map(({ occurredAt }) => occurredAt);
    expect(times).toEqual(times.toSorted().toReversed());
    // The role finance has the audit log; analysts and developers have not.
    expect((await activityOf(tenantId, 'finance')).map(({ kind }) => kind)).toContain('settings.changed');
    for (const role of ['analyst', 'developer'] as const) {
      const kinds = (await activityOf(tenantId, role)).map(({ kind }) => kind);
      expect(kinds).toEqual(['credit-report.completed', 'wallet.topped-up']);
    }
    expect((await activityOf(tenantId, 'owner', '?test=true')).map(({ kind }) => kind)).toEqual([
      'credit-report.completed',
    ]);
    expect((await activityOf(tenantId, 'owner', '?limit=2')).map(({ id }) => id)).toEqual(
      seen.slice(0, 2).map(({ id }) => id),
    );
  });

  test('200: without wallet:read no news of the wallet, without audit:read none of people; a test-only credential sees test mode', async () => {
    const tenant = await addTenant(server, 10_000);
    await generate(server, tenant);
    await tenant.trefoil.generate(generateBody());
    const narrow = await addCredential(server, tenant, { scopes: ['reports:read'] });
    const kindsOf = async (credential: typeof narrow) =>
      (await createTrefoil({ baseUrl: server.baseUrl, ...credential }).listActivity()).data.items.map(
        ({ kind }) => kind,
      );
    // An event can be read once every transaction that began before it has ended, also those of other databases.
    await eventually(async () => expect(await kindsOf(narrow)).toEqual(['credit-report.completed']));
    const ofTests = await addCredential(server, tenant, { scopes: ['reports:read', 'wallet:read', 'audit:read'] });
    await server.query('update credentials set is_test_only = true where id = $1', [ofTests.clientId]);
    await eventually(async () => expect(await kindsOf(ofTests)).toEqual(['credit-report.completed']));
    const [test] = (await createTrefoil({ baseUrl: server.baseUrl, ...ofTests }).listActivity()).data.items;
    const idsOfEvents = async () =>
      (await tenant.trefoil.listEvents({ type: 'credit-report.completed', test: true })).data.items.map(({ id }) => id);
    await eventually(async () => expect(await idsOfEvents()).toEqual([test?.id]));
  });

  test('200: the latest of one mode, however much happened in the other since; it costs no more', async () => {
    const types = ['credit-report', 'wallet.topped-up', 'wallet.low'];
    for (const isTest of [true, false]) {
      const { tenantId } = await addTenantWithOwner(server);
      const happen = (type: string, inTest: boolean, count: number) =>
        server.query(
          `insert into outbox (tenant_id, type, subject_id, credit_report_id, is_test, amount)
           select $1, $2, id, id, $3, 0 from (select gen_random_uuid() as id from generate_series(1, $4::int)) as reports`,
          [tenantId, type, inTest, count],
        );
      let pages = 0;
      const look = () =>
        server.database.forTenants([tenantId], (tx) => {
          const counting = countingPages(tx, (count) => (pages += count), 'custom');
          return listRecentEvents(counting, tenantId, { types, isTest }, 8);
        });
      await happen('report.completed', isTest, 3);
      // What is not shown, of the same mode, and what is shown, of the other.
      await happen('challenge.sent', isTest, 3_000);
      await happen('report.completed', !isTest, 3_000);
      await server.query('vacuum analyze outbox');
      expect(await look()).toHaveLength(3);
      expect(pages).toBeLessThan(20);
      const query = isTest ? '?test=true' : '';
      expect((await activityOf(tenantId, 'owner', query)).map(({ kind }) => kind)).toEqual(
        Array.from({ length: 3 }, () => 'credit-report.completed'),
      );
    }
  });

  test('200: another company sees nothing of it', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    expect(await activityOf(tenantId, 'owner')).toEqual([]);
  });
});

describe('bureaus', () => {
  const bureausOf = async (tenantId: string) =>
    ((await read(tenantId, 'analyst', 'bureaus')) as unknown as BureausData).items;

  /** A report that ended so many half hours ago. */
  async function addEnded(tenantId: string, halfHoursAgo: number, outcomes: Parameters<typeof results>): Promise<void> {
    const id = await addLiveReport(server, tenantId, { status: 'complete', bureauResults: results(...outcomes) });
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, credit_report_id, amount, created_at)
       values ($1, 'report.completed', $2, $2, 0, date_bin('30 minutes', now(), '2026-01-01Z') - make_interval(mins => 30 * $3))`,
      [tenantId, id, halfHoursAgo],
    );
  }

  test('200: 48 half hours, the share that answered, the state and since when', async () => {
    const tenantId = await addBook(server);
    for (const [ago, outcomes] of [
      [60, ['unavailable', 'unavailable', 'unavailable']],
      [47, ['ok', 'ok', 'no-trace']],
      [3, ['ok', 'unavailable', 'ok']],
      [1, ['ok', 'unavailable', 'ok']],
      [1, ['ok', 'unavailable', 'ok']],
    ] as const) {
      await addEnded(tenantId, ago, [...outcomes]);
    }
    // Test mode asks nobody.
    const ofTest = await addLiveReport(server, tenantId, {
      status: 'complete',
      bureauResults: results('unavailable', 'ok', 'unavailable'),
    });
    await server.query(
      `insert into outbox (tenant_id, type, subject_id, credit_report_id, is_test) values ($1, 'report.completed', $2, $2, true)`,
      [tenantId, ofTest],
    );
    await eventually(async () => {
      await rollUpUsage(server.database);
      const states = await bureausOf(tenantId);
      expect(states.map(({ bureau, state, answeredShare }) => [bureau, state, answeredShare])).toEqual([
        ['equifax', 'answering', 1],
        ['experian', 'failing', 0.25],
        ['transunion', 'answering', 1],
      ]);
    });
    const [equifax, experian] = await bureausOf(tenantId);
    expect(equifax?.slots).toHaveLength(48);
    const starts = equifax?.slots.map(({ startsAt }) => Date.parse(startsAt)) ?? [];
    expect(starts.every((start, place) => place === 0 || start - (starts[place - 1] ?? 0) === 1_800_000)).toBe(true);
    // A half hour may end while the test runs.
    const asked = experian?.slots.filter((slot) => slot.asked > 0) ?? [];
    expect(asked.slice(-2)).toMatchObject([
      { asked: 1, answered: 0 },
      { asked: 2, answered: 0 },
    ]);
    expect(experian?.since).toBe(asked.at(-2)?.startsAt);
    expect(equifax?.since).toBe(equifax?.slots.find((slot) => slot.asked > 0)?.startsAt);
  });

  test('200: an outage of every bureau shows, also after a right code; the reconciliation finds nothing', async () => {
    const tenant = await addTenant(server, FUNDS);
    const lastName = newName();
    const open = await challenge(server, { tenant });
    const code = await codeOf(server, open);
    for (const name of [lastName, open.lastName]) await spoil(server, name, 'reset');
    await generate(server, tenant, { lastName });
    await submit(open, code);
    await eventually(async () => {
      await rollUpUsage(server.database);
      const states = (await bureausOf(tenant.tenantId)).map(({ state, answeredShare, slots }) => [
        ...[state, answeredShare],
        slots.reduce((sum, { asked }) => sum + asked, 0),
      ]);
      expect(states).toEqual(Array.from({ length: 3 }, () => ['failing', 0, 2]));
    });
    const { items } = (await tenant.trefoil.listWalletEntries()).data;
    const ofReports = items.filter(({ kind }) => kind.startsWith('report-'));
    expect(ofReports.map(({ kind, bureauCount }) => [kind, bureauCount])).toEqual([
      ['report-refund', 3],
      ['report-charge', 3],
    ]);
    const { findings } = await reconcile(server.database);
    expect(findings.filter(({ tenantId }) => tenantId === tenant.tenantId)).toEqual([]);
  });

  test('200: never asked', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    for (const { state, since, answeredShare, slots } of await bureausOf(tenantId)) {
      expect({ state, since, answeredShare }).toEqual({ state: 'not-asked', since: null, answeredShare: null });
      expect(slots.every(({ asked }) => asked === 0)).toBe(true);
    }
  });
});
