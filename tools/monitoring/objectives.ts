// The service-level objectives, and the rules that say how fast their error budgets are used up. From this file come
// deploy/prometheus/trefoil-objectives.yml and the panels of the overview. Decision: docs/decisions/0249-objectives-and-alerts.md.

export type Objective = {
  readonly name: string;
  readonly alert: string;
  readonly summary: string;
  /** The section of the runbook. */
  readonly section: string;
  /** The share that must be good over thirty days. */
  readonly target: number;
  /** The share that was bad over a window, as PromQL. */
  readonly bad: (window: string) => string;
};

/** One alert of an objective: both windows must burn this many times faster than the budget lasts thirty days. */
export type Burn = {
  readonly name: 'fast' | 'medium' | 'slow';
  readonly factor: number;
  readonly long: string;
  /** Shorter, so that the alert ends soon after its cause. */
  readonly short: string;
  readonly severity: 'page' | 'ticket';
};

export const BURNS: readonly Burn[] = [
  { name: 'fast', factor: 14.4, long: '1h', short: '5m', severity: 'page' },
  { name: 'medium', factor: 6, long: '6h', short: '30m', severity: 'page' },
  { name: 'slow', factor: 1, long: '3d', short: '6h', severity: 'ticket' },
];

export const WINDOWS: readonly string[] = ['5m', '30m', '1h', '6h', '3d'];

/** Where the documentation site of an installation has the runbook; operators replace the host. */
export const RUNBOOK_URL = 'https://api.example.com/docs/runbook';

const GENERATE = 'route="/:tenantId/v1/credit-reports",method="POST"';
const REQUESTS = 'trefoil_http_request_duration_seconds_count';
const OWN = 'trefoil_report_own_seconds';
const SUBMITS = 'trefoil_sms_submits_total';

export const OBJECTIVES: readonly Objective[] = [
  {
    name: 'generate-availability',
    alert: 'TrefoilGenerateUnavailable',
    summary: 'Requests for reports get 5xx, faster than the objective of 99.9 % allows',
    section: 'five-queries',
    target: 0.999,
    bad: (window) =>
      `(sum(rate(${REQUESTS}{${GENERATE},status=~"5.."}[${window}])) or vector(0)) / sum(rate(${REQUESTS}{${GENERATE},status!~"4.."}[${window}]))`,
  },
  {
    name: 'own-time',
    alert: 'TrefoilOwnTimeSlow',
    summary: 'Live reports take more than 0.25 s of our own time, more often than the objective of 99 % allows',
    section: 'the-database-is-down',
    target: 0.99,
    bad: (window) => `1 - sum(rate(${OWN}_bucket{le="0.25"}[${window}])) / sum(rate(${OWN}_count[${window}]))`,
  },
  {
    name: 'settlement',
    alert: 'TrefoilSettlementLate',
    summary: 'Interrupted work waits for more than a minute, longer than the objective of 99.9 % of the time allows',
    section: 'reports-are-stuck',
    target: 0.999,
    bad: (window) => `avg_over_time(trefoil:settlement:late[${window}])`,
  },
  {
    name: 'webhook-delivery',
    alert: 'TrefoilWebhooksBehind',
    summary: 'Webhooks wait for more than a minute, longer than the objective of 99.5 % of the time allows',
    section: 'webhooks-are-late',
    target: 0.995,
    bad: (window) => `avg_over_time(trefoil:webhooks:late[${window}])`,
  },
  {
    name: 'message-delivery',
    alert: 'TrefoilMessagesNotAccepted',
    summary: 'The carrier does not accept messages, more often than the objective of 99 % allows',
    section: 'the-carrier-is-down',
    target: 0.99,
    bad: (window) => `sum(rate(${SUBMITS}{outcome=~"refused|unknown"}[${window}])) / sum(rate(${SUBMITS}[${window}]))`,
  },
];

const runsOf = (name: string) => `sum(increase(trefoil_job_runs_total{name="${name}",outcome="done"}[2m]))`;

/** Looked at by a job: a gauge keeps its last value when nobody measures any more, so that counts as late. */
const unmeasured = {
  // Test mode alone has no such job; where live reports are screened, a process must have it.
  settlement: `((${runsOf('watch-settlement')} == bool 0) or (sum(trefoil_screenings_total) > bool 0))`,
  webhooks: `((${runsOf('watch-webhooks')} or vector(0)) == bool 0)`,
};
/** A Prometheus that has just begun has seen no job run. */
const seenForAWhile = 'and on() sum(up{job="trefoil"} offset 2m)';

/** For objectives that are about time: 1 while something is late, else 0. */
const LATE = [
  [
    'trefoil:settlement:late',
    `((max(trefoil_unsettled_seconds) > bool 60) + ${unmeasured.settlement}) > bool 0 ${seenForAWhile}`,
  ],
  [
    'trefoil:webhooks:late',
    `((max(trefoil_webhooks_oldest_seconds) > bool 60) + (max(trefoil_webhooks_not_handed_out_seconds) > bool 60) + ${unmeasured.webhooks}) > bool 0 ${seenForAWhile}`,
  ],
] as const;

const recordOf = (window: string) => `trefoil:bad:ratio_${window}`;

/** The share of bad at which this alert fires. */
export function thresholdOf({ target }: Objective, { factor }: Burn): number {
  return Number((factor * (1 - target)).toPrecision(6));
}

function alertOf(objective: Objective, burn: Burn): string[] {
  const burns = (window: string) =>
    `${recordOf(window)}{objective="${objective.name}"} > ${thresholdOf(objective, burn)}`;
  return [
    `      - alert: ${objective.alert}`,
    `        expr: ${burns(burn.long)} and ${burns(burn.short)}`,
    `        labels: { severity: ${burn.severity}, burn: ${burn.name} }`,
    '        annotations:',
    `          summary: ${objective.summary}`,
    `          runbook_url: ${RUNBOOK_URL}#${objective.section}`,
  ];
}

function groupOf(objective: Objective): string[] {
  return [
    `  - name: trefoil-objective-${objective.name}`,
    '    rules:',
    ...WINDOWS.flatMap((window) => [
      `      - record: ${recordOf(window)}`,
      `        expr: ${objective.bad(window)}`,
      `        labels: { objective: ${objective.name} }`,
    ]),
    ...BURNS.flatMap((burn) => alertOf(objective, burn)),
  ];
}

/** The text of deploy/prometheus/trefoil-objectives.yml. */
export function objectiveRules(): string {
  return [
    '# Made by `npm run dashboards` from tools/monitoring/objectives.ts. Do not edit it, except for the host of the links.',
    '# The objectives and their figures: docs/operate/monitoring.md.',
    'groups:',
    '  - name: trefoil-late',
    '    rules:',
    ...LATE.flatMap(([record, expr]) => [`      - record: ${record}`, `        expr: ${expr}`]),
    ...OBJECTIVES.flatMap(groupOf),
    '',
  ].join('\n');
}
