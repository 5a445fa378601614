// What a company used: credits by day, outcomes of reports, and codes (docs/decisions/0234-usage.md). Live and test apart.
import { type Static, Type } from 'typebox';
import { unmetered } from './envelope.ts';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { limit } from './queries.ts';
import { Instant, oneOf, orNull, Uuid } from './schema.ts';
import { BUREAUS } from './vocabulary.ts';

export const USAGE_DAYS_DEFAULT = 30;
export const USAGE_DAYS_MAX = 90;

export const UsageQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: USAGE_DAYS_MAX,
      default: USAGE_DAYS_DEFAULT,
      description: 'How many days of London, today included.',
    }),
  ),
  test: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'True: test mode instead of live mode. What the test wallet spends is not counted.',
    }),
  ),
});

const spent = {
  reports: Type.Integer({
    description:
      'Credits: charges of reports less refunds, each on the day it was posted. Negative if refunds prevail.',
  }),
  messages: Type.Integer({ minimum: 0, description: 'Credits: charges of messages.' }),
};
const Spent = Type.Object(spent);
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const UsageDay = Type.Object({
  day: Type.String({ format: 'date', description: 'A day in London, as YYYY-MM-DD.' }),
  ...spent,
});

export const UsageResponse = unmetered(
  Type.Object({
    test: Type.Boolean(),
    days: Type.Array(UsageDay, { description: 'Every day of the period, oldest first; today is the last.' }),
    spent: Type.Object(Spent.properties, { description: 'The whole period.' }),
    previous: Type.Object(Spent.properties, { description: 'The period of the same length before it.' }),
    last7DaysCredits: Type.Integer({ description: 'Reports and messages of the last seven days, today included.' }),
    outcomes: Type.Object(
      {
        complete: count('Reports that were completed.'),
        blocked: count('Refused by screening.'),
        failed: count('No report, for another reason.'),
        expired: count('No right code within five minutes.'),
      },
      { description: 'What became of reports, each on the day it ended.' },
    ),
    commonestFailure: orNull(
      Type.Object({
        reason: Type.String({ description: 'Such as `no-bureau-answered` or `expired`. New reasons may be added.' }),
        count: count('How often.'),
      }),
      { description: 'The commonest reason among `failed` and `expired`; null without one.' },
    ),
    codes: Type.Object(
      {
        sent: count('Messages with a code.'),
        delivered: count('Of these: delivered.'),
        undelivered: count('Not delivered, or the carrier did not say.'),
        verified: count('Right codes.'),
        medianSeconds: orNull(Type.Integer({ minimum: 0 }), {
          description: 'Half of the right codes came within this time after the first message; null without one.',
        }),
      },
      { description: 'Messages and codes, each on the day it happened.' },
    ),
  }),
);

export const BUREAU_STATES = ['answering', 'unsteady', 'failing', 'not-asked'] as const;
export type BureauState = (typeof BUREAU_STATES)[number];

export const BureauHealth = Type.Object({
  bureau: oneOf(BUREAUS, { description: 'The bureau.' }),
  state: oneOf(BUREAU_STATES, {
    description:
      'In the latest half hour in which your reports asked it: `answering` from nine of ten answers, `failing` below half, ' +
      '`unsteady` between. `not-asked`: not in the last day.',
  }),
  since: orNull(Instant('The half hour with which this state began.'), { description: 'Null where it was not asked.' }),
  answeredShare: orNull(Type.Number({ minimum: 0, maximum: 1 }), {
    description: 'Share of the last day’s enquiries that were answered; null without any. No trace is an answer.',
  }),
  slots: Type.Array(
    Type.Object({
      startsAt: Instant('When the half hour began.'),
      asked: count('How many of your reports asked it.'),
      answered: count('How many of them got an answer.'),
    }),
    { description: 'The last 48 half hours, oldest first, the current one included.' },
  ),
});

export const BureausResponse = unmetered(Type.Object({ items: Type.Array(BureauHealth) }));

export const ActivityQuery = Type.Object({
  limit,
  test: Type.Optional(Type.Boolean({ default: false, description: 'True: test mode instead of live mode.' })),
});

export const ActivityItem = Type.Object({
  id: Type.String({ description: 'Identifies the item: `evt_…` is the event with this id.' }),
  kind: Type.String({
    description:
      'A type of event, such as `credit-report.completed`, or an action of the audit log, such as `member.joined`.',
  }),
  occurredAt: Instant('When it happened.'),
  creditReportId: orNull(Uuid('The report.'), { description: 'Null where it is about none.' }),
  subjectId: orNull(Uuid('The member, credential, webhook endpoint or company.'), {
    description: 'For an action of the audit log; null for an event.',
  }),
  actor: orNull(Type.String(), { description: 'Who did it, for an action of the audit log; null for an event.' }),
  amount: orNull(Type.Integer(), { description: 'Credits, where the wallet moved; null otherwise.' }),
});

export const ActivityResponse = unmetered(
  Type.Object({ items: Type.Array(ActivityItem, { description: 'Newest first.' }) }),
);

export type BureausData = Static<typeof BureausResponse>['data'];
export type ActivityQuery = Static<typeof ActivityQuery>;
export type ActivityItem = Static<typeof ActivityItem>;
export type ActivityData = Static<typeof ActivityResponse>['data'];
export type UsageQuery = Static<typeof UsageQuery>;
export type UsageData = Static<typeof UsageResponse>['data'];

const usageExamples: Examples = {
  usage: {
    summary: 'Two days',
    value: {
      meta: { request: { timeTakenMs: 6 } },
      data: {
        test: false,
        days: [
          { day: '2026-03-01', reports: 6000, messages: 80 },
          { day: '2026-03-02', reports: 2000, messages: 40 },
        ],
        spent: { reports: 8000, messages: 120 },
        previous: { reports: 4000, messages: 0 },
        last7DaysCredits: 16120,
        outcomes: { complete: 4, blocked: 0, failed: 1, expired: 0 },
        commonestFailure: { reason: 'no-bureau-answered', count: 1 },
        codes: { sent: 3, delivered: 3, undelivered: 0, verified: 2, medianSeconds: 21 },
      },
    },
  },
};

const bureauExamples: Examples = {
  bureaus: {
    summary: 'One bureau, and two of its 48 half hours',
    value: {
      meta: { request: { timeTakenMs: 6 } },
      data: {
        items: [
          {
            bureau: 'equifax',
            state: 'answering',
            since: '2026-03-02T09:30:00.000Z',
            answeredShare: 0.96,
            slots: [
              { startsAt: '2026-03-02T09:30:00.000Z', asked: 14, answered: 13 },
              { startsAt: '2026-03-02T10:00:00.000Z', asked: 11, answered: 11 },
            ],
          },
        ],
      },
    },
  },
};

const activityExamples: Examples = {
  activity: {
    summary: 'A report and a new member',
    value: {
      meta: { request: { timeTakenMs: 6 } },
      data: {
        items: [
          {
            ...{ id: 'evt_94d049bb133111eb', kind: 'credit-report.completed', occurredAt: '2026-03-02T10:15:00.123Z' },
            ...{ creditReportId: '01998a3e-7c10-7b11-8c22-3d4e5f607182', subjectId: null, actor: null, amount: null },
          },
          {
            ...{ id: 'audit-87', kind: 'member.joined', occurredAt: '2026-03-02T09:40:00.000Z', creditReportId: null },
            ...{ subjectId: '01998a00-0000-7000-8000-0000000000ab', actor: '01998a00-0000-7000-8000-0000000000ab' },
            amount: null,
          },
        ],
      },
    },
  },
};

export const usageOperations = {
  getBureaus: {
    method: 'GET',
    path: '/:tenantId/v1/bureaus',
    tag: 'Usage',
    summary: 'See how the bureaus answer',
    description:
      'How each bureau answered the live reports of your company in the last day, by half hours. The figures follow within seconds. ' +
      'They say nothing about other companies.',
    scope: 'reports:read',
    idempotent: false,
    response: BureausResponse,
    responseExamples: bureauExamples,
    errors: [],
  },
  listActivity: {
    method: 'GET',
    path: '/:tenantId/v1/activity',
    tag: 'Usage',
    summary: 'List what happened last',
    description:
      'The latest outcomes of reports, top-ups and a low wallet (with the scope `wallet:read`), and changes by people (with the scope ' +
      '`audit:read`), newest first, without anything about a consumer. For everything that happened, read the events and the audit log.',
    scope: 'reports:read',
    idempotent: false,
    query: ActivityQuery,
    response: ActivityResponse,
    responseExamples: activityExamples,
    errors: [],
  },
  getUsage: {
    method: 'GET',
    path: '/:tenantId/v1/usage',
    tag: 'Usage',
    summary: 'Read the usage',
    description:
      'What the company spent on each day, what became of its reports, and how codes arrived. Credits are exact to the ' +
      'statement at this moment. Outcomes and codes are counted from events and follow within seconds. Days are those of London. ' +
      '503 with Retry-After as for the months of the wallet.',
    scope: 'wallet:read',
    idempotent: false,
    query: UsageQuery,
    response: UsageResponse,
    responseExamples: usageExamples,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
