// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts to replace are parts of templates.
// The planted breakages, as data: small mistakes that a developer could make, each breaking one promise of the interface.
// `breaks` uses the words of the list that must be covered (breakages.test.ts); no breakage may touch the kit itself.

export type Edit = {
  readonly file: string;
  /** Must occur exactly once in the file, so that the intended place is edited. */
  readonly find: string;
  readonly replace: string;
};

export type Breakage = {
  readonly id: string;
  readonly breaks: string;
  readonly sentence: string;
  /** Rows about this promise. One of them must fail: a row that fails for another reason proves nothing. */
  readonly rows: RegExp;
  /** Visible only after waiting out the five minutes. */
  readonly isSlow?: true;
  readonly edits: readonly Edit[];
};

const REPORTS = 'server/src/credit-reports';
const RULES = `${REPORTS}/rules/challenge.ts`;
const STORE = `${REPORTS}/store.ts`;
const VERDICT = `${REPORTS}/challenge/apply-verdict.ts`;
const ANSWER = `${REPORTS}/answer.ts`;
const GENERATE = `${REPORTS}/sandbox/generate-in-sandbox.ts`;
const SCENARIO = `${REPORTS}/sandbox/rules/scenario.ts`;
const REQUESTS = 'contract/src/requests.ts';
const MIGRATION = 'server/migrations/0001_foundation.sql';

/** The database would refuse a fourth one by itself; the kit must notice without its help. */
const allowInDatabase = (column: string, range: string, wider: string): Edit => ({
  file: MIGRATION,
  find: `check (${column} between ${range})`,
  replace: `check (${column} between ${wider})`,
});

const challengeRows: readonly Breakage[] = [
  {
    id: 'attempts-one-more',
    breaks: 'attempts off by one',
    sentence: 'Four codes may be tried instead of three.',
    rows: /^otp\/third-wrong-fails$/,
    edits: [
      { file: RULES, find: 'export const ATTEMPTS_MAX = 3;', replace: 'export const ATTEMPTS_MAX = 4;' },
      allowInDatabase('attempts_used', '0 and 3', '0 and 4'),
    ],
  },
  {
    id: 'attempts-one-less',
    breaks: 'attempts off by one',
    sentence: 'Only two codes may be tried.',
    rows: /^otp\/third-wrong-fails$/,
    edits: [{ file: RULES, find: 'export const ATTEMPTS_MAX = 3;', replace: 'export const ATTEMPTS_MAX = 2;' }],
  },
  {
    id: 'attempts-reset-by-resend',
    breaks: 'attempts reset by resend',
    sentence: 'A new message gives the used attempts back.',
    rows: /^otp\/resend-keeps-attempts$/,
    edits: [
      {
        file: STORE,
        find: 'set sms_sent_count = ${smsSentCount}, last_sent_at',
        replace: 'set attempts_used = 0, sms_sent_count = ${smsSentCount}, last_sent_at',
      },
    ],
  },
  {
    id: 'sends-one-more',
    breaks: 'sends off by one',
    sentence: 'Four messages are sent instead of three.',
    rows: /^resend\/(counts|limit)$/,
    edits: [
      { file: RULES, find: 'export const SENDS_MAX = 3;', replace: 'export const SENDS_MAX = 4;' },
      allowInDatabase('sms_sent_count', '1 and 3', '1 and 4'),
    ],
  },
  {
    id: 'sends-one-less',
    breaks: 'sends off by one',
    sentence: 'Only two messages are sent.',
    rows: /^resend\/(counts|limit)$/,
    edits: [{ file: RULES, find: 'export const SENDS_MAX = 3;', replace: 'export const SENDS_MAX = 2;' }],
  },
  {
    id: 'resend-keeps-expiry',
    breaks: 'resend does not move the expiry',
    sentence: 'A new message does not start the five minutes again.',
    rows: /^slow\/resend-extends$/,
    isSlow: true,
    edits: [
      {
        file: STORE,
        find: 'set sms_sent_count = ${smsSentCount}, last_sent_at = clock_timestamp()',
        replace: 'set sms_sent_count = ${smsSentCount}',
      },
    ],
  },
  {
    id: 'expiry-not-checked',
    breaks: 'expiry not checked',
    sentence: 'A challenge never expires.',
    rows: /^slow\/.*expire/,
    isSlow: true,
    edits: [{ file: RULES, find: 'return challenge.sinceLastSendUs > LIFETIME_US;', replace: 'return false;' }],
  },
  {
    id: 'expiry-not-checked-on-resend',
    breaks: 'expiry not checked',
    sentence: 'A new message revives an expired challenge.',
    rows: /^slow\/expired-resend$/,
    isSlow: true,
    edits: [
      {
        file: RULES,
        find: "if (isExpired(challenge)) return { kind: 'expired' };\n  if (challenge.smsSentCount",
        replace: 'if (challenge.smsSentCount',
      },
    ],
  },
  {
    id: 'fourth-code-judged',
    breaks: 'wrong code after the third judged',
    sentence: 'Codes are still examined after the challenge has failed.',
    rows: /^otp\/failed-|^otp\/parallel-wrong$/,
    edits: [
      { file: RULES, find: "if (challenge.status === 'failed') return { kind: 'failed-before' };", replace: '' },
      allowInDatabase('attempts_used', '0 and 3', '0 and 1000'),
    ],
  },
];

const boundaryRows: readonly Breakage[] = [
  {
    id: 'challenge-of-another-report',
    breaks: 'challenge of another report accepted',
    sentence: 'A challenge is looked up without its report.',
    rows: /challenge-of-another-report$|^resend\/refusal-uses-nothing$/,
    edits: [
      {
        file: STORE,
        find: 'where tenant_id = ${tenantId} and credit_report_id = ${creditReportId} and id = ${challengeId}',
        replace: 'where tenant_id = ${tenantId} and id = ${challengeId}',
      },
    ],
  },
  {
    id: 'other-tenants-report',
    breaks: "other tenant's report found",
    sentence: 'A report is looked up by its id alone, and row-level security was forgotten for its tables.',
    rows: /other-tenants-report$/,
    edits: [
      {
        file: STORE,
        find: 'status, failure from credit_reports\n     where tenant_id = ${tenantId} and id =',
        replace: 'status, failure, tenant_id as "tenantId" from credit_reports\n     where id =',
      },
      {
        file: `${REPORTS}/challenge/lock-challenge.ts`,
        find: "if (!report || (isTestOnly && !report.isTest)) throw new ServiceError('credit-report-not-found');",
        replace:
          "if (!report || (isTestOnly && !report.isTest)) throw new ServiceError('credit-report-not-found');\n  tenantId = report.tenantId;",
      },
      {
        file: 'server/migrations/0002_live_reports_and_money.sql',
        find: 'grant delete on sms_receipts to trefoil_system;',
        replace: ['credit_reports', 'data_keys', 'challenges']
          .map((table) => `alter table ${table} disable row level security;`)
          .join('\n'),
      },
    ],
  },
  {
    id: 'key-with-another-body',
    breaks: 'replay of an idempotency key with another body accepted',
    sentence: 'An idempotency key gives its first answer to any request.',
    rows: /^idempotency\/other-/,
    edits: [
      {
        file: 'server/src/idempotency/answer-once.ts',
        find: "if (!asked?.fingerprint.equals(kept.fingerprint)) throw new ServiceError('idempotency-key-reused');",
        replace: '',
      },
    ],
  },
];

const answerRows: readonly Breakage[] = [
  {
    id: 'coverage-lost-on-reading',
    breaks: 'coverage lost when a report is read',
    sentence: 'A report that is read again does not say how far its person was found.',
    rows: /^coverage\//,
    edits: [{ file: ANSWER, find: '...reportFields(opened), ...facts', replace: '...facts' }],
  },
  {
    id: 'challenge-type-on-submit',
    breaks: '`challengeType` on OTP submit',
    sentence: 'A report completed by a code says challengeType, as generate does.',
    rows: /^outcome\/submit-complete$/,
    edits: [
      {
        file: ANSWER,
        find: "return { status: 'complete', creditReportId };",
        replace: "return { status: 'complete', challengeType: 'otp', creditReportId } as never;",
      },
    ],
  },
  {
    id: 'wallet-on-resend',
    breaks: 'wallet on resend',
    sentence: 'A resend shows the wallet in meta.',
    rows: /^envelope\/resend$/,
    edits: [
      {
        file: `${REPORTS}/resend-sms.ts`,
        find: 'const reference = { data:',
        replace: 'const reference = { wallet: { balance: 0, cost: 0 }, data:',
      },
    ],
  },
  ...(
    [
      ['generate', GENERATE, /^envelope\/(complete|challenge|blocked)$/],
      ['submit', VERDICT, /^envelope\/submit-/],
    ] as const
  ).map(
    ([operation, file, rows]): Breakage => ({
      id: `cost-of-${operation}`,
      breaks: 'cost not 0',
      sentence: `In test mode ${operation} says that it cost something.`,
      rows,
      edits: [{ file, find: 'cost: 0 }', replace: 'cost: 10 }' }],
    }),
  ),
  {
    id: 'blocked-as-error',
    breaks: 'blocked as an HTTP error',
    sentence: 'A blocked consumer is answered with 403.',
    rows: /^outcome\/blocked$/,
    edits: [{ file: GENERATE, find: "return { kind: 'blocked' };", replace: "throw new ServiceError('forbidden');" }],
  },
  {
    id: 'error-enveloped',
    breaks: 'error body enveloped',
    sentence: 'An error stands in the envelope of the outcomes.',
    rows: /^envelope\/error-bare$/,
    edits: [
      {
        file: 'server/src/http/errors.ts',
        find: '.send(errorBody(refusal, { requestId: request.id, baseUrl, begun: request.scope?.begun }))',
        replace:
          '.send({ meta: { request: { timeTakenMs: 1 } }, data: errorBody(refusal, { requestId: request.id, baseUrl }) })',
      },
    ],
  },
];

const requestRows: readonly Breakage[] = [
  {
    id: 'prefix-case-sensitive',
    breaks: 'e-mail prefix case-sensitive',
    sentence: 'TeSt002@ does not select the scenario of test002@.',
    rows: /^scenario\/prefix\/(mixed|upper)-case$/,
    edits: [{ file: SCENARIO, find: '.slice(0, at).toLowerCase()', replace: '.slice(0, at)' }],
  },
  {
    id: 'domain-not-ignored',
    breaks: 'domain not ignored',
    sentence: 'Only addresses at example.com select a scenario.',
    rows: /^scenario\/prefix\/(other-domain|subdomain)$/,
    edits: [
      {
        file: SCENARIO,
        find: '|| at < 0)',
        replace: "|| at < 0 || email.slice(at).toLowerCase() !== '@example.com')",
      },
    ],
  },
  {
    id: 'premises-rule-dropped',
    breaks: 'premises rule dropped',
    sentence: 'An address needs neither a building name nor a number nor a sub-building.',
    rows: /^address\/premises-/,
    edits: [
      {
        file: REQUESTS,
        find: "anyOf: [{ required: ['subBuildingName'] }, { required: ['buildingName'] }, { required: ['buildingNumber'] }],",
        replace: '',
      },
    ],
  },
  {
    id: 'options-outside-test-mode',
    breaks: '`challengeOptions` accepted outside test mode',
    sentence: 'A live request may carry challengeOptions.',
    rows: /options-(block-)?outside-test$/,
    edits: [
      {
        file: REQUESTS,
        find: "challengeOptions: {\n        properties: { test: { const: true } },\n        required: ['test'],",
        replace: 'challengeOptions: {',
      },
    ],
  },
  {
    id: 'options-without-test',
    breaks: '`challengeOptions` accepted outside test mode',
    sentence: 'A request that says nothing of test mode may carry challengeOptions.',
    rows: /options-test-absent$/,
    edits: [
      {
        file: REQUESTS,
        find: "required: ['test'],\n        'x-message': 'challengeOptions",
        replace: "'x-message': 'challengeOptions",
      },
    ],
  },
];

export const BREAKAGES: readonly Breakage[] = [...challengeRows, ...boundaryRows, ...answerRows, ...requestRows];
