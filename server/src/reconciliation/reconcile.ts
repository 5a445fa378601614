// Checks the ledger against itself and against its reports and messages. It changes nothing: a person must look at a
// break (docs/operate/command-line.md). A recent check costs only what is recent; a full one reads everything.

import { firstIdAt } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { entriesOf, type TxKind } from '../wallet/rules/journal.ts';
import {
  type Found,
  listBrokenChains,
  listChargesWithoutHold,
  listEntriesWithoutLine,
  listOverdueHolds,
  listRepeatedEffects,
  listWrongDayKinds,
  listWrongDays,
  listWrongHeld,
  listWrongHolds,
  listWrongLines,
  listWrongRefunds,
  listWrongSums,
  listWrongTails,
  listWrongTotal,
  listWrongUsage,
  readWholeTables,
  type Scope,
} from './reconcile-store.ts';
import {
  listForgottenChallenges,
  listOddReports,
  listOddSends,
  listSilentMessages,
  listStrayHolds,
  listStrayLines,
  listStuckReports,
  listTestMoney,
} from './reconcile-subjects-store.ts';
import { faultOfReport, faultOfSend, SOUND_REPORTS, SOUND_SENDS } from './rules/settled-money.ts';

type Check = {
  readonly name: string;
  /** What holds if the check finds nothing. */
  readonly promise: string;
  /** Reads the whole ledger, whatever the scope; left out of a recent check. */
  readonly isFull?: true;
  /** Its findings are worth a look but break nothing. */
  readonly isInformation?: true;
  readonly find: (tx: Tx, scope: Scope) => Promise<Found[]>;
};

/** Total on purpose: a kind of line that is not checked does not compile. */
const TX_KINDS: Readonly<Record<TxKind, true>> = {
  'top-up': true,
  adjust: true,
  'report-charge': true,
  'report-refund': true,
  'sms-charge': true,
  'sms-writeoff': true,
};
const KIND_ACCOUNTS = (Object.keys(TX_KINDS) as TxKind[]).map((kind) => {
  const [to, from] = entriesOf(kind, 1);
  return { kind, to: to.account, from: from.account };
});

async function findOddReports(tx: Tx, scope: Scope): Promise<Found[]> {
  const odd = await listOddReports(tx, SOUND_REPORTS, scope);
  return odd.map(({ tenantId, id, ...shape }) => ({
    tenantId,
    subjectId: id,
    detail: faultOfReport(shape) ?? 'unknown',
  }));
}

async function findOddSends(tx: Tx, scope: Scope): Promise<Found[]> {
  const odd = await listOddSends(tx, SOUND_SENDS, scope);
  return odd.map(({ tenantId, id, ...shape }) => ({
    tenantId,
    subjectId: id,
    detail: faultOfSend(shape) ?? 'unknown',
  }));
}

export const CHECKS: readonly Check[] = [
  { name: 'wallet-tail', promise: 'each wallet is where its last line left it', find: listWrongTails },
  { name: 'wallet-sum', promise: 'each balance is the sum of its entries', isFull: true, find: listWrongSums },
  { name: 'days', promise: 'the days of each wallet sum up its lines', find: listWrongDays },
  { name: 'day-kinds', promise: 'each day has what each kind moved', isFull: true, find: listWrongDayKinds },
  { name: 'usage', promise: 'each day has as many events as were counted', isFull: true, find: listWrongUsage },
  { name: 'total', promise: 'all entries together sum to zero', isFull: true, find: listWrongTotal },
  { name: 'stray-entry', promise: 'every entry belongs to a line', isFull: true, find: listEntriesWithoutLine },
  { name: 'chain', promise: 'each line follows the one before it', find: listBrokenChains },
  {
    name: 'line',
    promise: 'each line moves its amount between the two accounts of its kind',
    find: (tx, scope) => listWrongLines(tx, KIND_ACCOUNTS, scope),
  },
  { name: 'repeated-effect', promise: 'each source has one effect of a kind', find: listRepeatedEffects },
  { name: 'held', promise: 'what a wallet holds is the sum of its open holds', find: listWrongHeld },
  { name: 'overdue-hold', promise: 'no hold is open past its time', find: listOverdueHolds },
  { name: 'hold', promise: 'captured holds have their charge, others none', find: listWrongHolds },
  { name: 'unheld-charge', promise: 'nothing was charged that was not held', find: listChargesWithoutHold },
  { name: 'refund', promise: 'each refund takes back the charge of its own report', find: listWrongRefunds },
  { name: 'report', promise: 'each report is charged and refunded as its state demands', find: findOddReports },
  { name: 'message', promise: 'each delivered message is charged or written off once', find: findOddSends },
  { name: 'stray-line', promise: 'each line is of a report or message that exists', find: listStrayLines },
  { name: 'stray-hold', promise: 'each hold is of a report or message that exists', find: listStrayHolds },
  { name: 'test-money', promise: 'no test report is in the books', find: listTestMoney },
  { name: 'stuck-report', promise: 'no report is unsettled past its time', find: listStuckReports },
  { name: 'forgotten-challenge', promise: 'every open challenge is looked at again', find: listForgottenChallenges },
  {
    name: 'silent-message',
    promise: 'messages that were given up without a word from the carrier',
    isInformation: true,
    find: listSilentMessages,
  },
];

export type Finding = Found & { readonly check: string; readonly isBreak: boolean };

export type Reconciliation = {
  readonly findings: readonly Finding[];
  readonly checks: readonly string[];
  readonly hasBreak: boolean;
};

/** Per check; more findings of the same kind add nothing. */
const FINDINGS_MAX = 100;
/** A check of many lines takes longer than any request may. */
const STATEMENT_MS = 1_800_000;

/** Without `since` it reads everything from the first line on. */
export async function reconcile(database: Database, since?: Date): Promise<Reconciliation> {
  const from = since ?? new Date(0);
  const scope: Scope = { since: from, sinceId: firstIdAt(from), limit: FINDINGS_MAX };
  const checks = CHECKS.filter(({ isFull }) => !isFull || since === undefined);
  const findings: Finding[] = [];
  for (const { name, isInformation, find } of checks) {
    // One transaction each: a single long one would hold back the vacuum of the busiest tables.
    const found = await database.asSystem(
      async (tx) => {
        if (since === undefined) await readWholeTables(tx);
        return find(tx, scope);
      },
      { statementMs: STATEMENT_MS },
    );
    findings.push(...found.map((each) => ({ check: name, isBreak: !isInformation, ...each })));
  }
  return { findings, checks: checks.map(({ name }) => name), hasBreak: findings.some(({ isBreak }) => isBreak) };
}
