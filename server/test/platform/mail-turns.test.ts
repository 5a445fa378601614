// Mails that somebody waits for come before notices, companies take turns, and a company's notices have a budget.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { queueDailyNotice, queueNotice } from '../../src/mail/queue-mail.ts';
import { firstTurns } from '../../src/mail/send-mails.ts';
import { takeDueMails } from '../../src/mail/store.ts';
import { startServer, type TestServer } from '../harness.ts';
import { type Mailbox, startMailbox } from '../support/mailbox.ts';
import { addPerson, addTenantWithOwner, callAs } from '../support/people.ts';

let server: TestServer;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startServer({ environment: mailbox.environment });
});
afterAll(async () => {
  await server.close();
  await mailbox.stop();
});

/** Of a kind whose text needs no facts, and so many, all due in this order. */
type Queued = { readonly to: string; readonly isNotice: boolean; readonly turn: string; readonly count: number };

const queueAll = (queued: readonly Queued[]) =>
  server.query(
    `insert into mails (id, kind, subject_id, recipient, is_notice, turn, next_try_at)
     select gen_random_uuid(), 'password-changed', gen_random_uuid(), recipient, is_notice, turn,
            now() - interval '1 hour' + place * interval '1 second'
       from unnest($1::text[], $2::boolean[], $3::uuid[], $4::int[]) with ordinality
              as queued (recipient, is_notice, turn, count, place),
            generate_series(1, count)`,
    [
      queued.map(({ to }) => to),
      queued.map(({ isNotice }) => isNotice),
      queued.map(({ turn }) => turn),
      queued.map(({ count }) => count),
    ],
  );

const newAddress = () => `turn-${newId()}@example.com`;

/** How many to one address were sent before the last one to another. */
async function countBefore(earlier: string, later: string): Promise<number> {
  await eventually(async () => {
    const left = await server.query('select from mails where recipient = any ($1) and sent_at is null', [
      [earlier, later],
    ]);
    expect(left.length).toBe(0);
  });
  const [row] = await server.query<{ count: number }>(
    `select count(*)::int from mails
      where recipient = $1 and sent_at < (select max(sent_at) from mails where recipient = $2)`,
    [earlier, later],
  );
  return row?.count ?? Number.NaN;
}

/** Mails that are sent at once. */
const AT_A_TIME = 10;

test('a mail that somebody waits for is sent before all notices', async () => {
  const [notices, reset] = [newAddress(), newAddress()];
  await queueAll([
    { to: notices, isNotice: true, turn: server.demo.tenantId, count: 60 },
    { to: reset, isNotice: false, turn: server.other.tenantId, count: 1 },
  ]);
  expect(await countBefore(notices, reset)).toBeLessThanOrEqual(AT_A_TIME);
});

test.each([true, false])('companies take turns; notices: %s', async (isNotice) => {
  const [one, other] = [newAddress(), newAddress()];
  await queueAll([
    { to: one, isNotice, turn: server.demo.tenantId, count: 30 },
    { to: other, isNotice, turn: server.other.tenantId, count: 30 },
  ]);
  await countBefore(one, other);
  // Those that are sent at once are settled before the next ones are.
  const first = await server.query<{ recipient: string }>(
    'select recipient from mails where recipient = any ($1) order by sent_at limit $2',
    [[one, other], AT_A_TIME],
  );
  expect(first.filter(({ recipient }) => recipient === one)).toHaveLength(AT_A_TIME / 2);
});

test.each([true, false])('a claim ends where every mail waits for its next try; notices: %s', async (isNotice) => {
  const to = newAddress();
  await queueAll([{ to, isNotice, turn: server.demo.tenantId, count: 1 }]);
  await eventually(async () => {
    const held = await server.query(
      `update mails set next_try_at = now() + interval '1 h', sent_at = null where recipient = $1 and sent_at is not null
       returning id`,
      [to],
    );
    expect(held).toHaveLength(1);
  });
  const { waitedFor } = firstTurns();
  const order = { isNotice, after: waitedFor, limit: AT_A_TIME, leaseSeconds: 1 };
  expect(await server.database.asSystem((tx) => takeDueMails(tx, order))).toEqual([]);
});

const countOf = async (subjectIds: readonly string[]) =>
  (await server.query('select from mails where subject_id = any ($1)', [subjectIds])).length;
const addresses = (count: number) => Array.from({ length: count }, newAddress);
const inTenant = (work: Parameters<TestServer['database']['forTenants']>[1]) =>
  server.database.forTenants([server.demo.tenantId], work);

test('a company’s notices of one kind end with its budget of the day; another kind has its own', async () => {
  const { tenantId } = server.demo;
  const subjectIds = [newId(), newId()] as const;
  const [first, second] = subjectIds;
  await Promise.all(
    subjectIds.map((subjectId) =>
      inTenant((tx) => queueDailyNotice(tx, { tenantId, kind: 'webhook-disabled', subjectId }, addresses(150))),
    ),
  );
  expect(await countOf([first, second])).toBe(200);
  const lowId = newId();
  await inTenant((tx) => queueNotice(tx, { tenantId, kind: 'wallet-low', subjectId: lowId }, addresses(3)));
  expect(await countOf([lowId])).toBe(3);
});

test('one notice of a kind for each subject and day, also when two come at once', async () => {
  const { tenantId } = server.other;
  const subjectId = newId();
  const tell = () =>
    server.database.forTenants([tenantId], (tx) =>
      queueDailyNotice(tx, { tenantId, kind: 'webhook-disabled', subjectId }, addresses(2)),
    );
  await Promise.all([tell(), tell(), tell()]);
  expect(await countOf([subjectId])).toBe(2);
  await server.query(`update mail_notices set day = day - 1 where subject_id = $1`, [subjectId]);
  await tell();
  expect(await countOf([subjectId])).toBe(4);
});

/** How many mails of each kind these people got, in the order of the kinds. */
async function kindsTo(email: string): Promise<Record<string, number>> {
  const counts = await server.query<{ kind: string; count: number }>(
    'select kind, count(*)::int as count from mails where recipient = $1 group by kind order by kind',
    [email],
  );
  return Object.fromEntries(counts.map(({ kind, count }) => [kind, count]));
}

test('a person is told of all their credentials by 20 mails a day, the last of which says that more happened; another person is told too', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const [busy, colleague] = [await addPerson(server, tenantId, 'admin'), await addPerson(server, tenantId, 'admin')];
  const name = async ({ userId }: { readonly userId: string }, secrets: number) => {
    const { data } = await callAs(server, busy, 'POST', `/${tenantId}/v1/credentials`, {
      ...{ name: 'Portal', scopes: ['reports:read'], ownerUserId: userId },
    });
    const path = `/${tenantId}/v1/credentials/${data['id']}/secrets`;
    for (let time = 0; time < secrets; time += 1)
      expect((await callAs(server, busy, 'POST', path, { graceSeconds: 0 })).status).toBe(200);
  };
  for (const secrets of [11, 11]) await name(colleague, secrets);
  await name(owner, 2);
  expect(await kindsTo(colleague.email)).toEqual({
    'credential-named': 2,
    'credential-proof': 17,
    'credentials-busy': 1,
  });
  expect(await kindsTo(owner.email)).toEqual({ 'credential-named': 1, 'credential-proof': 2 });
});

test('who uses up a colleague’s mails with changes that are undone at once does not keep the last one from them', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const busy = await addPerson(server, tenantId, 'admin');
  const { data } = await callAs(server, busy, 'POST', `/${tenantId}/v1/credentials`, {
    ...{ name: 'Portal', scopes: ['reports:read'] },
  });
  for (const { userId } of Array(25).fill([owner, busy]).flat() as (typeof owner)[])
    await callAs(server, busy, 'PATCH', `/${tenantId}/v1/credentials/${data['id']}`, { ownerUserId: userId });
  await eventually(async () =>
    expect((await mailbox.mails(owner.email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringContaining('change very often today'),
    ),
  );
});
