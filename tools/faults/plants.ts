// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts to replace are parts of templates.
// What --control removes from the servers' copy: the remedy of one scenario, so that the same run must fail. Edits of
// text, as in tools/chaos/plants.ts: the product has no switch for any of this.
import type { Breakage } from '../breakages/breakages.ts';

/** `rows` are the findings that show it: a control that fails for another reason proves nothing. */
type Plant = Pick<Breakage, 'sentence' | 'rows' | 'edits'>;

const REPORTS = 'server/src/credit-reports';
const WEBHOOKS = 'server/src/webhooks';
const GUARDED_LINE = 'server/src/lib/outside/guarded-line.ts';

/** A group of statements waits for its answer without a limit. */
const NO_TIMER = {
  file: 'server/src/lib/postgres/statement-group.ts',
  find: 'Math.max(0, limitMs),',
  replace: 'Math.max(3_600_000, limitMs),',
};

/** A settlement is tried for two seconds. */
const NO_PATIENCE = {
  file: `${REPORTS}/queue.ts`,
  find: 'const SETTLE_MS = 10 * 60_000;',
  replace: 'const SETTLE_MS = 2_000;',
};

/** Every report is admitted, whether or not there is capacity. */
const NO_ADMISSION = [
  {
    file: `${REPORTS}/live/admit-report.ts`,
    find: "if (!isQueueMoving(queue, live.patience)) throw refusedAsBusy(metrics, 'queue');",
    replace: 'queue.state();',
  },
  {
    file: `${REPORTS}/live/admit-report.ts`,
    find: 'const release = await live.places.take(wanted, tenantId, live.patience * WAIT_MS, { keepFree: FOR_CODES });',
    replace:
      'const release = (await live.places.take(wanted, tenantId, 0, { keepFree: FOR_CODES })) ?? (() => undefined);',
  },
  {
    file: `${REPORTS}/live/admit-report.ts`,
    find: 'const isLetIn = live.places.letIn([NODE_PLACE, SCREENING_PLACE], tenantId, { keepFree: FOR_CODES });',
    replace: 'const isLetIn = Boolean(live && tenantId);',
  },
];

const OVERLOADED =
  /^(what is not completed is refused|every request is answered|no report (is interrupted|fails)|the excess is refused|completions|memory|answers are back)/;

/** By the scenario's name. */
const ALL: Readonly<Record<string, Plant>> = {
  'black-hole': {
    sentence: 'a connection that says nothing is waited for',
    rows: /^(every request is answered|a new generate completes)/,
    edits: [NO_TIMER],
  },
  stall: {
    sentence: 'a connection that says nothing is waited for',
    rows: /^(every request is answered|a metric tells|a log line tells)/,
    edits: [NO_TIMER],
  },
  'away-7s': {
    sentence: 'a report whose bureaus have answered is given up after two seconds',
    rows: /^no report whose bureaus were asked is lost/,
    edits: [NO_PATIENCE],
  },
  'away-25s': {
    sentence: 'a report whose bureaus have answered is given up after two seconds',
    rows: /^no report whose bureaus were asked is lost/,
    edits: [NO_PATIENCE],
  },
  'overload-3x': {
    sentence: 'every report is taken, whether there is room for it or not',
    rows: OVERLOADED,
    edits: NO_ADMISSION,
  },
  'overload-10x': {
    sentence: 'every report is taken, whether there is room for it or not',
    rows: OVERLOADED,
    edits: NO_ADMISSION,
  },
  'slow-bureaus': {
    sentence: 'every report is taken, whether there is a place at its bureaus or not',
    rows: /^(no report (fails|lacks a bureau)|every bureau answers)/,
    edits: NO_ADMISSION,
  },
  'receipt-burst': {
    sentence: 'a receipt is applied by itself before it is acknowledged',
    rows: /^every receipt is answered|the other tenants/,
    edits: [
      {
        file: `${REPORTS}/messages/receive-receipt.ts`,
        find: "if (!isNew) metrics.receipts.inc({ outcome: 'ignored' });",
        replace:
          'if (isNew) await Promise.race([apply(sent), new Promise((_, reject) => setTimeout(reject, STORE_MS))]);',
      },
      {
        file: `${REPORTS}/messages/receive-receipt.ts`,
        find: '    bounds: BOUNDS,\n',
        replace: '    bounds: BOUNDS,\n    itemsMax: 1,\n',
      },
      { file: `${REPORTS}/queue.ts`, find: '[250, 250, 100, 8]', replace: '[250, 250, 100, 1]' },
    ],
  },
  'held-wallet': {
    sentence: 'a wallet that is locked holds up every tenant of its transaction',
    rows: /the other tenants/,
    edits: [
      {
        file: 'server/src/wallet/open-ledger.ts',
        find: 'const lock = mayWait ? lockWallets : lockFreeWallets;',
        replace: 'const lock = mayWait || lockFreeWallets ? lockWallets : lockWallets;',
      },
    ],
  },
  'reader-flood': {
    sentence: 'all reads of a tenant run at once, and each locks the end of the audit chain by itself',
    rows: /generates: p99 at most/,
    edits: [
      { file: 'server/src/http/admit-read.ts', find: 'const AT_A_TIME = 4;', replace: 'const AT_A_TIME = 512;' },
      {
        file: `${REPORTS}/queue.ts`,
        find: "await batch.add({ kind: 'note', entry, ...waitIn(tracedSpan()) }, within(patience * NOTE_MS));",
        replace:
          'await database.forTenants([entry.tenantId], (tx) => appendAudit(tx, [entry])).catch(() => within(patience * NOTE_MS));',
      },
      {
        file: `${REPORTS}/queue.ts`,
        find: "import type { AuditEntry } from '../audit/append-audit.ts';",
        replace: "import { type AuditEntry, appendAudit } from '../audit/append-audit.ts';",
      },
    ],
  },
  'tenant-flood': {
    sentence: 'a tenant may have as much open as there are places, however busy the event loop is',
    rows: /the other tenants/,
    edits: [{ file: 'server/src/main.ts', find: 'app.followLoop();', replace: '' }],
  },
  'misuse-replays': {
    sentence: 'a receiver that accepts messages gets as many as there are',
    rows: /^a receiver gets what its budget allows/,
    edits: [
      {
        file: `${WEBHOOKS}/rules/budgets.ts`,
        find: 'return Math.min(perMinute * 2 ** Math.min(Math.floor(accepted / doublesAfter), 30), perMinuteMax);',
        replace: 'return 1e9;',
      },
    ],
  },
  'misuse-gone': {
    sentence: 'an endpoint that said 410 is enabled without a test, and its members are told whenever it is disabled',
    rows: /^a member is told of an endpoint once a day/,
    edits: [
      {
        file: `${WEBHOOKS}/manage-endpoints.ts`,
        find: 'if (!isGone) return enableEndpoint(tx, tenantId, id, before.isOrdered);',
        replace: 'if (isGone || !isGone) return enableEndpoint(tx, tenantId, id, before.isOrdered);',
      },
      {
        file: 'server/src/mail/queue-mail.ts',
        find: 'if (await insertNotice(tx, notice)) await queueNotice(tx, notice, recipients);',
        replace: 'await insertNotice(tx, notice).then(() => queueNotice(tx, notice, recipients));',
      },
      { file: 'server/src/mail/rules/day.ts', find: 'const NOTICES_MAX = 200;', replace: 'const NOTICES_MAX = 1e9;' },
    ],
  },
  'misuse-blocked': {
    sentence: 'an endpoint that is enabled makes all due that waits',
    rows: /^(p99 in the fault|enabling touches nothing)/,
    edits: [
      {
        file: `${WEBHOOKS}/delivery-store.ts`,
        find: "and state = 'pending' and attempts > 0",
        replace: "and state = 'pending'",
      },
    ],
  },
  'misuse-resends': {
    sentence: 'an attempt that is under way does not count when its delivery is sent again',
    rows: /^a delivery is attempted once at a time/,
    edits: [
      {
        file: `${WEBHOOKS}/delivery-store.ts`,
        find: "coalesce(leased_until > clock_timestamp(), false) and state = 'pending' as is_under_way",
        replace: 'false as is_under_way',
      },
    ],
  },
  'misuse-creations': {
    sentence: 'a company makes as many endpoints as its rate limit allows',
    rows: /^a company makes so many endpoints a day/,
    edits: [
      { file: `${WEBHOOKS}/rules/budgets.ts`, find: '  creationsPerDay: 50,', replace: '  creationsPerDay: 1e6,' },
    ],
  },
  'misuse-informational': {
    sentence: 'a receiver may send informational answers for as long as an attempt takes',
    rows: /^p99 in the fault/,
    edits: [
      { file: GUARDED_LINE, find: 'const INFORMATIONAL_MAX = 10;', replace: 'const INFORMATIONAL_MAX = 1e12;' },
      { file: GUARDED_LINE, find: 'const WIRE_BYTES_MAX = 32 * 1_024;', replace: 'const WIRE_BYTES_MAX = 1e12;' },
    ],
  },
  'waiting-notices': {
    sentence: 'notices are sent before what people wait for',
    rows: /^a reset link arrives/,
    edits: [
      {
        file: 'server/src/mail/send-mails.ts',
        find: '    const waitedFor = await take(tx, false, turns.waitedFor, AT_A_TIME);',
        replace:
          '    const early = await take(tx, true, turns.notices, AT_A_TIME);\n    if (early.length > 0) return early;\n' +
          '    const waitedFor = await take(tx, false, turns.waitedFor, AT_A_TIME);',
      },
    ],
  },
  'stopped-tenant': {
    sentence: 'an attempt that has begun is sent, however long its connection takes',
    rows: /^nothing begins more than 2 s/,
    edits: [{ file: `${WEBHOOKS}/deliver.ts`, find: 'const FRESH_MS = 1_000;', replace: 'const FRESH_MS = 1e9;' }],
  },
  'long-retention': {
    sentence: 'what is due goes in one batch',
    rows: /^each batch takes at most/,
    edits: [
      {
        file: 'server/src/lib/postgres/retention.ts',
        find: 'const AT_A_TIME = 1_000;',
        replace: 'const AT_A_TIME = 1_000_000;',
      },
    ],
  },
  'full-disk': {
    sentence: 'a full disk is taken for a fault of our own',
    rows: /^every answer is 200 or 503/,
    edits: [
      { file: 'server/src/lib/postgres/unavailable.ts', find: '|57014|53|', replace: '|57014|' },
      { file: 'server/src/lib/postgres/unavailable.ts', find: '|57P0|53|25006', replace: '|57P0|25006' },
    ],
  },
  'redis-gone': {
    sentence: 'a limit that Redis cannot judge fails its request',
    rows: /^no other tenant notices/,
    edits: [
      {
        file: 'server/src/lib/limits/limit-fallback.ts',
        find: 'onFallback(error as Error);\n      return fallback();',
        replace: 'throw error;',
      },
    ],
  },
  'redis-slow': {
    sentence: 'a limit waits for Redis as long as it takes',
    rows: /^no request waits long for Redis/,
    edits: [
      {
        file: 'server/src/lib/limits/redis-limits.ts',
        find: 'commandTimeout: options.timeoutMs,',
        replace: 'commandTimeout: 60_000,',
      },
    ],
  },
  'clock-jump': {
    sentence: "the age of a code is told by the node's clock",
    rows: /^the database’s clock decides/,
    edits: [
      {
        file: 'server/src/credit-reports/messages/sms-store.ts',
        find: 'select id, state, (extract(epoch from clock_timestamp() - sent_at) * 1000000)::bigint as "sinceSentUs"',
        replace:
          'select id, state, (extract(epoch from ${new Date()}::timestamptz - sent_at) * 1000000)::bigint as "sinceSentUs"',
      },
    ],
  },
};

export const PLANTS: ReadonlyMap<string, Breakage> = new Map(
  Object.entries(ALL).map(([id, plant]) => [id, { id, ...plant, breaks: plant.sentence }]),
);
