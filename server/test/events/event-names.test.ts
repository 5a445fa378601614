// Ids and cursors of the feed tell a company nothing of the others, and those that were handed out before there was a key keep
// working (docs/decisions/0280-ids-that-do-not-count.md).
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { grave } from '../support/grave.ts';
import { addTenantWithOwner, callAs, type TestPerson } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const keyFrom = (time: string) => server.query(`update event_names set keyed_from = ${time}`);
afterEach(() => keyFrom(`'epoch'`));

type Tenant = { readonly tenantId: string; readonly owner: TestPerson };
type Page = { items: { id: string; data: { creditReportId?: string } }[]; nextCursor: string };

async function read({ tenantId, owner }: Tenant, query = ''): Promise<Page> {
  const { status, data } = await callAs(server, owner, 'GET', `/${tenantId}/v1/events?limit=200${query}`);
  expect(status).toBe(200);
  return data as unknown as Page;
}

const reportsOf = ({ items }: Page) => items.map(({ data }) => data.creditReportId);

/** So many events at once, so long ago; returns their reports once the company can read them. */
async function happen(tenant: Tenant, count: number, ago = '0 s'): Promise<string[]> {
  const reports = Array.from({ length: count }, newId);
  await server.query(
    `insert into outbox (tenant_id, type, subject_id, credit_report_id, amount, created_at)
     select $1, 'report.completed', report, report, 5, now() - $3::interval from unnest($2::uuid[]) as report`,
    [tenant.tenantId, reports, ago],
  );
  await eventually(async () => expect(reportsOf(await read(tenant))).toEqual(expect.arrayContaining(reports)));
  return reports;
}

/** What the release before wrote. */
const SPREAD = 0x9e3779b97f4a7c15n;
const plainId = (number: number) =>
  `evt_${BigInt.asUintN(64, BigInt(number) * SPREAD)
    .toString(16)
    .padStart(16, '0')}`;
const plainCursor = (place: string | undefined) => Buffer.from(place ?? '').toString('base64url');

const rowsOf = ({ tenantId }: Tenant) =>
  server.query<{ id: number; place: string }>(
    `select id::integer as id, xact_id || '.' || id as place from outbox where tenant_id = $1 order by xact_id, id`,
    [tenantId],
  );

test('neither ids nor cursors tell how many events other companies had', async () => {
  const [mine, other] = [await addTenantWithOwner(server), await addTenantWithOwner(server)];
  await happen(mine, 1);
  const first = await read(mine);
  await happen(other, 50);
  await happen(mine, 1);
  const second = await read(mine, `&cursor=${first.nextCursor}`);
  const rows = await rowsOf(mine);
  // The control: before there was a key, the difference of two ids was the number of events from one to the other.
  const difference = (a = '', b = '') => BigInt.asUintN(64, BigInt(`0x${b.slice(4)}`) - BigInt(`0x${a.slice(4)}`));
  const [one = 0, two = 0] = rows.map(({ id }) => id);
  const steps = BigInt.asUintN(64, BigInt(two - one) * SPREAD);
  expect(difference(plainId(one), plainId(two))).toBe(steps);
  await grave('another tenant', () => {
    expect(difference(first.items[0]?.id, second.items[0]?.id)).not.toBe(steps);
    for (const [place, page] of [first, second].entries()) {
      expect(page.nextCursor).not.toBe(plainCursor(rows[place]?.place));
      expect(Buffer.from(page.nextCursor, 'base64url')).toHaveLength(16);
    }
  });
});

test('400 validation-error: a cursor with one letter changed', async () => {
  const tenant = await addTenantWithOwner(server);
  await happen(tenant, 2);
  const { nextCursor } = await read(tenant);
  const changed = (nextCursor.startsWith('A') ? 'B' : 'A') + nextCursor.slice(1);
  const { status, code } = await callAs(server, tenant.owner, 'GET', `/${tenant.tenantId}/v1/events?cursor=${changed}`);
  expect([status, code]).toEqual([400, 'validation-error']);
  expect((await read(tenant, `&cursor=${nextCursor}`)).items).toEqual([]);
});

test('until a week after an upgrade ids and cursors are those of the release before; then both go on, and tell nothing of what is new', async () => {
  await keyFrom(`now() + interval '7 days'`);
  const tenant = await addTenantWithOwner(server);
  const [one, two] = await happen(tenant, 2, '2 hours');
  const before = await read(tenant);
  const places = await rowsOf(tenant);
  expect(before.items.map(({ id }) => id)).toEqual(places.map(({ id }) => plainId(id)));
  expect(before.nextCursor).toBe(plainCursor(places[1]?.place));

  // As a week later: the two events were before that time, and what happens now is after it.
  await keyFrom(`now() - interval '1 hour'`);
  const [three, four] = await happen(tenant, 2);
  const all = await read(tenant);
  expect(all.items.slice(0, 2)).toEqual(before.items);
  const rows = await rowsOf(tenant);
  for (const [place, { id }] of all.items.slice(2).entries()) expect(id).not.toBe(plainId(rows[2 + place]?.id ?? 0));
  const after = async (cursor: string, order = '') => reportsOf(await read(tenant, `&cursor=${cursor}${order}`));
  expect(await after(plainCursor(places[0]?.place))).toEqual([two, three, four]);
  expect(await after(before.nextCursor)).toEqual([three, four]);
  expect(await after(before.nextCursor, '&order=newest')).toEqual([one]);
  expect(await after(all.nextCursor)).toEqual([]);
  // Made up: with the true place of a new event, and far beyond it. Whoever could tell these apart would know the place.
  for (const place of [rows[2]?.place, rows[3]?.place, '200000000000000.1']) {
    await grave('another tenant', async () => expect(await after(plainCursor(place))).toEqual([three, four]));
    expect(await after(plainCursor(place), '&order=newest')).toEqual([two, one]);
  }
});
