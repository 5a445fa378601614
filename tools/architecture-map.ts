// The map of the server: which folder ranks above which, and which feature owns which table. A change to the layout
// means a change to this file; tools/architecture.ts checks the tree against it.

/** A row may import the rows below it, never one above; names of one row do not import each other. */
export type Ranks = readonly (readonly string[])[];

export const RANKS: Ranks = [
  ['main.ts'],
  ['app.ts', 'cli'],
  // Looks at everything that the composition root builds, and builds none of it.
  ['doctor'],
  // Parts of the composition root: live mode's outside calls, all metrics, the checks at the start, what is deleted by age,
  // the rests that tests shorten.
  ['open-live.ts', 'open-metrics.ts', 'check-start.ts', 'aged-tables.ts', 'rests.ts'],
  ['large-files.ts'],
  ['large-files.worker.ts'],
  ['config.ts'],
  ['config'],
  ['reconciliation', 'usage', 'subjects'],
  ['documents'],
  ['evidence'],
  ['credit-reports'],
  ['identity'],
  ['wallet', 'tenants'],
  ['webhooks'],
  ['events', 'audit', 'idempotency', 'merge'],
  ['bureaus', 'sms', 'screening', 'fingerprints', 'mail', 'keys'],
  ['http'],
  ['lib'],
];

/** The console's folders, in the same sense. Places do not import each other, and nothing imports the frame but the router. */
export const CONSOLE_RANKS: Ranks = [
  ['main.tsx'],
  ['router.tsx'],
  [
    'shell',
    'home',
    'reports',
    'new-report',
    'playground',
    'wallet',
    'credentials',
    'webhooks',
    'events',
    'people',
    'audit',
    'settings',
  ],
  ['forms'],
  ['ui', 'charts'],
  ['api'],
  ['format'],
];

/** The same inside a feature with subfolders. `*` stands for the files directly in it that are not listed here. */
export const INNER_RANKS: Readonly<Record<string, Ranks>> = {
  'credit-reports': [
    ['open-credit-reports.ts'],
    ['routes.ts', 'jobs.ts', 'queue.ts'],
    ['generate-report.ts', 'submit-otp.ts', 'resend-sms.ts', 'quoting', 'reading', 'retention'],
    ['modes.ts'],
    ['sandbox'],
    ['challenge'],
    ['live'],
    ['messages'],
    ['answer.ts', 'transaction-steps.ts'],
    ['seal-report.ts'],
    ['store.ts', 'report-metrics.ts', 'failpoints.ts', 'provenance'],
    ['rules'],
  ],
  documents: [
    ['open-documents.ts'],
    ['routes.ts'],
    ['read-document.ts', 'read-statement-document.ts', 'paint-subject.ts'],
    ['painter.ts', 'repaint.ts'],
    ['painter.worker.ts'],
    ['html', 'pdf'],
    ['sample.ts', 'qr-code.ts', 'document-metrics.ts'],
    ['view'],
  ],
  evidence: [
    ['open-evidence.ts'],
    ['routes.ts', 'jobs.ts', 'pages'],
    ['issue-evidence.ts', 'find-evidence.ts'],
    ['store.ts'],
    ['evidence-keys.ts', 'evidence-files.ts'],
    ['verification'],
    ['rules'],
  ],
  identity: [
    ['open-identity.ts'],
    ['routes.ts'],
    ['pages'],
    ['sign-in'],
    ['provider', 'factors'],
    ['apps', 'first-factor'],
    ['people'],
    ['credentials', 'sessions', 'page-kit'],
    ['rules'],
  ],
  merge: [
    ['explain-report.ts'],
    ['merge-report.ts', 'build-provenance.ts'],
    ['*'],
    ['golden-record.ts'],
    ['matching', 'addresses'],
    ['merge-order.ts', 'bureau-order.ts', 'spelling.ts'],
  ],
};

/** Only types: every file of its feature may import it, and it may import types from every subfolder. */
export const TYPES_ALONE = /\/dependencies\.ts$/;

/** Every file of such a feature is a rule: pure, whatever the name of its folder. */
export const PURE_FEATURES: readonly string[] = ['merge'];

/** The same for one subfolder of a feature. */
export const PURE_ROOMS: readonly string[] = ['documents/view'];

/** The feature that writes a table; other features ask it. */
export const OWNERS: Readonly<Record<string, string>> = {
  tenants: 'tenants',
  memberships: 'tenants',
  invitations: 'tenants',
  roles: 'identity',
  users: 'identity',
  credentials: 'identity',
  credential_secrets: 'identity',
  user_passwords: 'identity',
  user_totps: 'identity',
  user_recovery_codes: 'identity',
  user_passkeys: 'identity',
  user_guesses: 'identity',
  sign_ins: 'identity',
  oauth_apps: 'identity',
  password_resets: 'identity',
  factor_links: 'identity',
  oidc_payloads: 'identity',
  wallets: 'wallet',
  holds: 'wallet',
  ledger_txs: 'wallet',
  ledger_entries: 'wallet',
  list_prices: 'wallet',
  tenant_prices: 'wallet',
  wallet_days: 'wallet',
  wallet_rollups: 'wallet',
  test_wallets: 'wallet',
  test_wallet_lines: 'wallet',
  usage_days: 'usage',
  usage_place: 'usage',
  bureau_slots: 'usage',
  evidences: 'evidence',
  credit_reports: 'credit-reports',
  data_keys: 'credit-reports',
  working_keys: 'keys',
  challenges: 'credit-reports',
  device_sessions: 'credit-reports',
  sms_sends: 'credit-reports',
  sms_receipts: 'credit-reports',
  mobile_uses: 'credit-reports',
  tenant_mobile_uses: 'credit-reports',
  sweepers: 'credit-reports',
  report_tallies: 'credit-reports',
  idempotency_keys: 'idempotency',
  outbox: 'events',
  event_names: 'events',
  event_marks: 'events',
  event_marking: 'events',
  audit_log: 'audit',
  audit_heads: 'audit',
  mail_notices: 'mail',
  mails: 'mail',
  sightings: 'screening',
  webhook_endpoints: 'webhooks',
  webhook_deliveries: 'webhooks',
  webhook_attempts: 'webhooks',
  webhook_fanout: 'webhooks',
  webhook_hosts: 'webhooks',
  webhook_uses: 'webhooks',
  webhook_turns: 'webhooks',
  hash_rings: 'lib',
  job_marks: 'lib',
  subject_hashes: 'subjects',
  subject_marks: 'subjects',
  erasures: 'subjects',
};

type Exception = { readonly feature: string; readonly tables: readonly string[]; readonly because: string };

/** Where a feature reads or writes rows that it does not own, and why asking the owner would be worse. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    feature: 'reconciliation',
    tables: [
      'wallets',
      'holds',
      'ledger_txs',
      'ledger_entries',
      'wallet_days',
      'wallet_rollups',
      'usage_days',
      'usage_place',
      'outbox',
      'credit_reports',
      'challenges',
      'sms_sends',
      'tenants',
    ],
    because: 'it holds the tables of several features against each other, in one snapshot',
  },
  {
    feature: 'identity',
    tables: ['tenants', 'memberships'],
    because: 'whether a token may act is one look-up on the way of every request: a join, not three questions',
  },
  {
    feature: 'tenants',
    tables: ['users', 'user_passkeys', 'credentials', 'credential_secrets'],
    because:
      'a member is listed with the person behind them, and what they made ends in the transaction that removes them',
  },
  {
    feature: 'credit-reports',
    tables: ['tenants', 'holds', 'ledger_txs', 'ledger_entries'],
    because:
      'each tenant sets its own retention, which the purge joins; a lease is renewed on its hold; a page of reports says what each costs',
  },
  {
    feature: 'wallet',
    tables: ['tenants'],
    because: 'the threshold of a low wallet is the tenant’s setting, and the statement that locks the wallet reads it',
  },
  {
    feature: 'usage',
    tables: ['outbox', 'credit_reports', 'holds', 'sms_sends'],
    because: 'it counts what became of rows of several features, in one statement: a busy day would otherwise travel',
  },
  {
    feature: 'webhooks',
    tables: ['tenants'],
    because: 'a claim must find what is due for enabled tenants alone, in the statement that locks it',
  },
  { feature: 'audit', tables: ['tenants'], because: 'the verifier walks the chain of every tenant there is' },
];
