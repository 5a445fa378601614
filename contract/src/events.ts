// Events: what happened to a tenant's reports, challenges and wallet, in the order of the commits
// (docs/decisions/0198-events-in-commit-order.md). Ids, statuses and credits only: nothing about a person.
import { type Static, Type } from 'typebox';
import { Instant, oneOf, Uuid } from './schema.ts';
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
  'wallet.low',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EventData = Type.Object(
  {
    creditReportId: Type.Optional(Uuid('The report. Absent for `wallet.topped-up` and `wallet.low`.')),
    challengeId: Type.Optional(Uuid('The challenge of the report, for `challenge.…` and `credit-report.challenged`.')),
    messageId: Type.Optional(
      Uuid(
        'The message, for `challenge.sent`, `.delivered` and `.undelivered`, and for `wallet.charged` where a message was ' +
          'charged. Absent in test mode, which sends no message.',
      ),
    ),
    status: Type.Optional(
      oneOf(REPORT_STATUSES, { description: 'For `credit-report.…`: the status of the report after the event.' }),
    ),
    cost: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'For `credit-report.…`: what the report costs after the event, in credits, refunds deducted and messages not ' +
          'included. 0 in test mode.',
      }),
    ),
    amount: Type.Optional(
      Type.Integer({
        description:
          'For `wallet.charged`, `.refunded` and `.topped-up`: the effect on the wallet, as in the statement.',
      }),
    ),
    balance: Type.Optional(Type.Integer({ description: 'For `wallet.low`: the balance, in credits.' })),
    threshold: Type.Optional(
      Type.Integer({ description: 'For `wallet.low`: the threshold of the tenant that the balance fell below.' }),
    ),
  },
  { description: 'Ids, status and credits. Read the report for everything else.' },
);

export const Event = Type.Object({
  id: Type.String({
    pattern: '^evt_[0-9a-f]{16}$',
    description: 'Identifies the event: if you receive an id again, it is the same event.',
  }),
  type: oneOf(EVENT_TYPES, { description: 'What happened. New types may be added: ignore those you do not know.' }),
  createdAt: Instant('When it happened.'),
  tenantId: Uuid('The tenant.'),
  test: Type.Boolean({ description: 'True for an event of test mode.' }),
  data: EventData,
});

export type Event = Static<typeof Event>;
export type EventData = Static<typeof EventData>;
