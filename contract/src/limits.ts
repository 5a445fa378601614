// A company's limits and its usage of each (docs/decisions/0169-a-company-sees-its-limits.md). Nothing here reveals
// anything about other companies.
import { type Static, Type } from 'typebox';
import { unmetered } from './envelope.ts';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { Instant, oneOf, orNull } from './schema.ts';
import { LIMIT_NAMES } from './vocabulary.ts';

export const Limit = Type.Object({
  name: oneOf(LIMIT_NAMES, {
    description:
      '`requests`: calls of this API. `max` is how many may come at once; they become free again steadily, at the rate in ' +
      'the header `RateLimit-Policy` (50 a second unless agreed otherwise). `sms-…`: messages of challenges, counted ' +
      'when they are asked for; those of test mode are not, so a credential for test mode alone reads 0. `invitations-day`: mails that invite members, in any 24 hours. `webhook-attempts-minute`: ' +
      'messages to one host of your webhook endpoints, where `used` is that of the host with most; a host begins with 60 and gets ' +
      'twice as many after each 100 that it accepts; a minute may have a tenth more. `webhook-replays-day` and ' +
      '`webhook-endpoints-day`: replays of events, and endpoints made, in any 24 hours. New names may be added.',
  }),
  max: Type.Integer({ minimum: 0, description: 'The most that can be used.' }),
  used: Type.Integer({ minimum: 0, description: 'What is used of it now; this request included.' }),
  resetsAt: orNull(Instant('When it is free again.'), {
    description:
      'For a day or minute of the calendar (UTC) its end; for `requests` when the bucket is full again; for ' +
      '`invitations-day` and those of webhooks for a day when the oldest one stops counting, null while none counts.',
  }),
});

export const LimitsResponse = unmetered(Type.Object({ items: Type.Array(Limit) }));

export type Limit = Static<typeof Limit>;
export type LimitsData = Static<typeof LimitsResponse>['data'];

const midnight = '2026-03-03T00:00:00.000Z';
const limitExamples: Examples = {
  limits: {
    summary: 'A quiet morning',
    value: {
      meta: { request: { timeTakenMs: 6 } },
      data: {
        items: [
          { name: 'requests', max: 100, used: 3, resetsAt: '2026-03-02T10:15:00.183Z' },
          { name: 'sms-messages-day', max: 1000, used: 12, resetsAt: midnight },
          { name: 'sms-credits-day', max: 40000, used: 480, resetsAt: midnight },
          { name: 'sms-messages-minute', max: 60, used: 1, resetsAt: '2026-03-02T10:16:00.000Z' },
          { name: 'invitations-day', max: 50, used: 0, resetsAt: null },
          { name: 'webhook-attempts-minute', max: 6000, used: 8, resetsAt: '2026-03-02T10:16:00.000Z' },
          { name: 'webhook-replays-day', max: 24, used: 0, resetsAt: null },
          { name: 'webhook-endpoints-day', max: 50, used: 0, resetsAt: null },
        ],
      },
    },
  },
};

export const limitOperations = {
  getLimits: {
    method: 'GET',
    path: '/:tenantId/v1/limits',
    tag: 'Limits',
    summary: 'Read the limits',
    description:
      'The limits of the tenant, how much of each is used and when it is free again. The caps of a single mobile number ' +
      '(in 24 hours 4 challenges, 8 messages and 9 wrong codes) are not listed: they belong to the number.',
    scope: 'wallet:read',
    idempotent: false,
    response: LimitsResponse,
    responseExamples: limitExamples,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
