// Clocks, keys, settings, jobs and unfinished work: what a running installation must have besides its database.
import { duration, type Finding, fail, ok, plural, several, skip, warn, worst } from './finding.ts';

const CONFIGURATION = 'docs/operate/configuration.md';
const HASH_KEY = 'docs/operate/hash-key.md';
const STUCK = 'docs/operate/runbook.md#reports-are-stuck';

const CLOCK_FAIL_MS = 30_000;
const CLOCK_WARN_MS = 2_000;

/** `addressMs` is from the date of what answers at the base address, a node or the proxy; undefined where none answered. */
export function judgeClock(databaseMs: number, addressMs: number | undefined): Finding {
  const todo = 'Synchronise the clocks (NTP), then restart the processes of the machine that was wrong.';
  const see = 'docs/operate/runbook.md#alerts';
  const judge = (name: string, offsetMs: number): Finding => {
    const distance = Math.abs(offsetMs);
    if (distance < CLOCK_WARN_MS) return ok(`${name}: no difference.`);
    const reason = `This machine is ${duration(distance / 1_000)} ${offsetMs > 0 ? 'ahead of' : 'behind'} ${name}.`;
    return distance > CLOCK_FAIL_MS ? fail(reason, todo, see) : warn(reason, todo, see);
  };
  const found = worst([
    judge('the database', databaseMs),
    ...(addressMs === undefined ? [] : [judge('what answers at the base address', addressMs)]),
  ]);
  if (found.status !== 'ok') return found;
  const compared = addressMs === undefined ? 'the database' : 'the database and what answers at the base address';
  return ok(`This machine and ${compared} agree within ${CLOCK_WARN_MS / 1_000} seconds.`);
}

export type KeyFacts = {
  /** Ids alone, newest first; the age is known where the id begins with a date, as in all that `keys new` makes. */
  readonly vaultIds: readonly string[];
  readonly signingIds: readonly string[];
  readonly evidence: readonly { readonly kid: string; readonly validFrom: string }[];
  /** In the order of the ring, and those of rotations that are over. */
  readonly hashIds: readonly string[];
  readonly retiredHashIds: readonly string[];
  /** Why a process with this hash ring would not fit the others. */
  readonly hashConflict: string | undefined;
  /** Keys that rows still need and the rings lack. */
  readonly missingVaultIds: readonly string[];
  readonly missingEvidenceIds: readonly string[];
};

const DAY_MS = 86_400_000;
const OLD_DAYS = 400;

function ageDays(date: string, now: Date): number | undefined {
  const [day] = /^\d{4}-\d{2}(-\d{2})?/.exec(date) ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(day);
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.floor((now.getTime() - ms) / DAY_MS));
}

const withAge = (id: string, days: number | undefined) =>
  `${id} (${days === undefined ? 'age unknown' : plural(days, 'day')})`;

/** A thumbprint is 43 characters: enough of it to tell keys apart. */
const short = (kid: string) => (kid.length > 24 ? `${kid.slice(0, 12)}…` : kid);

function describeHashKeys({ hashIds: [first = '', ...others], retiredHashIds }: KeyFacts, now: Date): string {
  const rest = [
    ...(others.length > 0 ? [`and ${others.join(', ')} beside it`] : []),
    ...(retiredHashIds.length > 0 ? [`and ${retiredHashIds.join(', ')} retired`] : []),
  ];
  return ['hash', withAge(first, ageDays(first, now)), ...rest].join(' ');
}

export function judgeKeys(facts: KeyFacts, now: Date): Finding {
  const { vaultIds, signingIds, evidence, missingVaultIds, missingEvidenceIds, hashConflict } = facts;
  const missing = [
    ...(missingVaultIds.length > 0
      ? [`TREFOIL_VAULT_KEYS lacks ${several(missingVaultIds)}, which rows still need.`]
      : []),
    ...(missingEvidenceIds.length > 0
      ? [`TREFOIL_EVIDENCE_KEYS lacks ${several(missingEvidenceIds.map(short))}, which signed documents.`]
      : []),
  ];
  if (missing.length > 0) {
    return fail(
      missing.join(' '),
      'Add the missing key at the end of its ring.',
      `${CONFIGURATION}#rotate-a-vault-key`,
    );
  }
  if (hashConflict) return fail(`${hashConflict}.`, "See 'keys hash'.", HASH_KEY);
  const [vault = ''] = vaultIds;
  const [signing = ''] = signingIds;
  const [signer] = evidence;
  const told = [
    `vault ${withAge(vault, ageDays(vault, now))}${vaultIds.length > 1 ? ` and ${vaultIds.length - 1} older` : ''}`,
    `signing ${withAge(short(signing), ageDays(signing, now))}`,
    `evidence ${withAge(short(signer?.kid ?? ''), ageDays(signer?.validFrom ?? '', now))}`,
    describeHashKeys(facts, now),
  ].join(', ');
  const sentence = `Present: ${told}.`;
  const old = [
    { kind: 'vault', date: vault, see: `${CONFIGURATION}#rotate-a-vault-key` },
    { kind: 'signing', date: signing, see: `${CONFIGURATION}#rotate-a-signing-key` },
    { kind: 'evidence', date: signer?.validFrom ?? '', see: `${CONFIGURATION}#evidence-keys` },
    { kind: 'hash', date: facts.hashIds[0] ?? '', see: HASH_KEY },
  ].filter(({ date }) => (ageDays(date, now) ?? 0) > OLD_DAYS);
  const [first] = old;
  if (!first) return ok(sentence);
  return warn(sentence, `More than a year old, so rotate: ${old.map(({ kind }) => kind).join(', ')}.`, first.see);
}

export type KeyServiceFacts = {
  readonly kind: string;
  /** What it said about this month's key; the fault in words that hold no value. */
  readonly answer: 'present' | 'gone' | { readonly fault: string };
  /** The working keys that are not destroyed, newest first. */
  readonly keys: readonly { readonly month: string; readonly createdAt: Date; readonly isOfService: boolean }[];
  /** The month of now. */
  readonly month: string;
};

const KEYS = 'docs/operate/keys.md';

/** Undefined: none is configured. */
export function judgeKeyService(facts: KeyServiceFacts | undefined, now: Date): Finding {
  if (!facts) {
    return skip(
      'No key service is configured: the ring wraps reports, and erasing a report does not reach backups.',
      'Read what that means.',
      `${KEYS}#choose`,
    );
  }
  const { kind, answer, keys, month } = facts;
  if (typeof answer === 'object') {
    return fail(
      `The key service ${kind} gives no answer that can be used (${answer.fault}).`,
      'Bring it back within the time that keys stay in memory: after it reports are 503.',
      `${KEYS}#when-the-service-is-away`,
    );
  }
  const own = keys.filter(({ isOfService }) => isOfService);
  const hasMonth = own.some((key) => key.month === month);
  if (answer === 'gone' && hasMonth) {
    return fail(
      `The key service ${kind} answers, and has no usable key of ${month}, which wraps the reports of this month.`,
      'Is it disabled, waiting for its deletion, or are these the settings of another account?',
      `${KEYS}#when-the-service-is-away`,
    );
  }
  const [newest] = own;
  const oldest = own.at(-1);
  const told =
    newest && oldest
      ? `${plural(own.length, 'month key')}, the newest of ${newest.month} (${duration((now.getTime() - newest.createdAt.getTime()) / 1_000)} old), the oldest of ${oldest.month}`
      : 'no month key yet';
  return ok(`The key service ${kind} answers: ${told}.`);
}

export type SettingFacts = {
  readonly isDevelopment: boolean;
  /** The names in TREFOIL_ALLOW_PLAINTEXT. */
  readonly exceptions: readonly string[];
  readonly unknownSettings: readonly string[];
  readonly hasFailpoint: boolean;
  readonly hasWebhookNetworks: boolean;
  readonly isVerbose: boolean;
  readonly isLive: boolean;
};

export function judgeSettings(facts: SettingFacts): Finding {
  const see = `${CONFIGURATION}#what-the-start-refuses`;
  if (facts.hasFailpoint) {
    return fail('TREFOIL_FAILPOINT is set: the process will kill itself.', 'Unset it: it is for crash tests.', see);
  }
  const notes = [
    ...(facts.exceptions.length > 0 ? [`TREFOIL_ALLOW_PLAINTEXT allows ${facts.exceptions.join(', ')}.`] : []),
    ...(facts.hasWebhookNetworks ? ['TREFOIL_WEBHOOK_ALLOWED_NETWORKS lets webhooks into your network.'] : []),
    ...(facts.isDevelopment ? ['TREFOIL_BASE_URL is this machine: this is a development installation.'] : []),
    ...(facts.isVerbose ? ['TREFOIL_LOG_LEVEL is debug.'] : []),
    ...(facts.unknownSettings.length > 0 ? [`Not known and ignored: ${several(facts.unknownSettings)}.`] : []),
  ];
  if (notes.length > 0) return warn(notes.join(' '), 'Unset what production does not need.', see);
  return ok(
    `No exception and no setting of development. ${facts.isLive ? 'Live mode is on.' : 'There is test mode alone: no bureaus are configured.'}`,
  );
}

export type JobFacts = {
  /** Since a process last swept; undefined when none did, or in live mode none within a day. */
  readonly sweptSecondsAgo: number | undefined;
  /** How many processes sweep; undefined in test mode alone, where they leave one mark together. */
  readonly sweepers: number | undefined;
  /** The oldest event that has not become webhooks; 0 when there is none. */
  readonly eventSeconds: number;
};

/** A sweep runs every five seconds. */
const SWEEP_MAX_SECONDS = 60;
const EVENT_MAX_SECONDS = 300;

export function judgeJobs({ sweptSecondsAgo, sweepers, eventSeconds }: JobFacts): Finding {
  const todo = "Start a worker, or look for 'job failed' in its log.";
  if (eventSeconds > EVENT_MAX_SECONDS) {
    return fail(
      `Events wait since ${duration(eventSeconds)} to be handed out: no process runs the jobs, or a long transaction holds them up.`,
      todo,
      'docs/operate/runbook.md#events-are-late',
    );
  }
  if (sweptSecondsAgo === undefined) return fail('No process has run the jobs within a day.', todo, STUCK);
  if (sweptSecondsAgo > SWEEP_MAX_SECONDS) {
    return fail(`No process has run the jobs for ${duration(sweptSecondsAgo)}.`, todo, STUCK);
  }
  const who = sweepers === undefined ? 'A process runs' : plural(sweepers, 'process runs', 'processes run');
  return ok(`${who} the jobs, the last time ${duration(sweptSecondsAgo)} ago.`);
}

export type BacklogFacts = {
  readonly mailsWaiting: number;
  readonly mailSeconds: number;
  /** Sent or given up in the last hour. */
  readonly mailsEnded: { readonly ended: number; readonly givenUp: number };
  /** Due, for endpoints that work. */
  readonly webhooksWaiting: number;
  readonly webhookSeconds: number;
  /** How long rows of a table are past their deletion. */
  readonly overdue: readonly { readonly table: string; readonly seconds: number }[];
};

const MAIL_MAX_SECONDS = 600;
/** The share of the alert TrefoilMailRefused. */
const GIVEN_UP_MAX = 0.05;
const WEBHOOK_MAX_SECONDS = 300;
const OVERDUE_MAX_SECONDS = 3_600;

export function judgeBacklog(facts: BacklogFacts): Finding {
  const { mailsWaiting, mailSeconds, mailsEnded, webhooksWaiting, webhookSeconds, overdue } = facts;
  const late = overdue.filter(({ seconds }) => seconds > OVERDUE_MAX_SECONDS);
  const findings = [
    ...(mailSeconds > MAIL_MAX_SECONDS
      ? [
          warn(
            `${plural(mailsWaiting, 'mail')} unsent, the oldest ${duration(mailSeconds)} old.`,
            'Look at the mail server.',
            'docs/operate/runbook.md#mail-does-not-go-out',
          ),
        ]
      : []),
    ...(mailsEnded.givenUp > mailsEnded.ended * GIVEN_UP_MAX
      ? [
          warn(
            `${plural(mailsEnded.givenUp, 'mail was', 'mails were')} given up in the last hour, of ${mailsEnded.ended} that ended.`,
            'Look at what the mail server answers.',
            'docs/operate/runbook.md#mail-does-not-go-out',
          ),
        ]
      : []),
    ...(webhookSeconds > WEBHOOK_MAX_SECONDS
      ? [
          warn(
            `${plural(webhooksWaiting, 'webhook is', 'webhooks are')} due and not sent, the oldest since ${duration(webhookSeconds)}; endpoints that fail do not count.`,
            'See whether the jobs run, and whether the worker reaches the internet.',
            'docs/operate/runbook.md#webhooks-are-late',
          ),
        ]
      : []),
    ...(late.length > 0
      ? [
          warn(
            `Past their deletion: ${several(late.map(({ table, seconds }) => `${table} by ${duration(seconds)}`))}.`,
            'See whether the jobs run and succeed.',
            'docs/operate/runbook.md#deletion-falls-behind',
          ),
        ]
      : []),
  ];
  return worst([ok('No mail and no webhook waits for long, and deletion keeps up.'), ...findings]);
}

const LEDGER = 'docs/operate/runbook.md#the-ledger-does-not-agree-books-do-not-agree';

/** What a job that reads more than the last hour found when it was last done. */
export type LongReconciliation = { readonly name: string; readonly secondsAgo: number; readonly found: number };

/** `breaks` are the names of the checks that found one in the last hour, as often as they did; `writeOffs` are of that hour too. */
export function judgeLedger(
  breaks: readonly string[],
  long: readonly LongReconciliation[],
  writeOffs: number,
): Finding {
  const alarms = long.filter(({ found }) => found > 0);
  const ran = ({ name, secondsAgo }: LongReconciliation) => `${name}, ${duration(secondsAgo)} ago`;
  if (breaks.length === 0 && alarms.length === 0) {
    const told = long.length > 0 ? `found none either (${long.map(ran).join('; ')})` : 'have not been done yet';
    const sentence = `No break in the ledger of the last hour. The jobs that read more ${told}.`;
    if (writeOffs === 0) return ok(sentence);
    return warn(
      `${sentence} ${plural(writeOffs, 'message was', 'messages were')} written off in the last hour: the operator bears the cost.`,
      'A few: do nothing. Many: look at the carrier.',
      'docs/operate/runbook.md#the-carrier-is-down',
    );
  }
  const reasons = [
    ...(breaks.length > 0
      ? [`${plural(breaks.length, 'break')} in the last hour: ${several([...new Set(breaks)])}.`]
      : []),
    ...alarms.map((alarm) => `${plural(alarm.found, 'break')} found by the job ${ran(alarm)}.`),
  ];
  return fail(
    `The ledger does not agree. ${reasons.join(' ')}`,
    `Run 'wallet reconcile${alarms.length > 0 ? ' --all' : ''}' and change nothing before.`,
    LEDGER,
  );
}

export function judgeAudit(chains: number, loose: number): Finding {
  if (loose === 0) {
    return ok(`The ends of ${plural(chains, 'audit chain')} are as their heads say; 'audit verify' reads every row.`);
  }
  return fail(
    `${plural(loose, 'audit chain does', 'audit chains do')} not end where the head says.`,
    "Run 'audit verify' and repair nothing.",
    'docs/operate/runbook.md#the-audit-log-is-damaged',
  );
}
