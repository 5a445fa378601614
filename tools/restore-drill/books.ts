// Looks at a restored database: before any server starts, what was under way at the point; at the end, whether the ledger, the
// audit log, the clients' answers and the other companies' records agree with it.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createTrefoil } from '@trefoil/sdk';
import { checkLedger, listReports } from '../chaos/checks.ts';
import { count, type Tally } from '../chaos/tally.ts';
import { countOpen } from '../chaos/watch.ts';
import { BUREAU_PARTS } from '../dev/ask-simulators.ts';
import { type Judgement, judge, mergeRepeated, type Point, type Told, whenOf } from './acknowledged.ts';
import type { Connected, Nodes, Stage } from './stage.ts';

/** What the restored database says before a server has touched it. */
export type Restored = {
  /** The last commit that was replayed. */
  readonly lastCommitAt: Date;
  readonly timeline: number;
  readonly bytes: number;
  /** Reports at the bureaus at the point, by id, and the status each had. */
  readonly underWay: ReadonlyMap<string, string>;
  /** Messages that no node had handed to the carrier at the point. */
  readonly queuedSends: ReadonlySet<string>;
};

const FACTS = `
  select pg_last_xact_replay_timestamp() as "lastCommitAt", pg_database_size(current_database())::float8 as bytes,
         (select timeline_id from pg_control_checkpoint()) as timeline`;

export async function readRestored({ query }: Connected): Promise<Restored> {
  const [facts] = await query<{ lastCommitAt: Date | null; bytes: number; timeline: number }>(FACTS);
  if (!facts?.lastCommitAt) throw new Error('the restored database replayed no commit');
  const reports = await query<{ id: string; status: string }>(
    `select id, status from credit_reports where status in ('pending', 'fetching') and not is_test`,
  );
  const sends = await query<{ id: string }>(`select id from sms_sends where state = 'queued'`);
  return {
    ...{ lastCommitAt: facts.lastCommitAt, bytes: facts.bytes, timeline: facts.timeline },
    underWay: new Map(reports.map(({ id, status }) => [id, status])),
    queuedSends: new Set(sends.map(({ id }) => id)),
  };
}

/** Ids by how often each was asked about. */
async function listAsked({ providers }: Stage): Promise<Map<string, Map<string, number>>> {
  const asked = new Map<string, Map<string, number>>();
  for (const name of Object.values(BUREAU_PARTS)) {
    const response = await fetch(`${providers.addresses[name]}/control/enquiries`);
    const { enquiries } = (await response.json()) as { enquiries: { enquiryId: string; enquiries: number }[] };
    asked.set(name, new Map(enquiries.map((each) => [each.enquiryId, each.enquiries])));
  }
  return asked;
}

/** A restored database does not know that it asked: it must not ask again. */
export async function checkOthers(
  stage: Stage,
  { underWay, queuedSends }: Restored,
  tally: Tally,
): Promise<{
  underWayAsked: number;
  sentAgain: number;
}> {
  const asked = await listAsked(stage);
  for (const [name, ids] of asked) {
    for (const [id, times] of ids) {
      if (times > 1) tally.find('no bureau is asked twice about a report', `${name}: ${id} ${times} times`);
    }
  }
  const underWayAsked = [...underWay.keys()].filter((id) => [...asked.values()].some((ids) => ids.has(id)));
  const response = await fetch(`${stage.providers.addresses.carrier}/control/submits`);
  const { submits } = (await response.json()) as { submits: { sendId: string; submits: number }[] };
  const again = submits.filter(({ submits: times }) => times > 1);
  for (const { sendId, submits: times } of again) {
    // It was not handed over at the point, but soon after it: the restored service hands it over once more.
    if (queuedSends.has(sendId) && times === 2) continue;
    tally.find('a message is submitted twice only if it waited at the point', `${sendId} ${times} times`);
  }
  return { underWayAsked: underWayAsked.length, sentAgain: again.length };
}

const LOOK_MS = 250;
/** Longer than the 60 s that the drill judges: what is late is not lost. */
const SETTLE_MS_MAX = 180_000;

async function waitFor(isOver: () => Promise<boolean>, patienceMs: number): Promise<number> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < patienceMs && !(await isOver())) await sleep(LOOK_MS);
  return Math.round(performance.now() - startedMs);
}

/** How long until the sweep has settled what was under way at the point; followUnderWay finds what it has not. */
export function awaitSweep({ query }: Connected, { underWay }: Restored): Promise<number> {
  const isOver = async () => {
    const [row] = await query<{ open: number }>(
      `select count(*)::integer as open from credit_reports where id = any($1) and status in ('pending', 'fetching')`,
      [[...underWay.keys()]],
    );
    return row?.open === 0;
  };
  return waitFor(isOver, SETTLE_MS_MAX);
}

/** Until nothing is open; the ledger's check finds what still is. */
export async function settle(connected: Connected): Promise<void> {
  await waitFor(async () => Object.values(await countOpen(connected)).every((open) => open === 0), SETTLE_MS_MAX);
}

const COMMANDS = [
  ['wallet', 'reconcile', '--all'],
  ['audit', 'verify'],
] as const;

/** What an operator runs after a restore. Any exit code but 0 is a break. */
async function askOperator(stage: Stage, tally: Tally): Promise<void> {
  for (const command of COMMANDS) {
    await stage.trefoil(...command).catch((error: { stdout?: string } & Error) => {
      tally.find(`trefoil ${command.join(' ')} finds nothing`, (error.stdout || error.message).slice(0, 800));
    });
  }
}

/** How the reports that were under way ended, by what they were and are. */
async function followUnderWay(
  { query }: Connected,
  { underWay }: Restored,
  tally: Tally,
): Promise<Map<string, number>> {
  const rows = await query<{ id: string; status: string; failure: string | null }>(
    'select id, status, failure from credit_reports where id = any($1)',
    [[...underWay.keys()]],
  );
  const ends = new Map<string, number>();
  for (const { id, status, failure } of rows) {
    count(ends, `${underWay.get(id)} → ${status}${failure === null ? '' : ` (${failure})`}`);
    const isEnd = ['complete', 'failed', 'blocked', 'expired'].includes(status);
    if (!isEnd) tally.find('every report under way is settled by the sweep', `${id}: ${status}`);
  }
  return ends;
}

type Read = { readonly data: { readonly creditReport?: unknown } };

/** Reports that were acknowledged before the point can be read, and say what they said: the keys fit the restored rows. */
async function readBack(
  stage: Stage,
  nodes: Nodes,
  told: readonly Told[],
  point: Point,
  tally: Tally,
): Promise<number> {
  const isWanted = (each: Told) =>
    each.creditReport !== undefined && each.status === 'complete' && whenOf(each, point) === 'before';
  const complete = new Map(
    mergeRepeated(told)
      .filter(isWanted)
      .map((each) => [each.creditReportId, each]),
  );
  const { baseUrl = '' } = nodes.pick() ?? {};
  const clients = new Map(stage.tenants.map((tenant) => [tenant.tenantId, createTrefoil({ baseUrl, ...tenant })]));
  for (const { tenantId, creditReportId, creditReport } of complete.values()) {
    try {
      const read = (await clients.get(tenantId)?.getReport(creditReportId)) as Read | undefined;
      if (isDeepStrictEqual(read?.data.creditReport, creditReport)) continue;
      tally.find('a restored report reads as it was told', creditReportId);
    } catch (error) {
      tally.find('a restored report can be read', `${creditReportId}: ${error}`);
    }
  }
  return complete.size;
}

const CURSORS = `
  select name, xact_id::text as place, pg_snapshot_xmin(pg_current_snapshot())::text as next
    from (select 'webhooks' as name, xact_id from webhook_fanout union all select 'usage', xact_id from usage_place
          union all select 'sequences', xact_id from event_marking) as places
   where xact_id > pg_snapshot_xmin(pg_current_snapshot())`;

/** Transaction numbers go on where the replay ended, so no cursor of the database is ahead of what comes. */
export async function checkCursors({ query }: Connected, tally: Tally): Promise<void> {
  for (const { name, place, next } of await query<{ name: string; place: string; next: string }>(CURSORS)) {
    tally.find('no cursor is ahead of new events', `${name}: at ${place}, and ${next} comes next`);
  }
}

const NOT_HANDED_OUT = `
  select count(*)::integer as waiting from outbox
   where (xact_id, id) > (select xact_id, event from webhook_fanout) and created_at < now() - interval '2 seconds'`;
const HAND_OUT_MS_MAX = 180_000;

/** Events from before and after the restore pass the cursor of webhooks. */
async function checkHandedOut({ query }: Connected, tally: Tally): Promise<void> {
  const countWaiting = async () => (await query<{ waiting: number }>(NOT_HANDED_OUT))[0]?.waiting;
  await waitFor(async () => (await countWaiting()) === 0, HAND_OUT_MS_MAX);
  const waiting = await countWaiting();
  if (waiting !== 0) tally.find('the events of the restored database are handed out', `${waiting} wait`);
}

const TOP_UPS = `
  select txs.source_id as "sourceId", amount::float8 as credits
    from ledger_txs as txs
    join ledger_entries as entries on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq
   where kind = 'top-up' and account = 'wallet'`;

async function judgeAnswers(
  connected: Connected,
  told: readonly Told[],
  point: Point,
  tally: Tally,
): Promise<Judgement> {
  const reports = await listReports(connected);
  const topUps = await connected.query<{ sourceId: string; credits: number }>(TOP_UPS);
  const kept = { reports, topUps: new Map(topUps.map(({ sourceId, credits }) => [sourceId, credits])) };
  const judgement = judge(told, kept, point);
  for (const { about, what } of judgement.faults) tally.find(about, what);
  return judgement;
}

export type Checked = Judgement & {
  readonly readBack: number;
  readonly underWay: ReadonlyMap<string, number>;
  readonly underWayAsked: number;
  readonly sentAgain: number;
};

export type Epoch = {
  readonly restored: Restored;
  readonly point: Point;
  /** Told by the service that was destroyed, and by the restored one. */
  readonly told: readonly Told[];
  readonly toldSince: readonly Told[];
};

const EVERYTHING: Point = { atMs: Number.POSITIVE_INFINITY, marginMs: 0 };

/** After the sweep has settled everything, and with no load. */
export async function checkBooks(
  stage: Stage,
  { connected, nodes }: { readonly connected: Connected; readonly nodes: Nodes },
  { restored, point, told, toldSince }: Epoch,
  tally: Tally,
): Promise<Checked> {
  await checkLedger(connected, tally);
  const judgement = await judgeAnswers(connected, told, point, tally);
  await judgeAnswers(connected, toldSince, EVERYTHING, tally);
  const underWay = await followUnderWay(connected, restored, tally);
  const read = await readBack(stage, nodes, told, point, tally);
  await checkHandedOut(connected, tally);
  await askOperator(stage, tally);
  return { ...judgement, underWay, readBack: read, ...(await checkOthers(stage, restored, tally)) };
}
