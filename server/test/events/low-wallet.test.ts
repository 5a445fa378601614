// A wallet that falls below its tenant's threshold: told once, as an event and as mail to owners and finance members, until it
// is topped up. Decided under the wallet's lock, so that of many charges at once one tells it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { changeSettings } from '../../src/tenants/change-settings.ts';
import { adjust } from '../../src/wallet/adjust.ts';
import { openLedger } from '../../src/wallet/open-ledger.ts';
import { generate } from '../support/challenges.ts';
import { expectEvents } from '../support/events.ts';
import { type LiveServer, startLiveServer } from '../support/live.ts';
import { type Mailbox, startMailbox } from '../support/mailbox.ts';
import { addPerson } from '../support/people.ts';
import { addTenant, type OwnTenant } from '../support/tenant.ts';

let server: LiveServer;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startLiveServer({ environment: mailbox.environment });
});
afterAll(async () => {
  await server.close();
  await mailbox.stop();
});

const setThreshold = ({ tenantId }: OwnTenant, lowBalanceCredits: number | null) =>
  server.database.asSystem((tx) => changeSettings(tx, tenantId, { lowBalanceCredits }));

const expectLow = ({ trefoil }: OwnTenant, lines: readonly string[]) =>
  expectEvents(trefoil, lines, { type: 'wallet.low' });

const charge = ({ tenantId }: OwnTenant, credits: number) =>
  server.database.forTenants([tenantId], async (tx) => {
    const ledger = await openLedger(tx, { tenantIds: [tenantId] });
    ledger.post({ tenantId, kind: 'sms-charge', sourceId: newId(), amount: credits });
    await ledger.write();
  });

test('a live report that crosses the threshold tells it once, with balance and threshold; the next one does not', async () => {
  const tenant = await addTenant(server, 10_000);
  await setThreshold(tenant, 7_000);
  await generate(server, tenant);
  await expectLow(tenant, []);
  await generate(server, tenant);
  await generate(server, tenant);
  const [low] = await expectLow(tenant, ['wallet.low 6000 7000']);
  expect(low).toMatchObject({ test: false, data: { balance: 6_000, threshold: 7_000 } });
  expect(low?.data).not.toHaveProperty('creditReportId');
});

test('once more after a top-up that reaches the threshold, not after a smaller one, nor after a refund', async () => {
  const tenant = await addTenant(server, 1_000);
  await setThreshold(tenant, 500);
  await charge(tenant, 600);
  await server.fund(tenant.tenantId, 50);
  await charge(tenant, 10);
  await expectLow(tenant, ['wallet.low 400 500']);
  await server.fund(tenant.tenantId, 60);
  await charge(tenant, 1);
  await expectLow(tenant, ['wallet.low 400 500', 'wallet.low 499 500']);
  // A correction by hand is told like a charge, and lifts it like a top-up.
  const correct = (credits: number) =>
    server.database.forTenants([tenant.tenantId], (tx) =>
      adjust(tx, tenant.tenantId, { credits, sourceId: newId(), note: 'test' }),
    );
  await correct(100);
  await correct(-200);
  await expectLow(tenant, ['wallet.low 400 500', 'wallet.low 499 500', 'wallet.low 399 500']);
});

test('without a threshold nothing is told; a changed one is told at the next charge', async () => {
  const tenant = await addTenant(server, 1_000);
  await charge(tenant, 900);
  await setThreshold(tenant, 200);
  await charge(tenant, 10);
  await setThreshold(tenant, 50);
  await charge(tenant, 30);
  await expectLow(tenant, ['wallet.low 90 200']);
  await charge(tenant, 30);
  await expectLow(tenant, ['wallet.low 90 200', 'wallet.low 30 50']);
});

test('200 charges at once cross the threshold once', async () => {
  const tenant = await addTenant(server, 200 * 10);
  await setThreshold(tenant, 1_000);
  await Promise.all(Array.from({ length: 200 }, () => charge(tenant, 10)));
  expect(await server.wallet(tenant.tenantId)).toEqual({ balance: 0, held: 0 });
  await expectLow(tenant, ['wallet.low 990 1000']);
  const mails = await server.query(`select from mails where subject_id = $1`, [tenant.tenantId]);
  expect(mails.length).toBeLessThanOrEqual(1);
});

test('a charge that is rolled back tells nothing', async () => {
  const tenant = await addTenant(server, 1_000);
  await setThreshold(tenant, 500);
  const { tenantId } = tenant;
  const failing = server.database.forTenants([tenantId], async (tx) => {
    const ledger = await openLedger(tx, { tenantIds: [tenantId] });
    ledger.post({ tenantId, kind: 'sms-charge', sourceId: newId(), amount: 600 });
    await ledger.write();
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await charge(tenant, 500);
  await charge(tenant, 1);
  await expectLow(tenant, ['wallet.low 499 500']);
});

test('owners and finance members get one mail each, other members none', async () => {
  const tenant = await addTenant(server, 1_000);
  const { tenantId } = tenant;
  const finance = await addPerson(server, tenantId, 'finance');
  const others = await Promise.all(
    (['admin', 'developer', 'analyst'] as const).map((role) => addPerson(server, tenantId, role)),
  );
  const left = await addPerson(server, tenantId, 'finance');
  await server.query('update memberships set removed_at = now() where user_id = $1', [left.userId]);
  await setThreshold(tenant, 500);
  await charge(tenant, 600);
  await charge(tenant, 10);
  const mail = await mailbox.wait(finance.email);
  expect(mail.subject).toBe('The Trefoil wallet of Larkfield Loans is low');
  expect(mail.text).toMatch(/has 390 credits\. That is below 500 credits/);
  const [owner] = await server.query<{ email: string }>(
    `select email from users join memberships on user_id = users.id where tenant_id = $1 and role = 'owner'`,
    [tenantId],
  );
  await mailbox.wait(owner?.email ?? '');
  await eventually(async () => {
    const rows = await server.query<{ recipient: string; sent: boolean }>(
      'select recipient, sent_at is not null as sent from mails where subject_id = $1 order by recipient',
      [tenantId],
    );
    expect(rows).toEqual(
      [finance.email, owner?.email ?? ''].toSorted().map((recipient) => ({ recipient, sent: true })),
    );
  });
  for (const { email } of [...others, left]) expect(await mailbox.mails(email)).toEqual([]);
});
