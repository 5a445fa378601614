// Wallets, holds and the journal as rows. A transaction that changes a wallet, one of its holds or its journal locks
// the wallet's row first. The constraints behind it (never negative, one effect per source, append-only) are the last
// guard.
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';
import type { Account, TxKind } from './rules/journal.ts';

export async function insertWallet(tx: Tx, tenantId: string): Promise<void> {
  await execute(tx, sql`insert into wallets (tenant_id) values (${tenantId})`);
}

export async function getBalance(tx: Tx, tenantId: string): Promise<number> {
  const [wallet] = await rows<{ balance: number }>(tx, sql`select balance from wallets where tenant_id = ${tenantId}`);
  if (!wallet) throw new Error('a tenant has no wallet');
  return wallet.balance;
}

export type WalletRow = {
  readonly tenantId: string;
  balance: number;
  held: number;
  lastSeq: number;
  /** Credits of the messages sent on the current day by the database's clock, and the number of messages. */
  smsDayCredits: number;
  smsDayMessages: number;
  /** Minutes since 1970 when the lock was taken, and that minute's messages; both are written back together. */
  readonly smsMinute: number;
  smsMinuteMessages: number;
  /** Below this many credits the wallet is low; null where the tenant has set nothing. */
  readonly lowBalanceCredits: number | null;
  /** The threshold that the tenant was told about; null when the wallet is not low. */
  lowCredits: number | null;
  /** Set when this transaction makes it low. */
  isNewlyLow?: boolean;
};

/** The wallets that no other transaction has locked: a shared transaction must not wait for the wallet of one tenant. */
export function lockFreeWallets(tx: Tx, tenantIds: readonly string[]): Promise<WalletRow[]> {
  return rows<WalletRow>(
    tx,
    sql`
    select tenant_id as "tenantId", balance, held, last_seq as "lastSeq", low_credits as "lowCredits",
           (select low_balance_credits from tenants where tenants.id = wallets.tenant_id) as "lowBalanceCredits",
           case when sms_day = current_date then sms_day_credits else 0 end as "smsDayCredits",
           case when sms_count_day = current_date then sms_day_messages else 0 end as "smsDayMessages",
           floor(extract(epoch from clock_timestamp()) / 60)::integer as "smsMinute",
           case when sms_minute = floor(extract(epoch from clock_timestamp()) / 60)::integer then sms_minute_messages else 0 end as "smsMinuteMessages"
      from wallets where tenant_id = any (${tenantIds}::uuid[])
     order by tenant_id
       for no key update skip locked`,
  );
}

/** Always in tenant order: two transactions that lock several wallets must not deadlock. */
export function lockWallets(tx: Tx, tenantIds: readonly string[]): Promise<WalletRow[]> {
  return rows<WalletRow>(
    tx,
    sql`
    select tenant_id as "tenantId", balance, held, last_seq as "lastSeq", low_credits as "lowCredits",
           (select low_balance_credits from tenants where tenants.id = wallets.tenant_id) as "lowBalanceCredits",
           case when sms_day = current_date then sms_day_credits else 0 end as "smsDayCredits",
           case when sms_count_day = current_date then sms_day_messages else 0 end as "smsDayMessages",
           floor(extract(epoch from clock_timestamp()) / 60)::integer as "smsMinute",
           case when sms_minute = floor(extract(epoch from clock_timestamp()) / 60)::integer then sms_minute_messages else 0 end as "smsMinuteMessages"
      from wallets where tenant_id = any (${tenantIds}::uuid[])
     order by tenant_id
       for no key update`,
  );
}

export type HoldKind = 'report' | 'sms';

export type HoldKey = { readonly tenantId: string; readonly kind: HoldKind; readonly sourceId: string };

export type HoldRow = HoldKey & {
  readonly amount: number;
  readonly perBureau: number | null;
  capturedAmount: number;
  state: 'open' | 'captured' | 'voided';
};

export type NewHold = HoldKey & {
  readonly amount: number;
  readonly perBureau: number | null;
  readonly lifetimeMs: number;
};

/** Call it with the wallets locked, in a separate statement: it must see what the lock's previous owner did. */
export function listHolds(tx: Tx, keys: readonly HoldKey[]): Promise<HoldRow[]> {
  return rows<HoldRow>(
    tx,
    sql`
    select holds.tenant_id as "tenantId", holds.kind, holds.source_id as "sourceId", amount, per_bureau as "perBureau",
           captured_amount as "capturedAmount", state
      from unnest(${keys.map((key) => key.tenantId)}::uuid[], ${keys.map((key) => key.kind)}::text[],
                  ${keys.map((key) => key.sourceId)}::uuid[]) as asked (tenant_id, kind, source_id)
      join holds on holds.tenant_id = asked.tenant_id and holds.kind = asked.kind
                and holds.source_id = asked.source_id`,
  );
}

export type NewLedgerTx = {
  readonly tenantId: string;
  readonly seq: number;
  readonly kind: TxKind;
  readonly sourceId: string;
  readonly creditReportId: string | null;
  readonly reversesSeq: number | null;
  readonly balanceAfter: number;
  readonly note: string | null;
};

export type NewLedgerEntry = {
  readonly tenantId: string;
  readonly seq: number;
  readonly account: Account;
  readonly amount: number;
};

export type LedgerKey = { readonly tenantId: string; readonly kind: TxKind; readonly sourceId: string };

export type LedgerTxRow = LedgerKey & { readonly seq: number; readonly balanceAfter: number };

export function listLedgerTxs(tx: Tx, keys: readonly LedgerKey[]): Promise<LedgerTxRow[]> {
  return rows<LedgerTxRow>(
    tx,
    sql`
    select ledger_txs.tenant_id as "tenantId", ledger_txs.kind, ledger_txs.source_id as "sourceId", seq,
           balance_after as "balanceAfter"
      from unnest(${keys.map((key) => key.tenantId)}::uuid[], ${keys.map((key) => key.kind)}::text[],
                  ${keys.map((key) => key.sourceId)}::uuid[]) as asked (tenant_id, kind, source_id)
      join ledger_txs on ledger_txs.tenant_id = asked.tenant_id and ledger_txs.kind = asked.kind
                     and ledger_txs.source_id = asked.source_id`,
  );
}

export type LedgerRows = {
  readonly wallets: readonly WalletRow[];
  readonly newHolds: readonly NewHold[];
  readonly settledHolds: readonly HoldRow[];
  readonly ledgerTxs: readonly NewLedgerTx[];
  readonly entries: readonly NewLedgerEntry[];
};

/**
 * Writes all changes of a ledger in one statement: a transaction with one report would otherwise spend more time on
 * statements than on rows. The database checks that the entries of each journal line sum to zero.
 */
export async function insertLedgerRows(tx: Tx, ledger: LedgerRows): Promise<void> {
  const { wallets, newHolds, settledHolds, ledgerTxs, entries } = ledger;
  await execute(
    tx,
    sql`
    with changed_wallets as (
      update wallets
         set balance = changed.balance, held = changed.held, last_seq = changed.last_seq, sms_day = current_date,
             sms_day_credits = changed.sms_day_credits, sms_count_day = current_date,
             sms_day_messages = changed.sms_day_messages, sms_minute = changed.sms_minute,
             sms_minute_messages = changed.sms_minute_messages, low_credits = changed.low_credits,
             is_low_mail_due = is_low_mail_due or changed.is_newly_low
        from unnest(${wallets.map((wallet) => wallet.tenantId)}::uuid[], ${wallets.map((wallet) => wallet.balance)}::bigint[],
                    ${wallets.map((wallet) => wallet.held)}::bigint[], ${wallets.map((wallet) => wallet.lastSeq)}::bigint[],
                    ${wallets.map((wallet) => wallet.smsDayCredits)}::bigint[],
                    ${wallets.map((wallet) => wallet.smsDayMessages)}::integer[],
                    ${wallets.map((wallet) => wallet.smsMinute)}::integer[],
                    ${wallets.map((wallet) => wallet.smsMinuteMessages)}::integer[],
                    ${wallets.map((wallet) => wallet.lowCredits)}::bigint[],
                    ${wallets.map((wallet) => wallet.isNewlyLow ?? false)}::boolean[])
             as changed (tenant_id, balance, held, last_seq, sms_day_credits, sms_day_messages, sms_minute,
                         sms_minute_messages, low_credits, is_newly_low)
       where wallets.tenant_id = changed.tenant_id),
    new_holds as (
      insert into holds (tenant_id, kind, source_id, amount, per_bureau, expires_at)
      select tenant_id, kind, source_id, amount, per_bureau, clock_timestamp() + lifetime_ms * interval '1 millisecond'
        from unnest(${newHolds.map((hold) => hold.tenantId)}::uuid[], ${newHolds.map((hold) => hold.kind)}::text[],
                    ${newHolds.map((hold) => hold.sourceId)}::uuid[], ${newHolds.map((hold) => hold.amount)}::bigint[],
                    ${newHolds.map((hold) => hold.perBureau)}::bigint[],
                    ${newHolds.map((hold) => hold.lifetimeMs)}::bigint[])
             as added (tenant_id, kind, source_id, amount, per_bureau, lifetime_ms)),
    settled_holds as (
      update holds set state = settled.state, captured_amount = settled.captured_amount
        from unnest(${settledHolds.map((hold) => hold.tenantId)}::uuid[], ${settledHolds.map((hold) => hold.kind)}::text[],
                    ${settledHolds.map((hold) => hold.sourceId)}::uuid[], ${settledHolds.map((hold) => hold.state)}::text[],
                    ${settledHolds.map((hold) => hold.capturedAmount)}::bigint[])
             as settled (tenant_id, kind, source_id, state, captured_amount)
       where holds.tenant_id = settled.tenant_id and holds.kind = settled.kind and holds.source_id = settled.source_id
         -- Not "= 'open'": that would invite the planner to search all open holds instead of the key.
         and holds.state not in ('captured', 'voided')
      returning 1),
    new_lines as (
      insert into ledger_txs (tenant_id, seq, kind, source_id, credit_report_id, reverses_seq, balance_after, note)
      select * from unnest(${ledgerTxs.map((each) => each.tenantId)}::uuid[], ${ledgerTxs.map((each) => each.seq)}::bigint[],
                           ${ledgerTxs.map((each) => each.kind)}::text[], ${ledgerTxs.map((each) => each.sourceId)}::uuid[],
                           ${ledgerTxs.map((each) => each.creditReportId)}::uuid[],
                           ${ledgerTxs.map((each) => each.reversesSeq)}::bigint[],
                           ${ledgerTxs.map((each) => each.balanceAfter)}::bigint[],
                           ${ledgerTxs.map((each) => each.note)}::text[])),
    new_entries as (
      insert into ledger_entries (tenant_id, seq, account, amount)
      select * from unnest(${entries.map((entry) => entry.tenantId)}::uuid[], ${entries.map((entry) => entry.seq)}::bigint[],
                           ${entries.map((entry) => entry.account)}::text[],
                           ${entries.map((entry) => entry.amount)}::bigint[]))
    -- Fails here, before the commit that may be on its way already: no text is a number.
    select case when count(*) = ${settledHolds.length}::integer then 0
                else ('a hold was settled twice: only ' || count(*) || ' were open')::integer end
      from settled_holds`,
  );
}

/** As the system role: tenants whose people must get a mail about a low wallet. */
export async function listLowMails(tx: Tx, limit: number): Promise<string[]> {
  const due = await rows<{ tenantId: string }>(
    tx,
    sql`select tenant_id as "tenantId" from wallets where is_low_mail_due order by tenant_id limit ${limit}`,
  );
  return due.map(({ tenantId }) => tenantId);
}

/** As the system role, in the transaction that queues the mails. False where another worker was faster. */
export async function takeLowMail(tx: Tx, tenantId: string): Promise<boolean> {
  const taken = await rows(
    tx,
    sql`
    update wallets set is_low_mail_due = false where tenant_id = ${tenantId} and is_low_mail_due
    returning tenant_id as "tenantId"`,
  );
  return taken.length > 0;
}

export type LowWallet = { readonly balance: number; readonly threshold: number };

/** As the system role. Undefined when the wallet is not low, or not any more. */
export async function findLowWallet(tx: Tx, tenantId: string): Promise<LowWallet | undefined> {
  const [wallet] = await rows<LowWallet>(
    tx,
    sql`
    select balance, low_credits as threshold from wallets
     where tenant_id = ${tenantId} and low_credits is not null`,
  );
  return wallet;
}

/** As the system role, of the last hour. The index by time is one of blocks, so this reads little more than that hour. */
export async function countWriteOffsOfHour(tx: Tx): Promise<number> {
  const [found] = await rows<{ count: number }>(
    tx,
    sql`
    select count(*) as count from ledger_txs
     where kind = 'sms-writeoff' and created_at > statement_timestamp() - interval '1 hour'`,
  );
  return found?.count ?? 0;
}
