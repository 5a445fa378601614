// The timeline of a report: what happened to it, when, and what it cost (docs/decisions/0231-the-timeline-of-a-report.md).
// It has no figure out of a consumer's file, and of a phone number only its last digits.
import { type Static, Type } from 'typebox';
import { unmetered } from './envelope.ts';
import { creditReportId, type Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { failureReason } from './responses.ts';
import { Instant, oneOf, orNull, Uuid } from './schema.ts';
import { BUREAU_OUTCOMES, BUREAUS, REPORT_SOURCES, REPORT_STATUSES } from './vocabulary.ts';

/** More may be added; a reader ignores kinds that it does not know. */
export const TIMELINE_KINDS = [
  'requested',
  'report-charged',
  'message-sent',
  'message-delivered',
  'message-undelivered',
  'message-silent',
  'message-charged',
  'code-verified',
  'completed',
  'blocked',
  'failed',
  'report-refunded',
  'erased',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export const TimelineItem = Type.Object({
  kind: oneOf(TIMELINE_KINDS, {
    description:
      '`message-…`: a text message with a code. `message-undelivered`: it will not arrive. `message-silent`: the carrier ' +
      'reported nothing for 72 hours. `code-verified`: the right code came. `failed`: an expired challenge too. `erased`: after ' +
      'its retention time, or because the consumer asked. New kinds may be added.',
  }),
  at: Instant('When it happened.'),
  message: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3, description: 'For `message-…`: which of the messages, from 1.' }),
  ),
  credits: Type.Optional(
    Type.Integer({ minimum: 0, description: 'For `…-charged` and `report-refunded`: how many credits.' }),
  ),
  failureReason: Type.Optional(failureReason),
});

export const TimelineBureau = Type.Object({
  bureau: oneOf(BUREAUS, { description: 'A bureau that was asked.' }),
  outcome: oneOf(BUREAU_OUTCOMES, {
    description: '`no-trace`: it answered and found no such person. `unavailable`: it did not answer; not charged.',
  }),
  answeredAt: orNull(Instant('When its answer was complete.'), {
    description: 'When its answer was complete. Null if it did not answer, and where the time is not kept any more.',
  }),
});

export const TimelineResponse = unmetered(
  Type.Object({
    creditReportId: Uuid('The report.'),
    status: oneOf(REPORT_STATUSES, { description: 'As the list shows it.' }),
    test: Type.Boolean({ description: 'Whether the report was requested in test mode.' }),
    source: oneOf(REPORT_SOURCES, { description: 'Where it was requested. New sources may be added.' }),
    isPurged: Type.Boolean({
      description: 'Whether its data was erased: after its retention time, or because the consumer asked.',
    }),
    mobileEnding: orNull(Type.String({ pattern: '^[0-9]{3}$' }), {
      description:
        'The last three digits of the mobile number. Null if there was none, once the report is erased, and for the role ' +
        'finance.',
    }),
    bureaus: Type.Optional(
      Type.Array(TimelineBureau, {
        description:
          'The bureaus that were asked for a complete report, in the order of the request; otherwise empty. The role finance ' +
          'does not get it.',
      }),
    ),
    items: Type.Array(TimelineItem, { description: 'What happened, oldest first.' }),
  }),
);

export type TimelineItem = Static<typeof TimelineItem>;
export type TimelineBureau = Static<typeof TimelineBureau>;
export type TimelineData = Static<typeof TimelineResponse>['data'];

const timelineExamples: Examples = {
  challenged: {
    summary: 'Complete after a challenge; one bureau did not answer',
    value: {
      meta: { request: { timeTakenMs: 9 } },
      data: {
        creditReportId,
        status: 'complete',
        test: false,
        source: 'console',
        isPurged: false,
        mobileEnding: '123',
        bureaus: [
          { bureau: 'equifax', outcome: 'ok', answeredAt: '2026-03-02T10:15:42.010Z' },
          { bureau: 'experian', outcome: 'unavailable', answeredAt: null },
        ],
        items: [
          { kind: 'requested', at: '2026-03-02T10:15:00.123Z' },
          { kind: 'report-charged', at: '2026-03-02T10:15:00.456Z', credits: 1_400 },
          { kind: 'message-sent', at: '2026-03-02T10:15:00.457Z', message: 1 },
          { kind: 'message-delivered', at: '2026-03-02T10:15:03.000Z', message: 1 },
          { kind: 'message-charged', at: '2026-03-02T10:15:03.001Z', message: 1, credits: 40 },
          { kind: 'code-verified', at: '2026-03-02T10:15:41.200Z' },
          { kind: 'report-refunded', at: '2026-03-02T10:15:43.900Z', credits: 600 },
          { kind: 'completed', at: '2026-03-02T10:15:43.901Z' },
        ],
      },
    },
  },
  erased: {
    summary: 'Erased after its retention time',
    value: {
      meta: { request: { timeTakenMs: 6 } },
      data: {
        creditReportId,
        status: 'failed',
        test: false,
        source: 'api',
        isPurged: true,
        mobileEnding: null,
        bureaus: [],
        items: [
          { kind: 'requested', at: '2026-01-20T08:00:00.000Z' },
          { kind: 'failed', at: '2026-01-20T08:00:02.120Z', failureReason: 'no-bureau-answered' },
          { kind: 'erased', at: '2026-02-19T08:20:31.000Z' },
        ],
      },
    },
  },
};

export const timelineOperations = {
  getTimeline: {
    method: 'GET',
    path: '/:tenantId/v1/credit-reports/:creditReportId/timeline',
    tag: 'Credit reports',
    summary: 'Read the timeline of a report',
    description:
      'What happened to a report: the request, its messages, the right code, each bureau’s answer, the outcome, and every ' +
      'charge and refund. Live and test reports, while a request is working on them too. Of an erased report it shows what ' +
      'remains: times, status and money. Nothing of the consumer’s file is in it, and of the mobile number only the last ' +
      'three digits. The role finance gets no `bureaus` and no `mobileEnding`. Every read is in the audit log.',
    scope: 'reports:read',
    idempotent: false,
    response: TimelineResponse,
    responseExamples: timelineExamples,
    errors: ['credit-report-not-found'],
  },
} as const satisfies Record<string, Operation>;
