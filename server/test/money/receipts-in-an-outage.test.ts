// A carrier tells of a message while our database refuses us: it is told to come again, and in the end the carrier is asked.
import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { CLIENT } from '../harness.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { sendReceipt } from '../support/providers.ts';
import { SHORT_RESTS } from '../support/rests.ts';
import { addTenant, storyOf } from '../support/tenant.ts';
import { newMobile, P, S } from '../support/words.ts';

const FUNDS = 100_000;

// The carrier tells the first node: it answers each time within a second that it cannot store the receipt, where another test's
// node would keep the carrier waiting until that gives up. The second makes the report, and later asks the carrier.
const HASTY = { patience: 0.2 };

let server: LiveServer;
let patient: Awaited<ReturnType<LiveServer['startNode']>>;
beforeAll(async () => {
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' }, overrides: HASTY });
  patient = await server.startNode({ TREFOIL_JOBS: 'on' }, { rests: SHORT_RESTS });
});
afterAll(async () => {
  try {
    await patient.close();
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

type Told = { readonly receipts: readonly { readonly answer?: number | null }[] };

test('receipts that meet an outage of ours are told again, and the message is charged, at the latest when it is asked about', async () => {
  const tenant = await addTenant(server, FUNDS);
  // Of this number no receipt comes by itself.
  const to = newMobile(3);
  const trefoil = createTrefoil({ ...CLIENT, ...tenant, baseUrl: patient.baseUrl });
  await trefoil.generate(liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to }));
  const id = await eventually(async () => {
    const [row] = await server.query<{ id: string }>(
      `select id from sms_sends where tenant_id = $1 and state = 'submitted' and carrier_ref is not null`,
      [tenant.tenantId],
    );
    if (!row) throw new Error('not submitted');
    return row.id;
  });
  await server.query(`alter database "${server.databaseName}" with connection limit 0`);
  await server.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename in ('trefoil_app', 'trefoil_system')`,
  );
  try {
    await sendReceipt(server, id, 'delivered');
  } finally {
    await server.query(`alter database "${server.databaseName}" with connection limit -1`);
  }
  const [message] = (await server.inbox(to)) as unknown as Told[];
  expect(message?.receipts.length).toBeGreaterThanOrEqual(3);
  // Told so, or not at all within the time that the carrier waits for us.
  for (const { answer } of message?.receipts ?? []) expect([503, null]).toContain(answer);
  await server.query(
    `update sms_sends set sent_at = sent_at - interval '11 minutes', submitted_at = submitted_at - interval '11 minutes',
            next_ask_at = next_ask_at - interval '11 minutes' where id = $1`,
    [id],
  );
  await eventually(async () =>
    expect(await storyOf(server, tenant)).toMatchObject({ balance: FUNDS - P - S, sends: ['delivered'] }),
  );
});
