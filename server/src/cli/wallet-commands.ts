// Wallets: their balance, credits in and out, the statement, and whether the ledger is consistent.
import { createHash } from 'node:crypto';
import { ENTRY_KINDS } from '@trefoil/contract';
import { listReportSources } from '../credit-reports/reading/list-charge-sources.ts';
import { findSmsBudget } from '../credit-reports/reading/read-limits.ts';
import { ServiceError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { markJob } from '../lib/job-marks.ts';
import type { Database } from '../lib/postgres/database.ts';
import { LONG_RECONCILIATIONS } from '../reconciliation/jobs.ts';
import { CHECKS, reconcile } from '../reconciliation/reconcile.ts';
import { listReportFacts } from '../usage/find-report-facts.ts';
import { adjust } from '../wallet/adjust.ts';
import { findMovement, listEntries } from '../wallet/list-entries.ts';
import { readWallet } from '../wallet/read-wallet.ts';
import { topUp } from '../wallet/top-up.ts';
import { type Answer, defineCommand, Refusal } from './command.ts';
import {
  credits,
  flag,
  id,
  instant,
  integer,
  optional,
  required,
  signedCredits,
  tenantRef,
  text,
  UsageError,
  word,
} from './options.ts';
import { inCredits, minute, table } from './print.ts';
import { requireTenant } from './require-found.ts';

const tenant = required(tenantRef, 'The tenant, by its id or its name.');
const DAY_MS = 24 * 60 * 60_000;
const RECENT_DAYS = 7;
const LINES_DEFAULT = 50;
const LINES_MAX = 200;

/** The same words give the same id, a version 8 UUID of their hash, so that a repeated movement counts once. */
function sourceIdOf(...words: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(words)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

type Order = { readonly credits: number; readonly sourceId: string; readonly note: string };

async function move(database: Database, kind: 'top-up' | 'adjust', tenantId: string, order: Order): Promise<Answer> {
  await database.asSystem((tx) => requireTenant(tx, tenantId));
  const post = kind === 'top-up' ? topUp : adjust;
  const { balance, isRepeat, posted } = await database
    .forTenants([tenantId], async (tx) => {
      const movement = await post(tx, tenantId, order);
      return { ...movement, posted: await findMovement(tx, tenantId, kind, order.sourceId) };
    })
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'insufficient-funds') throw error;
      throw new Refusal(`Only ${inCredits(error.fields.available ?? 0)} are available. Nothing was changed.`);
    });
  if (isRepeat && posted?.amount !== order.credits) {
    throw new Refusal(
      `This reference was posted before, with ${inCredits(posted?.amount ?? 0)}. Nothing was changed; use another one.`,
    );
  }
  const change = `${kind === 'top-up' ? 'Added' : 'Adjusted by'} ${inCredits(order.credits)}.`;
  const repeated = 'This reference was posted before, with the same credits. Nothing was changed.';
  return {
    text: `${isRepeat ? repeated : change} The balance of tenant ${tenantId} is ${inCredits(balance)}.`,
    data: { tenantId, credits: order.credits, sourceId: order.sourceId, balance, isRepeat },
  };
}

const showCommand = defineCommand({
  noun: 'wallet',
  verb: 'show',
  summary: 'Show the balance of a wallet and how much of it is held.',
  options: { tenant },
  example: 'wallet show --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35',
  async run(database, { tenant: tenantId }): Promise<Answer> {
    await database.asSystem((tx) => requireTenant(tx, tenantId));
    const wallet = await readWallet({ database, findSmsBudget }, tenantId);
    const lines = [
      `Wallet of tenant ${tenantId}`,
      '',
      `  Balance     ${inCredits(wallet.balance)}`,
      `  Held        ${inCredits(wallet.held)}`,
      `  Available   ${inCredits(wallet.available)}`,
    ];
    return { text: lines.join('\n'), data: { tenantId, ...wallet } };
  },
});

const entriesCommand = defineCommand({
  noun: 'wallet',
  verb: 'entries',
  summary: 'Show the lines of a wallet, newest first.',
  notes: 'Tenants read the same through the API, there also as CSV.',
  options: {
    tenant,
    from: optional(instant, 'Lines posted at or after this.'),
    to: optional(instant, 'Lines posted before this.'),
    kind: optional(word(ENTRY_KINDS), `Only lines of one kind: ${ENTRY_KINDS.join(', ')}.`),
    report: optional(id, 'Only lines of this report and its messages.'),
    limit: optional(integer(1, LINES_MAX), `How many lines (default ${LINES_DEFAULT}).`),
  },
  example: 'wallet entries --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --from 2026-03-01 --to 2026-04-01',
  async run(database, { tenant: tenantId, from, to, kind, report, limit = LINES_DEFAULT }): Promise<Answer> {
    await database.asSystem((tx) => requireTenant(tx, tenantId));
    const { items, nextCursor } = await listEntries(
      {
        database,
        findSources: (tx, ofTenant, { creditReportId }) =>
          listReportSources(tx, ofTenant, creditReportId ? [creditReportId] : []),
        listReportFacts,
      },
      tenantId,
      {
        limit,
        ...(from && { from: from.toISOString() }),
        ...(to && { to: to.toISOString() }),
        ...(kind && { kind }),
        ...(report && { creditReportId: report }),
      },
      // References belong to the tenant, so the operator does not see them.
      async () => new Map(),
    );
    const lines = items.map((each) => [
      each.id,
      minute(new Date(each.createdAt)),
      each.kind,
      each.amount.toLocaleString('en-GB'),
      each.balanceAfter.toLocaleString('en-GB'),
      each.creditReportId ?? '',
      each.note ?? '',
    ]);
    const headings = ['LINE', 'POSTED', 'KIND', 'CREDITS', 'BALANCE', 'REPORT', 'NOTE'];
    const more = nextCursor === null ? '' : '\n\nThere are more: narrow it with --from, --to, --kind or --report.';
    const none = 'There are no such lines.';
    return {
      text: items.length > 0 ? `${table(headings, lines)}${more}` : none,
      data: { entries: items, hasMore: nextCursor !== null },
    };
  },
});

const reconcileCommand = defineCommand({
  noun: 'wallet',
  verb: 'reconcile',
  summary: 'Check the ledger of all tenants against itself and the reports.',
  notes:
    `Without options it checks what is ${RECENT_DAYS} days old or younger; --all reads every line ever posted, which takes\n` +
    'a while, and doctor then tells its result. It changes nothing of the ledger. The exit code is 1 when it finds a break; notes do not count.\n' +
    `Each check shows at most 100 findings. The checks: ${CHECKS.map(({ name }) => name)
      .join(', ')
      .replace(/(.{80,110}?), /g, '$1,\n')}.`,
  options: {
    since: optional(instant, 'Check what happened since then.'),
    all: flag('Check everything from the first line on.'),
  },
  example: 'wallet reconcile --since 2026-03-01',
  async run(database, { since, all }): Promise<Answer> {
    if (since && all) throw new UsageError('Give --since or --all, not both.');
    const from = all ? undefined : (since ?? new Date(Date.now() - RECENT_DAYS * DAY_MS));
    const { findings, checks, hasBreak } = await reconcile(database, from);
    const scope = from ? `since ${minute(from)}` : 'from the first line on';
    const breaks = findings.filter(({ isBreak }) => isBreak).length;
    // A person who has repaired a break need not wait a day until doctor says so.
    if (all) for (const name of LONG_RECONCILIATIONS) await markJob(database, name, breaks);
    const verdict = hasBreak ? `${breaks} ${breaks === 1 ? 'break' : 'breaks'} found` : 'The ledger is in order';
    const lines = findings.map((each) => [
      each.isBreak ? 'break' : 'note',
      each.check,
      each.tenantId ?? '',
      each.subjectId ?? '',
      each.detail,
    ]);
    const found = lines.length > 0 ? `${table(['', 'CHECK', 'TENANT', 'SUBJECT', 'WHAT'], lines)}\n\n` : '';
    return {
      text: `${found}${verdict}: ${checks.length} checks ${scope}.`,
      data: { hasBreak, since: from?.toISOString() ?? null, checks, findings },
      isAlarm: hasBreak,
    };
  },
});

export const WALLET_COMMANDS = [
  showCommand,
  defineCommand({
    noun: 'wallet',
    verb: 'top-up',
    summary: 'Add bought credits to a wallet.',
    notes:
      'The reference makes it safe to repeat: the same one posts once for a tenant. Use the name of the payment, such as\n' +
      'the invoice number; the tenant sees it in its statement. 1,000 credits are one pound.',
    options: {
      tenant,
      credits: required(credits, 'How many credits.'),
      reference: required(text, 'The reference of the payment.'),
    },
    example:
      "wallet top-up --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --credits 500000 --reference 'invoice 2026-0017'",
    run: (database, { tenant: tenantId, credits: added, reference }) =>
      move(database, 'top-up', tenantId, {
        credits: added,
        sourceId: sourceIdOf('top-up', tenantId, reference),
        note: reference,
      }),
  }),
  defineCommand({
    noun: 'wallet',
    verb: 'adjust',
    summary: 'Correct a wallet by hand, up or down.',
    notes:
      'The tenant sees the reason in its statement. It cannot take credits that are held or that the wallet does\n' +
      'not have. Nothing is ever deleted: to undo an adjustment, make the opposite one. With --reference it is safe to repeat.',
    options: {
      tenant,
      credits: required(signedCredits, 'How many credits, with a minus to take them.'),
      reason: required(text, 'Why; nothing about a consumer.'),
      reference: optional(text, 'A reference for this adjustment: the same one posts only once.'),
    },
    example:
      "wallet adjust --tenant 01997c2e-5a10-7bd3-9c4e-2f60d81b7a35 --credits -2000 --reason 'top-up posted twice'",
    run: (database, { tenant: tenantId, credits: change, reason, reference }) =>
      move(database, 'adjust', tenantId, {
        credits: change,
        sourceId: reference === undefined ? newId() : sourceIdOf('adjust', tenantId, reference),
        note: reason,
      }),
  }),
  entriesCommand,
  reconcileCommand,
];
