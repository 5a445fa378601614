// Checks while the run goes on: how long anything has been open, whether a wallet is below what it holds, and whether the
// ledger is consistent. Also keeps the load possible: credits for the poor tenant, numbers below their limits.
import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '../../server/src/reconciliation/reconcile.ts';
import type { Watched } from './stage.ts';
import type { Tally } from './tally.ts';

export type Watch = {
  /** The oldest seen, in seconds, of reports in progress and of messages that no node has submitted yet. */
  readonly oldest: { pending: number; fetching: number; queued: number };
  reconciliations: number;
  stop(): Promise<void>;
};

export type Open = {
  readonly pending: number;
  readonly fetching: number;
  readonly holds: number;
  readonly queued: number;
  readonly receipts: number;
};

const LOOK_MS = 2_000;
const RECONCILE_EVERY = 15;
const RECONCILED_MS = 120_000;
const KEEP_GOING_EVERY = 5;
const POOR_CREDITS = 40_000;
/** docs/decisions/0045-budgets-and-lease.md */
const OPEN_SECONDS_MAX = 60;
/** For everything that is open after the last answer. What is settled later is late, and not lost. */
export const SETTLE_MS = OPEN_SECONDS_MAX * 1_000;
export const SETTLED_LATE = 'everything is settled after 60 s';
export const OPEN_TOO_LONG = 'no report is open for more than 60 s';

/** Two checks of the reconciliation are about time alone. Under load they are judged as such; at the end they count as any other. */
export function aboutBooks(check: string, when: string): string {
  return check === 'stuck-report' || check === 'overdue-hold' ? OPEN_TOO_LONG : `reconciliation ${when}: ${check}`;
}

/** The age of a fetch follows from its lease of thirty seconds. */
const AGES = `
  select coalesce(max(extract(epoch from clock_timestamp() - created_at)) filter (where status = 'pending'), 0)::float8 as pending,
         coalesce(max(extract(epoch from clock_timestamp() - challenges.due_at) + 30) filter (where status = 'fetching'), 0)::float8 as fetching,
         (select coalesce(max(extract(epoch from clock_timestamp() - sent_at)), 0) from sms_sends where state = 'queued')::float8 as queued,
         (select count(*) from wallets where held < 0 or balance < held)::integer as overdrawn
    from credit_reports
    left join challenges on challenges.tenant_id = credit_reports.tenant_id and challenges.credit_report_id = credit_reports.id
   where status in ('pending', 'fetching') and not is_test`;

const OPEN = `
  select (select count(*) from credit_reports where status = 'pending' and not is_test)::integer as pending,
         (select count(*) from credit_reports where status = 'fetching' and not is_test)::integer as fetching,
         (select count(*) from holds where state = 'open' and kind = 'report')::integer as holds,
         (select count(*) from sms_sends where state = 'queued')::integer as queued,
         (select count(*) from sms_receipts where pending_since is not null)::integer as receipts`;

/** In one order, and only unlocked rows: servers lock the numbers' rows in the order of their hashes. */
const FORGET_NUMBERS = `
  update mobile_uses set challenged_at = '{}', messaged_at = '{}', mistaken_at = '{}'
   where number_hash in (select number_hash from mobile_uses
                          where cardinality(challenged_at) > 1 or cardinality(mistaken_at) > 5
                          order by number_hash for update skip locked)`;
const FORGET_TENANTS_NUMBERS = `
  update tenant_mobile_uses set challenged_at = '{}', messaged_at = '{}', mistaken_at = '{}'
   where (tenant_id, number_hash) in (select tenant_id, number_hash from tenant_mobile_uses
                                       where cardinality(challenged_at) > 1 or cardinality(mistaken_at) > 3
                                       order by tenant_id, number_hash for update skip locked)`;

export async function countOpen({ query }: Pick<Watched, 'query'>): Promise<Open> {
  const [open] = await query<Open>(OPEN);
  if (!open) throw new Error('no count of what is open');
  return open;
}

export function startWatch(stage: Watched, tally: Tally): Watch {
  const oldest = { pending: 0, fetching: 0, queued: 0 };
  let isStopped = false;

  async function look(): Promise<void> {
    const [ages] = await stage.query<typeof oldest & { overdrawn: number }>(AGES);
    if (!ages) return;
    for (const kind of ['pending', 'fetching', 'queued'] as const) oldest[kind] = Math.max(oldest[kind], ages[kind]);
    for (const kind of ['pending', 'fetching'] as const) {
      if (ages[kind] <= OPEN_SECONDS_MAX) continue;
      tally.find(OPEN_TOO_LONG, `${kind} for ${ages[kind].toFixed(1)} s`);
    }
    if (ages.overdrawn > 0) tally.find('no wallet is below what it holds', `${ages.overdrawn} are`);
  }

  async function checkBooks(): Promise<void> {
    const { findings } = await reconcile(stage.database, new Date(Date.now() - RECONCILED_MS));
    for (const { check, subjectId, detail, isBreak } of findings) {
      if (isBreak) tally.find(aboutBooks(check, 'under load'), `${subjectId}: ${detail}`);
    }
    watch.reconciliations += 1;
  }

  const looking = (async () => {
    for (let round = 0; !isStopped; round += 1) {
      await look();
      if (round % KEEP_GOING_EVERY === 0) {
        await stage.query(FORGET_NUMBERS);
        await stage.query(FORGET_TENANTS_NUMBERS);
        await stage.fund(stage.tenants[1], POOR_CREDITS);
      }
      if (round % RECONCILE_EVERY === RECONCILE_EVERY - 1) await checkBooks();
      await sleep(LOOK_MS);
    }
  })();
  const watch: Watch = {
    oldest,
    reconciliations: 0,
    async stop() {
      isStopped = true;
      // A failure has been reported below.
      await looking.catch(() => undefined);
    },
  };
  // Reported at once, and not only when it is awaited.
  looking.catch((error) => tally.find('the run can look', String(error)));
  return watch;
}
