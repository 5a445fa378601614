// Messages whose receipts never come: the carrier is asked, and its word is charged, given back or waited for. Through the
// real server, its jobs and the simulated carrier; time passes by moving the rows. P = 2,000 credits, S = 40.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { reportJobs } from '../../src/credit-reports/jobs.ts';
import { createAskCarrier } from '../../src/credit-reports/messages/ask-carrier.ts';
import { claimDueAsks } from '../../src/credit-reports/messages/ask-store.ts';
import { openReceipts } from '../../src/credit-reports/messages/receive-receipt.ts';
import { createReportQueue } from '../../src/credit-reports/queue.ts';
import { openDatabase } from '../../src/lib/postgres/database.ts';
import { openMetrics } from '../../src/open-metrics.ts';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import { createTwilio, type TwilioSettings } from '../../src/sms/twilio.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { grave } from '../support/grave.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { control, sendReceipt } from '../support/providers.ts';
import { addTenant, type OwnTenant, storyOf } from '../support/tenant.ts';
import { newMobile, P, S } from '../support/words.ts';

const FUNDS = 100_000;
vi.setConfig({ testTimeout: 60_000 });

let server: LiveServer;
type Worker = ReturnType<typeof openWorker>;
let worker: Worker;
beforeAll(async () => {
  // Without jobs of its own: those of the workers below run when a test wants them.
  server = await startLiveServer({ environment: { TREFOIL_JOBS: 'off' } });
  worker = openWorker();
});
afterAll(async () => {
  try {
    await worker.close();
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

type Asked = {
  readonly sid: string;
  readonly sendId: string;
  readonly asks: number;
};
type Sent = { readonly tenant: OwnTenant; readonly to: string; readonly id: string };

const askRule = ({ id }: Sent, behaviour: string, times?: number) =>
  control(server, 'carrier', { call: 'ask', match: { sendId: id }, behaviour, times });

/**
 * A message that the carrier has taken, and about which it says nothing by itself: no receipt comes for a number in 9003xx
 * (asked: sent) or 9009xx (asked: delivered).
 */
async function send(options: { tenant?: OwnTenant; to?: string; behaviour?: string } = {}): Promise<Sent> {
  const tenant = options.tenant ?? (await addTenant(server, FUNDS));
  const to = options.to ?? newMobile(9);
  if (options.behaviour) await control(server, 'carrier', { match: { to }, behaviour: options.behaviour, times: 1 });
  const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: to });
  const { data } = await tenant.trefoil.generate(body);
  const id = await eventually(async () => {
    const [row] = await server.query<{ id: string }>(
      `select id from sms_sends where credit_report_id = $1 and state = 'submitted'
          and (carrier_ref is not null or $2)`,
      [data.creditReportId, to.startsWith('+4477009008')],
    );
    if (!row) throw new Error('not submitted');
    return row.id;
  });
  return { tenant, to, id };
}

/** Lets time pass for one message: for its own life, its hold, and when it is due to be asked about. */
async function age({ id }: Sent, interval: string): Promise<void> {
  await server.query(
    `update sms_sends set sent_at = sent_at - $2::interval, submitted_at = submitted_at - $2::interval,
            next_ask_at = next_ask_at - $2::interval where id = $1`,
    [id, interval],
  );
  await server.query('update holds set expires_at = expires_at - $2::interval where source_id = $1', [id, interval]);
}
const makeDue = ({ id }: Sent) => server.query('update sms_sends set next_ask_at = now() where id = $1', [id]);

async function asked({ id, to }: Sent): Promise<number> {
  const found = (await server.inbox(to)) as unknown as Asked[];
  return found.find(({ sendId }) => sendId === id)?.asks ?? 0;
}

type Row = { state: string; asked: number; nextAskMinutes: number };
async function rowOf({ id }: Sent): Promise<Row> {
  const [row] = await server.query<Row>(
    `select state, asked_count as asked,
            round((extract(epoch from next_ask_at) - extract(epoch from clock_timestamp())) / 60)::float8 as "nextAskMinutes"
       from sms_sends where id = $1`,
    [id],
  );
  if (!row) throw new Error('no such message');
  return row;
}

/** What a node asks and gives up with, on connections of its own. */
function openWorker(settings: Partial<TwilioSettings> = {}) {
  const database = openDatabase({ ...server.config.database, onConnectionError: () => undefined });
  const account = JSON.parse(server.environment['TREFOIL_SMS'] ?? '{}') as TwilioSettings;
  const carrier = createTwilio({ ...account, ...settings, callbackBaseUrl: server.baseUrl });
  const metrics = openMetrics();
  const log = server.app.log;
  const queue = createReportQueue(database.queue, () => undefined);
  const receipts = openReceipts({ database, queue, log, metrics });
  const askCarrier = createAskCarrier({ database, carrier, applyReceipt: receipts.take, metrics });
  if (!askCarrier) throw new Error('this carrier cannot be asked');
  const parts = { database, queue, metrics, reachableForMs: () => Number.POSITIVE_INFINITY };
  const jobs = reportJobs(parts, { receipts, askCarrier } as Parameters<typeof reportJobs>[1]);
  return {
    askCarrier,
    /** Both jobs, now. */
    async work() {
      await askCarrier();
      await receipts.idle();
      await jobs.find(({ name }) => name === 'end-silent-messages')?.run();
    },
    async close() {
      await carrier.close();
      await database.close();
    },
  };
}

const CHARGED = {
  balance: FUNDS - P - S,
  held: 0,
  holds: ['report 2000 captured 2000', 'sms 40 captured 40'],
  lines: [`report-charge -2000 ${FUNDS - P}`, `sms-charge -40 ${FUNDS - P - S}`],
  sends: ['delivered'],
};
const GIVEN_BACK = {
  balance: FUNDS - P,
  held: 0,
  holds: ['report 2000 captured 2000', 'sms 40 voided'],
  lines: [`report-charge -2000 ${FUNDS - P}`],
};
const WAITING = {
  balance: FUNDS - P,
  held: S,
  holds: ['report 2000 captured 2000', 'sms 40 open'],
  lines: [`report-charge -2000 ${FUNDS - P}`],
  sends: ['submitted'],
};
const isNow = async ({ tenant }: Sent, story: object) => expect(await storyOf(server, tenant)).toMatchObject(story);
/** After the jobs have run. Those of another test may have taken the message first and be at it still. */
async function becomes(sent: Sent, story: object): Promise<void> {
  await worker.work();
  await eventually(() => isNow(sent, story));
}
async function isAsked(sent: Sent, row: object, asking = worker): Promise<void> {
  await asking.work();
  await eventually(async () => expect(await rowOf(sent)).toMatchObject(row));
}
const settledBy = async ({ tenant }: Sent) =>
  (await storyOf(server, tenant)).audit.filter((line) => line.startsWith('sms.settled'));

/** Twice; asked by this worker until then. */
async function cannotBeAsked(behaviour: string, asking: Worker): Promise<void> {
  const sent = await send();
  await askRule(sent, behaviour, 2);
  await age(sent, '72 hours 5 minutes');
  await isAsked(sent, { asked: 1, nextAskMinutes: 15 }, asking);
  await asking.work();
  await isNow(sent, WAITING);
  await age(sent, '16 minutes');
  await isAsked(sent, { asked: 2, nextAskMinutes: 15 }, asking);
  // A hold past its time is no break while its carrier is being asked.
  const { findings } = await reconcile(server.database);
  expect(findings.filter(({ subjectId }) => subjectId === sent.id)).toEqual([]);
  await makeDue(sent);
  await becomes(sent, CHARGED);
}

describe.concurrent('a message without a receipt', () => {
  test('delivered: charged once, on the carrier’s word, and not asked about again', async () => {
    const sent = await send();
    await age(sent, '11 minutes');
    await becomes(sent, CHARGED);
    expect(await settledBy(sent)).toEqual(['sms.settled by twilio send 1']);
    await makeDue(sent);
    await worker.work();
    expect(await asked(sent)).toBe(1);
    // A receipt that comes after all says nothing new.
    expect(await sendReceipt(server, sent.id, 'delivered')).toEqual([204]);
    await isNow(sent, CHARGED);
  });

  test('undelivered: its credits are given back, on the carrier’s word', async () => {
    const sent = await send({ behaviour: 'forget, state=failed' });
    await age(sent, '11 minutes');
    await becomes(sent, { ...GIVEN_BACK, sends: ['undelivered'] });
    expect(await settledBy(sent)).toEqual(['sms.settled by twilio send 1']);
    expect(await asked(sent)).toBe(1);
  });

  test('younger than ten minutes: not asked about', async () => {
    const sent = await send();
    await age(sent, '9 minutes');
    await worker.work();
    expect(await asked(sent)).toBe(0);
    await isNow(sent, WAITING);
  });

  test('still under way: nothing changes, and it is asked about again after an hour, then two', async () => {
    const sent = await send({ to: newMobile(3) });
    await age(sent, '11 minutes');
    await isAsked(sent, { state: 'submitted', asked: 1, nextAskMinutes: 60 });
    await age(sent, '61 minutes');
    await isAsked(sent, { asked: 2, nextAskMinutes: 120 });
    expect(await asked(sent)).toBe(2);
    await isNow(sent, WAITING);
    // The carrier makes up its mind.
    await askRule(sent, 'state=read');
    await age(sent, '121 minutes');
    await becomes(sent, CHARGED);
  });

  test('at the end of 72 hours it is asked about once more: delivered is charged and not given up', async () => {
    const sent = await send();
    // As if every ask so far had had no answer, and no worker had run for the last two hours.
    await age(sent, '73 hours');
    await becomes(sent, CHARGED);
    expect(await asked(sent)).toBe(1);
    expect((await storyOf(server, sent.tenant)).events).not.toContain('challenge.undelivered send 1');
  });

  test('at the end of 72 hours the carrier still has no word: given up, after 72 hours and not before', async () => {
    const sent = await send({ to: newMobile(3) });
    await age(sent, '71 hours 30 minutes');
    await isAsked(sent, { asked: 1, nextAskMinutes: Number.POSITIVE_INFINITY });
    await worker.work();
    await isNow(sent, WAITING);
    await age(sent, '31 minutes');
    await becomes(sent, { ...GIVEN_BACK, sends: ['silent'] });
    expect(await settledBy(sent)).toEqual(['sms.settled by system send 1']);
    expect(await asked(sent)).toBe(1);
  });

  for (const behaviour of ['lost', 'other']) {
    test(`the carrier cannot be asked (${behaviour}): not given up at 72 hours, and charged when it can`, () =>
      cannotBeAsked(behaviour, worker));
  }

  test('the carrier cannot be asked for six hours more: given up, and a late receipt is charged late', async () => {
    const sent = await send();
    await askRule(sent, 'lost');
    await age(sent, '77 hours 50 minutes');
    await isAsked(sent, { asked: 1, nextAskMinutes: 15 });
    await worker.work();
    await isNow(sent, WAITING);
    await age(sent, '11 minutes');
    await becomes(sent, { ...GIVEN_BACK, sends: ['silent'] });
    await sendReceipt(server, sent.id, 'delivered');
    await server.receiptsApplied();
    expect(await storyOf(server, sent.tenant)).toMatchObject({ balance: FUNDS - P - S, sends: ['delivered'] });
  });

  test('without a reference nobody can be asked: given up after 72 hours', async () => {
    const sent = await send({ to: newMobile(8) });
    await age(sent, '71 hours 59 minutes');
    await worker.work();
    await isNow(sent, WAITING);
    await age(sent, '2 minutes');
    await becomes(sent, { ...GIVEN_BACK, sends: ['silent'] });
  });
});

// By itself: the workers of other tests would wait for the carrier five seconds each time.
test('the carrier does not answer: not given up at 72 hours, and charged when it does', async () => {
  const impatient = openWorker({ timeoutMs: 300 });
  try {
    await cannotBeAsked('hang', impatient);
  } finally {
    await impatient.close();
  }
});

describe('many at once', () => {
  /** All due to be asked about. */
  async function sendMany(count: number, digit: 3 | 9 = 9): Promise<{ tenant: OwnTenant; sends: Sent[] }> {
    const tenant = await addTenant(server, 10 * FUNDS);
    const sends: Sent[] = [];
    while (sends.length < count) {
      // Twenty at a time: all at once may be more than a node on a busy machine takes.
      const length = Math.min(20, count - sends.length);
      sends.push(...(await Promise.all(Array.from({ length }, () => send({ tenant, to: newMobile(digit) })))));
    }
    await server.query(
      `update sms_sends set sent_at = sent_at - interval '11 minutes', next_ask_at = now() where tenant_id = $1`,
      [tenant.tenantId],
    );
    return { tenant, sends };
  }
  async function charges({ tenantId }: OwnTenant) {
    const rows = await server.query<{ charges: number; sends: number }>(
      `select count(*)::int as charges, count(distinct source_id)::int as sends from ledger_txs
        where tenant_id = $1 and kind in ('sms-charge', 'sms-writeoff')`,
      [tenantId],
    );
    await grave('one charge for each message', () => expect(rows[0]?.charges).toBe(rows[0]?.sends));
    return rows;
  }

  test('several workers meet: each message is asked about once and charged once', async () => {
    const workers = [openWorker(), openWorker(), openWorker()];
    // Connected before there is work, so that none comes late.
    await Promise.all(workers.map(({ askCarrier }) => askCarrier()));
    const { tenant, sends } = await sendMany(45);
    const counts = await Promise.all(workers.map(({ askCarrier }) => askCarrier()));
    // Each had a part in it: they did meet.
    for (const count of counts) expect(count).toBeGreaterThan(0);
    await server.receiptsApplied();
    expect(await charges(tenant)).toEqual([{ charges: 45, sends: 45 }]);
    expect(await Promise.all(sends.map(asked))).toEqual(sends.map(() => 1));
    await Promise.all(workers.map((worker) => worker.close()));
  });

  test('its receipt comes while the carrier is asked: one charge, and the receipt is taken', async () => {
    const { tenant, sends } = await sendMany(20);
    const workers = [openWorker(), openWorker()];
    const told = sends.map(({ id }) => sendReceipt(server, id, 'delivered', 2));
    const [answers] = await Promise.all([Promise.all(told), ...workers.map(({ askCarrier }) => askCarrier())]);
    expect(answers).toEqual(sends.map(() => [204, 204]));
    await server.receiptsApplied();
    expect(await charges(tenant)).toEqual([{ charges: 20, sends: 20 }]);
    await Promise.all(workers.map((worker) => worker.close()));
  });

  test('a run asks about fifty at most, the rest at the next one', async () => {
    const { sends } = await sendMany(60, 3);
    expect([await worker.askCarrier(), await worker.askCarrier(), await worker.askCarrier()]).toEqual([50, 10, 0]);
    expect(await Promise.all(sends.map(asked))).toEqual(sends.map(() => 1));
  });

  test('a carrier in trouble is asked about ten in a run, and about the others when it is back', async () => {
    const { sends } = await sendMany(25);
    await control(server, 'carrier', { call: 'ask', match: { any: true }, behaviour: 'lost', times: 10 });
    expect([await worker.askCarrier(), await worker.askCarrier(), await worker.askCarrier()]).toEqual([10, 15, 0]);
    await server.receiptsApplied();
    const rows = await Promise.all(sends.map(rowOf));
    const waiting = rows.filter(({ state }) => state === 'submitted');
    expect(waiting).toEqual(waiting.map(() => ({ state: 'submitted', asked: 1, nextAskMinutes: 60 })));
    expect(waiting).toHaveLength(10);
  });

  test('a worker that dies between taking a message and asking: another asks after two minutes', async () => {
    const { tenant, sends } = await sendMany(1);
    const [sent] = sends as [Sent];
    await server.database.asSystem((tx) => claimDueAsks(tx, 10, 120));
    expect(await worker.askCarrier()).toBe(0);
    await age(sent, '121 seconds');
    expect(await worker.askCarrier()).toBe(1);
    await server.receiptsApplied();
    expect(await charges(tenant)).toEqual([{ charges: 1, sends: 1 }]);
  });
});
