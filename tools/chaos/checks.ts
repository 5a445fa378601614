// The final check: the ledger against itself, against what clients were told, and against what the bureaus and the
// carrier saw. Written independently of the server's own reconciliation, which runs too.
import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '../../server/src/reconciliation/reconcile.ts';
import type { Records, ReportRecord } from './records.ts';
import type { Books } from './stage.ts';
import type { Tally } from './tally.ts';
import { countOpen, type Open } from './watch.ts';

/** A live report with its challenge, its messages and its lines in the ledger. */
export type Row = {
  readonly id: string;
  readonly tenantId: string;
  readonly status: string;
  readonly failure: string | null;
  /** The reference of its request: the same for every run of one key. */
  readonly reference: string;
  readonly challengeId: string | null;
  readonly attemptsUsed: number | null;
  readonly smsSentCount: number | null;
  readonly sends: number;
  readonly charges: number;
  readonly charged: number;
  readonly refunds: number;
  readonly refunded: number;
  readonly answered: readonly string[] | null;
};

const REPORTS = `
  select reports.id, reports.tenant_id as "tenantId", reports.status, reports.failure,
         encode(reports.external_reference_hash, 'hex') as reference, challenges.id as "challengeId",
         challenges.attempts_used as "attemptsUsed", challenges.sms_sent_count as "smsSentCount",
         (select count(*) from sms_sends where sms_sends.tenant_id = reports.tenant_id
                                           and sms_sends.credit_report_id = reports.id)::integer as sends,
         money.*,
         (select array_agg(result ->> 'bureau') from json_array_elements(bureau_results) as result
           where result ->> 'outcome' <> 'unavailable') as answered
    from credit_reports as reports
    left join challenges on challenges.tenant_id = reports.tenant_id and challenges.credit_report_id = reports.id
    cross join lateral (
      select count(*) filter (where kind = 'report-charge')::integer as charges,
             coalesce(sum(-amount) filter (where kind = 'report-charge'), 0)::integer as charged,
             count(*) filter (where kind = 'report-refund')::integer as refunds,
             coalesce(sum(amount) filter (where kind = 'report-refund'), 0)::integer as refunded
        from ledger_txs as txs
        join ledger_entries as entries on entries.tenant_id = txs.tenant_id and entries.seq = txs.seq
       where txs.tenant_id = reports.tenant_id and txs.source_id = reports.id and account = 'wallet') as money
   where not reports.is_test`;

const BOOKS: readonly { readonly about: string; readonly text: string }[] = [
  {
    about: 'each balance is the sum of its entries',
    text: `select tenant_id::text as id from wallets
            where balance <> (select coalesce(sum(amount), 0) from ledger_entries as entries
                               where entries.tenant_id = wallets.tenant_id and account = 'wallet')`,
  },
  {
    about: 'what a wallet holds is the sum of its open holds',
    text: `select tenant_id::text as id from wallets
            where held <> (select coalesce(sum(amount), 0) from holds
                            where holds.tenant_id = wallets.tenant_id and state = 'open')`,
  },
  {
    about: 'all entries together sum to zero',
    text: 'select sum(amount)::text as id from ledger_entries having sum(amount) <> 0',
  },
  {
    about: 'a delivered message is charged once, any other not',
    text: `select sends.id::text from sms_sends as sends
             left join ledger_txs as txs on txs.tenant_id = sends.tenant_id and txs.source_id = sends.id
                                        and txs.kind in ('sms-charge', 'sms-writeoff')
            group by sends.tenant_id, sends.id
           having count(txs.seq) <> (case when sends.state = 'delivered' then 1 else 0 end)`,
  },
  {
    about: 'no key waits for an answer',
    text: `select encode(key_hash, 'hex') as id from idempotency_keys where answer is null`,
  },
  {
    about: 'a message without a challenge holds nothing',
    text: `select source_id::text as id from holds
            where kind = 'sms' and state = 'open'
              and not exists (select from sms_sends where sms_sends.tenant_id = holds.tenant_id and sms_sends.id = source_id)`,
  },
];

/** What is wrong with a report, given its client's answers. */
function* faultsOf(told: ReportRecord, row: Row): Generator<string> {
  const isCharged = told.status === 'complete' || told.status === 'authentication-required';
  if (row.charges !== (isCharged ? 1 : 0)) yield `told ${told.status}, ${row.charges} charges`;
  if (row.charged !== told.cost) yield `told a cost of ${told.cost}, charged ${row.charged}`;
  if (told.status !== 'authentication-required') {
    if (row.status !== told.status) yield `told ${told.status}, is ${row.status}`;
    if (row.refunds !== 0) yield `refunded although told ${told.status}`;
    return;
  }
  if (row.challengeId !== told.challengeId) yield 'told another challenge';
  if (row.refunds > 1) yield `${row.refunds} refunds`;
  const isReturned = row.status === 'failed' || row.status === 'expired';
  if (isReturned && row.refunded !== row.charged) yield `${row.status}: ${row.refunded} of ${row.charged} refunded`;
  if (!isReturned && row.status !== 'complete' && row.refunded !== 0) yield `refunded while ${row.status}`;
  if (row.attemptsUsed !== told.wrongCodes) yield `told of ${told.wrongCodes} wrong codes, counted ${row.attemptsUsed}`;
  if (row.sends !== 1 + told.resends || row.smsSentCount !== row.sends) {
    yield `told of ${1 + told.resends} messages, counted ${row.smsSentCount}, are ${row.sends}`;
  }
  for (const end of told.ends) if (end !== row.status) yield `told ${end} after the right code, is ${row.status}`;
}

/** Failures before a bureau is asked, which free the key of the generate (docs/decisions/0056-idempotency.md). */
const UNASKED: ReadonlySet<string | null> = new Set([
  ...['screening-unavailable', 'device-not-verified', 'not-deliverable'],
  ...['reservation-late', 'attempts-used', 'expired'],
]);

function checkReports(records: Records, rows: ReadonlyMap<string, Row>, tally: Tally): void {
  for (const told of records.values()) {
    const row = rows.get(told.creditReportId);
    if (!row) tally.find('every acknowledged report is there', told.creditReportId);
    else
      for (const fault of faultsOf(told, row))
        tally.find('every report is as its client was told', `${row.id}: ${fault}`);
  }
  for (const { id, status, failure, charged } of rows.values()) {
    // Its answer was lost and its key is free: the client got the answer of the next run instead.
    const isReplaced = status === 'failed' && UNASKED.has(failure) && charged === 0;
    if (!records.has(id) && !isReplaced)
      tally.find('every report was acknowledged', `${id}: ${status}, ${failure ?? 'no failure'}, ${charged} charged`);
  }
}

/** However often a request was sent and its node killed, bureaus may be asked for only one of its reports. */
function checkRuns(rows: ReadonlyMap<string, Row>, tally: Tally): void {
  const asked = new Map<string, string>();
  for (const { id, tenantId, reference, status, failure } of rows.values()) {
    if (UNASKED.has(failure)) continue;
    const other = asked.get(`${tenantId} ${reference}`);
    asked.set(`${tenantId} ${reference}`, id);
    if (other !== undefined)
      tally.find('a key runs once, unless no bureau was asked', `${other} and ${id} (${status})`);
  }
}

type Enquiry = { readonly enquiryId: string; readonly enquiries: number };

const LOOK_MS = 500;
/** One whose node died is applied after ten seconds, by a sweep. */
const RECEIPT_MS_MAX = 30_000;

const BUREAU_OF = { albion: 'equifax', beacon: 'experian', cygnet: 'transunion' } as const;
/** What the simulators keep (simulators/WIRE.md); a longer run could not be checked. */
const LOG_MAX = 50_000;

async function getJson<T>(url: string): Promise<T> {
  return (await fetch(url)).json() as Promise<T>;
}

async function checkEnquiries({ providers }: Books, rows: ReadonlyMap<string, Row>, tally: Tally): Promise<number> {
  let total = 0;
  for (const name of ['albion', 'beacon', 'cygnet', 'screening'] as const) {
    const { enquiries } = await getJson<{ enquiries: Enquiry[] }>(`${providers.addresses[name]}/control/enquiries`);
    if (enquiries.length >= LOG_MAX) tally.find('the simulators remember the whole run', name);
    const asked = new Map(enquiries.map((each) => [each.enquiryId, each.enquiries]));
    for (const [id, times] of asked) {
      total += times;
      if (times > 1) tally.find('nobody is asked twice about a report', `${name}: ${id} ${times} times`);
      if (!rows.has(id)) tally.find('nobody is asked about a report that is not there', `${name}: ${id}`);
    }
    if (name === 'screening') continue;
    for (const { id, answered } of rows.values()) {
      if (answered?.includes(BUREAU_OF[name]) && !asked.has(id)) tally.find('who answered was asked', `${name}: ${id}`);
    }
  }
  return total;
}

async function checkMessages(stage: Books, tally: Tally): Promise<{ sends: number; delivered: number }> {
  const { addresses } = stage.providers;
  const { submits } = await getJson<{ submits: { sendId: string; submits: number }[] }>(
    `${addresses.carrier}/control/submits`,
  );
  if (submits.length >= LOG_MAX) tally.find('the simulators remember the whole run', 'carrier');
  const sends = await stage.query<{ id: string; state: string }>('select id, state from sms_sends');
  const states = new Map(sends.map(({ id, state }) => [id, state]));
  for (const { sendId, submits: times } of submits) {
    if (times > 1) tally.find('no message is submitted twice', `${sendId} ${times} times`);
    if (!states.has(sendId)) tally.find('no message is submitted that is not there', sendId);
  }
  for (const [sendId, told] of stage.front.acknowledged) {
    const state = states.get(sendId);
    if (told.has('delivered') && state !== 'delivered') {
      tally.find('no acknowledged receipt is lost', `${sendId}: told delivered, is ${state}`);
    }
    if (told.has('undelivered') && (state === 'queued' || state === 'submitted')) {
      tally.find('no acknowledged receipt is lost', `${sendId}: told undelivered, is ${state}`);
    }
  }
  return { sends: sends.length, delivered: sends.filter(({ state }) => state === 'delivered').length };
}

export type Checked = {
  readonly reports: ReadonlyMap<string, number>;
  readonly chargedCredits: number;
  readonly refundedCredits: number;
  readonly enquiries: number;
  readonly sends: number;
  readonly delivered: number;
};

/** A receipt may have come in since everything was settled: it is applied in a moment. */
async function countLeft(stage: Pick<Books, 'query'>): Promise<Open> {
  const endMs = performance.now() + RECEIPT_MS_MAX;
  for (;;) {
    const open = await countOpen(stage);
    if (open.receipts === 0 || performance.now() > endMs) return open;
    await sleep(LOOK_MS);
  }
}

/** The ledger against itself, and the server's own reconciliation. */
export async function checkLedger(stage: Pick<Books, 'database' | 'query'>, tally: Tally): Promise<void> {
  for (const [what, number] of Object.entries(await countLeft(stage))) {
    if (number > 0) tally.find('nothing is open at the end', `${what}: ${number}`);
  }
  const [statistics] = await stage.query<{ deadlocks: number }>(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  );
  if (statistics && statistics.deadlocks > 0) {
    tally.find('transactions take their locks in one order', `${statistics.deadlocks} deadlocks`);
  }
  for (const { about, text } of BOOKS) {
    for (const { id } of await stage.query<{ id: string }>(text)) tally.find(about, id);
  }
  const { findings } = await reconcile(stage.database);
  for (const { check: name, subjectId, detail, isBreak } of findings) {
    if (isBreak) tally.find(`reconciliation: ${name}`, `${subjectId}: ${detail}`);
  }
}

/** Every live report, by its id. */
export async function listReports({ query }: Pick<Books, 'query'>): Promise<Map<string, Row>> {
  return new Map((await query<Row>(REPORTS)).map((row) => [row.id, row]));
}

export async function check(stage: Books, records: Records, tally: Tally): Promise<Checked> {
  await checkLedger(stage, tally);
  const rows = await listReports(stage);
  checkReports(records, rows, tally);
  checkRuns(rows, tally);
  const enquiries = await checkEnquiries(stage, rows, tally);
  const messages = await checkMessages(stage, tally);
  const reports = new Map<string, number>();
  let chargedCredits = 0;
  let refundedCredits = 0;
  for (const { status, charged, refunded } of rows.values()) {
    reports.set(status, (reports.get(status) ?? 0) + 1);
    chargedCredits += charged;
    refundedCredits += refunded;
  }
  return { reports, chargedCredits, refundedCredits, enquiries, ...messages };
}
