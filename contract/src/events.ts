// Events: what happened to a tenant's reports, challenges and wallet, in the order of the commits
// (docs/decisions/0198-events-in-commit-order.md). Ids, statuses, credits, and the reference that the company gave.
import { type Static, Type } from 'typebox';
import { unmetered } from './envelope.ts';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { limit, moment } from './queries.ts';
import { failureReason } from './responses.ts';
import { GivenId, Instant, oneOf, orNull, Uuid } from './schema.ts';
import { REPORT_STATUSES } from './vocabulary.ts';

/** More may be added; a reader ignores types that it does not know. */
export const EVENT_TYPES = [
  'credit-report.completed',
  'credit-report.challenged',
  'credit-report.blocked',
  'credit-report.failed',
  'credit-report.expired',
  'challenge.sent',
  'challenge.delivered',
  'challenge.undelivered',
  'challenge.verified',
  'wallet.charged',
  'wallet.refunded',
  'wallet.topped-up',
  'wallet.adjusted',
  'wallet.low',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EventData = Type.Object(
  {
    creditReportId: Type.Optional(Uuid('The report.')),
    challengeId: Type.Optional(Uuid('The challenge of the report.')),
    messageId: Type.Optional(
      Uuid(
        'The message. `wallet.charged` has it where a message was charged. In test mode only of reports with ' +
          '`testOptions.charges`; no such message was sent.',
      ),
    ),
    status: Type.Optional(oneOf(REPORT_STATUSES, { description: 'The status of the report after the event.' })),
    failureReason: Type.Optional(
      orNull(failureReason, {
        description: 'Why it failed, for programs. Null where no reason was kept. New reasons may be added.',
      }),
    ),
    externalReference: Type.Optional(
      Type.String({
        description:
          'The reference that the report was generated with, in the feed. Absent if there was none, once the report is erased, for ' +
          'readers without `reports:read`, and in webhooks.',
      }),
    ),
    cost: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'What the report costs after the event, in credits, refunds deducted and messages not included. 0 in test mode ' +
          'without `testOptions.charges`.',
      }),
    ),
    amount: Type.Optional(
      Type.Integer({
        description: 'The effect on the wallet in credits, as in the statement; in test mode on the test wallet.',
      }),
    ),
    balance: Type.Optional(Type.Integer({ description: 'The balance, in credits.' })),
    threshold: Type.Optional(
      Type.Integer({ description: 'The threshold of the tenant that the balance fell below, in credits.' }),
    ),
  },
  { description: 'Ids, status, credits and your reference. Read the report for everything else.' },
);

export const Event = Type.Object({
  id: Type.String({
    pattern: '^evt_[0-9a-f]{16}$',
    description: 'Identifies the event: if you receive an id again, it is the same event.',
  }),
  type: oneOf(EVENT_TYPES, { description: 'What happened. New types may be added: ignore those you do not know.' }),
  createdAt: Instant('When it happened. Events of the same moment are common: compare `sequence`.'),
  sequence: Type.Integer({
    minimum: 1,
    description:
      'Of two events of a company, the later one has the higher sequence: it rises in the order of the feed, over live and test ' +
      'mode, and never changes. A reader with filters sees gaps.',
  }),
  tenantId: Uuid('The tenant.'),
  test: Type.Boolean({ description: 'True for an event of test mode.' }),
  data: EventData,
});

export type Event = Static<typeof Event>;
export type EventData = Static<typeof EventData>;

/** As many seconds as a request may take. */
export const WAIT_MAX = 20;

/** Instead of a cursor: after the last event that can be read now. No written cursor looks like it. */
export const END_CURSOR = 'end';

export const EventsQuery = Type.Object({
  limit,
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        '`nextCursor` of the previous page. Without it the page begins with the oldest event that is kept. Keep the other ' +
        `filters. \`${END_CURSOR}\`: begin after the last event that there is now.`,
    }),
  ),
  order: Type.Optional(
    oneOf(['oldest', 'newest'] as const, {
      description:
        '`oldest`, or left out: the oldest event first, for a program that must miss none. `newest`: the newest first, and ' +
        '`nextCursor` continues with older ones; `hasMore` false: there are none. It takes no `wait`.',
    }),
  ),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description:
        'Only these types: one, or several with commas, such as `credit-report.completed,wallet.low`. A part before the ' +
        'dot, such as `challenge`, stands for all its types.',
    }),
  ),
  creditReportId: Type.Optional(GivenId('Only events of this report.')),
  from: moment('At or after: a date (midnight UTC) or an instant with its offset. Write + as %2B.'),
  to: moment('Before: a date (midnight UTC) or an instant with its offset.'),
  test: Type.Optional(Type.Boolean({ description: 'Only events of test mode (true), or only live events (false).' })),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: WAIT_MAX,
      description:
        'If there is no event yet, wait up to this many seconds for one. The answer may come earlier, also without an event: ' +
        'then ask again with its `nextCursor`.',
    }),
  ),
});

export const EventsResponse = unmetered(
  Type.Object({
    items: Type.Array(Event),
    nextCursor: Type.String({
      description: 'Send it as `cursor` for the events after these. It is never null, and it does not expire.',
    }),
    hasMore: Type.Boolean({
      description:
        'True: more events may be there already, so ask again at once. False: this was the last page for now.',
    }),
  }),
);

export const EventResponse = unmetered(Event);

export type EventsQuery = Static<typeof EventsQuery>;
export type EventsPage = Static<typeof EventsResponse>['data'];

const tenantId = '01997c2e-5a10-7bd3-9c4e-2f60d81b7a35';
const creditReportId = '01998a3e-7c10-7b11-8c22-3d4e5f607182';
const completed = {
  id: 'evt_94d049bb133111eb',
  type: 'credit-report.completed',
  createdAt: '2026-03-02T10:15:00.123Z',
  sequence: 4_712,
  tenantId,
  test: false,
  data: { creditReportId, status: 'complete', cost: 1_400 },
};
const eventExample: Examples = {
  event: { summary: 'A report is there', value: { meta: { request: { timeTakenMs: 3 } }, data: completed } },
};
const eventExamples: Examples = {
  page: {
    summary: 'A report, its charge, and a wallet that became low with it',
    value: {
      meta: { request: { timeTakenMs: 4 } },
      data: {
        items: [
          {
            id: 'evt_bf58476d1ce4e5b9',
            type: 'wallet.low',
            createdAt: '2026-03-02T10:15:00.121Z',
            sequence: 4_711,
            tenantId,
            test: false,
            data: { balance: 48_600, threshold: 50_000 },
          },
          completed,
          {
            id: 'evt_2545f4914f6cdd1d',
            type: 'wallet.charged',
            createdAt: '2026-03-02T10:15:00.123Z',
            sequence: 4_713,
            tenantId,
            test: false,
            data: { creditReportId, amount: -1_400 },
          },
        ],
        nextCursor: 'pTq1oB3hWd0mUe7LrX2cQg',
        hasMore: false,
      },
    },
  },
  quiet: {
    summary: 'Nothing happened within `wait`',
    value: {
      meta: { request: { timeTakenMs: 15_003 } },
      data: { items: [], nextCursor: 'pTq1oB3hWd0mUe7LrX2cQg', hasMore: false },
    },
  },
};

export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/:tenantId/v1/events',
    tag: 'Events',
    summary: 'Read events',
    description:
      'What happened to reports, challenges and the wallet, oldest first unless `order` says otherwise, for 30 days. Events ' +
      'are in the order in which they became final: no event ever appears before your cursor, and the events of one report are in the order of its changes. ' +
      '`sequence` tells the later of two events. Store `nextCursor` with what you have processed, and continue from it. With a filter, a page may have fewer events ' +
      'than `limit`. An event has ids, a status, credits and, for readers of reports, your ' +
      '`externalReference`; nothing else about a person. A cursor that is older than 30 days ' +
      'continues with the oldest event that is kept. Test-only credentials see the events of test mode.',
    scope: 'events:read',
    idempotent: false,
    query: EventsQuery,
    response: EventsResponse,
    responseExamples: eventExamples,
    errors: [],
  },
  getEvent: {
    method: 'GET',
    path: '/:tenantId/v1/events/:eventId',
    tag: 'Events',
    summary: 'Read an event',
    description:
      'One event as in the list, by its id: that of the list, or the `webhook-id` of a message that you received. 404 for an event ' +
      'that is older than 30 days, that the list does not show yet, or that this token may not see. Test messages of webhook endpoints are no events.',
    scope: 'events:read',
    idempotent: false,
    response: EventResponse,
    responseExamples: eventExample,
    errors: ['not-found'],
  },
} as const satisfies Record<string, Operation>;
