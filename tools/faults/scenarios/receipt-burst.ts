// A carrier sends three thousand receipts of one tenant at once, as after its own outage. Each is acknowledged
// and charged exactly once, and the other tenants do not notice.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../server/src/lib/ids.ts';
import { sign } from '../../../simulators/src/carrier/callback.ts';
import { requestBytes } from '../client.ts';
import { judgeOthers, watchGenerates } from '../others.ts';
import type { Run, Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const RECEIPTS = 3_000;
/** Connections that the carrier opens; over each it sends one receipt after the other. */
const CONNECTIONS = 300;
const SMS_CREDITS = 40;
/** Receipts leave room for reports: on two busy cores about 150 a second are applied. */
const APPLIED_MS_MAX = 150_000;
/** If none was applied for this long, no more will be. */
const STUCK_MS = 20_000;
const LOOK_MS = 250;
/** Bursts that took this long are enough. */
const PLAY_MS_MAX = 50_000;
const NO_CONTENT = 204;

type Send = { readonly id: string; readonly sid: string };
type Receipt = { readonly id: string; readonly bytes: Buffer };

/**
 * Submitted messages without receipts, as rows: each with a failed report and a released hold, which is what the ledger
 * requires of a report without a charge.
 */
const INSERTS = [
  `insert into credit_reports (tenant_id, id, is_test, caller_id, status, failure, sealed_request, settled_at)
   select $1, report_id, false, $1, 'failed', 'not-deliverable', '', clock_timestamp() from made`,
  `insert into holds (tenant_id, kind, source_id, amount, per_bureau, state, expires_at)
   select $1, 'report', report_id, 2000, 600, 'voided', clock_timestamp() from made`,
  'insert into challenges (tenant_id, credit_report_id, id) select $1, report_id, challenge_id from made',
  `insert into sms_sends (tenant_id, id, credit_report_id, challenge_id, state, carrier_ref, submitted_at)
   select $1, send_id, report_id, challenge_id, 'submitted', sid, clock_timestamp() from made`,
  `insert into holds (tenant_id, kind, source_id, amount, state, expires_at)
   select $1, 'sms', send_id, ${SMS_CREDITS}, 'open', clock_timestamp() + interval '72 hours' from made`,
  `update wallets set held = held + ${SMS_CREDITS} * (select count(*) from made) where tenant_id = $1`,
];
const MADE = `with made as (
  select * from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) as made (report_id, challenge_id, send_id, sid)) `;

async function makeSends({ hot, openSession }: Stage, count: number): Promise<Send[]> {
  const sends = Array.from({ length: count }, () => ({ id: newId(), sid: `SM${randomBytes(16).toString('hex')}` }));
  const ids = () => sends.map(() => newId());
  const columns = [ids(), ids(), sends.map(({ id }) => id), sends.map(({ sid }) => sid)];
  const session = await openSession();
  await session.query('begin');
  // Every statement gets the same parameters, even those it does not name.
  for (const insert of INSERTS) await session.query(MADE + insert, [hot.tenantId, ...columns]);
  await session.query('commit');
  return sends;
}

function receiptBytes({ config, hot, providers }: Stage, { id, sid }: Send): Buffer {
  const { accountSid, authToken, from } = providers.addresses.credentials.carrier as Record<string, string>;
  const path = `/v1/carriers/twilio/receipts?${new URLSearchParams({ tenant: hot.tenantId, send: id })}`;
  const fields = {
    ...{ SmsSid: sid, SmsStatus: 'delivered', MessageStatus: 'delivered', To: '+447700900001', MessageSid: sid },
    ...{ AccountSid: accountSid ?? '', From: from ?? '', ApiVersion: '2010-04-01' },
  };
  return requestBytes({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'x-twilio-signature': sign(authToken ?? '', config.baseUrl + path, fields),
    },
    body: new URLSearchParams(fields).toString(),
  });
}

type Burst = { readonly slowestMs: number; readonly acknowledged: readonly string[] };

/** Sends all receipts and waits until each is applied. */
async function burst({ stage, tally }: Run, receipts: readonly Receipt[], before: number): Promise<Burst> {
  const waiting = [...receipts];
  const acknowledged: string[] = [];
  let slowestMs = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { status, ms } = await stage.client.ask(next.bytes);
        slowestMs = Math.max(slowestMs, ms);
        if (status === NO_CONTENT) acknowledged.push(next.id);
        // A carrier sends it again.
        else if (status === 0 || status === 503) tally.find('every receipt is answered', String(status));
        else tally.find('every receipt is answered with 204', String(status));
      }
    }),
  );
  const startedMs = performance.now();
  let applied = { charges: before, atMs: startedMs };
  while (performance.now() - startedMs < APPLIED_MS_MAX && performance.now() - applied.atMs < STUCK_MS) {
    const charges = await countCharges(stage);
    if (charges >= before + receipts.length) break;
    if (charges > applied.charges) applied = { charges, atMs: performance.now() };
    await sleep(LOOK_MS);
  }
  return { slowestMs, acknowledged };
}

const JUDGED = `
  select (select count(*) from ledger_txs
           where tenant_id = $1 and kind = 'sms-charge' and source_id = any($2::uuid[]))::integer as charges,
         (select count(*) from unnest($3::uuid[]) as acknowledged (id)
           where not exists (select from ledger_txs
                              where tenant_id = $1 and kind = 'sms-charge' and source_id = acknowledged.id)
             and not exists (select from sms_receipts
                              where tenant_id = $1 and send_id = acknowledged.id and pending_since is not null))::integer as lost`;

/** Returns whether all of them are applied. */
async function judge({ stage, tally }: Run, sends: readonly Send[], { acknowledged }: Burst): Promise<boolean> {
  const { query, hot } = stage;
  const ids = sends.map(({ id }) => id);
  const [row] = await query<{ charges: number; lost: number }>(JUDGED, [hot.tenantId, ids, acknowledged]);
  const { charges = Number.NaN, lost = Number.NaN } = row ?? {};
  if (!(charges <= sends.length)) tally.find('every receipt is charged once', `${charges} of ${sends.length}`);
  if (lost !== 0) tally.find('no acknowledged receipt is lost', `${lost} of ${acknowledged.length}`);
  if (charges < sends.length) tally.find('every receipt is applied in time', `${charges} of ${sends.length}`);
  return charges >= sends.length;
}

async function countCharges({ query, hot }: Stage): Promise<number> {
  const [row] = await query<{ charges: number }>(
    `select count(*)::integer as charges from ledger_txs where tenant_id = $1 and kind = 'sms-charge'`,
    [hot.tenantId],
  );
  return row?.charges ?? 0;
}

export const receiptBurst: Scenario = {
  name: 'receipt-burst',
  promise: 'three thousand receipts at once are all acknowledged and charged once; other tenants do not notice',
  wish: {},
  seconds: 8.6,
  shortSeconds: 3,
  limitSeconds: 400,
  async play(run) {
    const { stage, seconds, isShort, say } = run;
    const { client, tenantOf } = stage;
    // A burst ends when all are applied: more bursts until the windows have their samples.
    const bursts = isShort ? 1 : 3;
    const others = watchGenerates(run, tenantOf);
    const slowestMs: number[] = [];
    const tookMs: number[] = [];
    const startedAtMs = performance.now();
    for (let number = 0; number < bursts && performance.now() - startedAtMs < PLAY_MS_MAX; number += 1) {
      const sends = await makeSends(stage, RECEIPTS);
      // Signed before anything is measured: three thousand signatures would stop the clients that measure.
      const receipts = sends.map((send) => ({ id: send.id, bytes: receiptBytes(stage, send) }));
      const before = await countCharges(stage);
      client.window = 'quiet';
      await sleep(seconds * 1_000);
      client.window = 'fault';
      const startedMs = performance.now();
      const played = await burst(run, receipts, before);
      slowestMs.push(Math.round(played.slowestMs));
      tookMs.push(Math.round(performance.now() - startedMs));
      say(`  burst ${number + 1} of ${bursts}: applied after ${tookMs.at(-1)} ms`);
      // The rest of the window still belongs to it: its after-effects show there.
      await sleep(Math.max(0, seconds * 1_000 - (performance.now() - startedMs)));
      client.window = 'rest';
      // What is left of it would be counted in the next one.
      if (!(await judge(run, sends, played))) break;
    }
    await others.stop();
    return { ...judgeOthers(run, others), slowestMs, appliedMs: tookMs };
  },
};
