// What a report would cost and whether it would be refused, before anything is asked or charged
// (docs/decisions/0208-quotes.md). It reveals nothing about limits over all companies.
import { type Static, Type } from 'typebox';
import { unmetered } from './envelope.ts';
import { type Examples, generateRequestExamples } from './examples.ts';
import type { Operation } from './operation.ts';
import { GenerateRequest } from './requests.ts';
import { Instant, oneOf, orNull } from './schema.ts';
import { BUREAUS } from './vocabulary.ts';

/** Those of the kinds of sms-limit-reached that belong to the company and to no challenge. */
export const OWN_LIMIT_KINDS = ['destination', 'company-number', 'company-day', 'company-minute'] as const;
export type OwnLimitKind = (typeof OWN_LIMIT_KINDS)[number];

export const OwnLimit = Type.Object({
  kind: oneOf(OWN_LIMIT_KINDS, { description: 'As `limit.kind` of sms-limit-reached.' }),
  refuses: Type.Boolean({
    description: 'Whether it would refuse the message of a challenge now. A report that needs a code is then `failed`.',
  }),
  resetsAt: orNull(Instant('When it allows messages again.'), {
    description: 'Null where it refuses nothing, and where waiting does not help.',
  }),
});

const credits = (description: string) => Type.Integer({ minimum: 0, description: `${description} In credits.` });

export const QuoteResponse = unmetered(
  Type.Object({
    test: Type.Boolean({
      description:
        'Whether the request is for test mode. The amounts are then those of live mode, and with `testOptions.charges` ' +
        '`available` is that of the test wallet.',
    }),
    report: credits('The part of the price that does not depend on bureaus.'),
    bureaus: Type.Array(
      Type.Object({
        bureau: oneOf(BUREAUS, { description: 'A bureau of the request.' }),
        credits: credits('Charged if it answers.'),
      }),
    ),
    message: credits('The price of one message of a challenge, charged when it is delivered.'),
    maximum: credits(
      'The most that the report can cost: all bureaus answer and, if the request has a `mobileNumber`, three messages are delivered.',
    ),
    funds: Type.Object({
      required: credits(
        'What must be available when the report is generated: all bureaus and, if the request has a `mobileNumber`, one message.',
      ),
      available: credits('What the wallet has available now.'),
      sufficient: Type.Boolean({ description: 'False: generate would answer 402.' }),
    }),
    limits: Type.Array(OwnLimit, { description: 'The limits of the company on messages, each once.' }),
  }),
);

export type OwnLimit = Static<typeof OwnLimit>;
export type QuoteData = Static<typeof QuoteResponse>['data'];

const quoteExamples: Examples = {
  enough: {
    summary: 'Three bureaus; the message budget of the minute is used',
    value: {
      meta: { request: { timeTakenMs: 4 } },
      data: {
        test: false,
        report: 200,
        bureaus: BUREAUS.map((bureau) => ({ bureau, credits: 600 })),
        message: 40,
        maximum: 2_120,
        funds: { required: 2_040, available: 50_000, sufficient: true },
        limits: [
          { kind: 'destination', refuses: false, resetsAt: null },
          { kind: 'company-number', refuses: false, resetsAt: null },
          { kind: 'company-day', refuses: false, resetsAt: null },
          { kind: 'company-minute', refuses: true, resetsAt: '2026-03-02T10:16:00.000Z' },
        ],
      },
    },
  },
};

export const quoteOperations = {
  quoteCreditReport: {
    method: 'POST',
    path: '/:tenantId/v1/credit-reports/quote',
    tag: 'Credit reports',
    summary: 'Ask what a report would cost',
    description:
      'Validates the request exactly as generate does, prices it, and says whether the funds and the limits of the company ' +
      'allow it now. Free of charge. It asks no bureau and no screening, stores nothing and reserves nothing: a generate ' +
      'request a moment later may still be refused. It says nothing about limits over all companies.',
    scope: 'reports:write',
    idempotent: false,
    body: GenerateRequest,
    bodyExamples: generateRequestExamples,
    response: QuoteResponse,
    responseExamples: quoteExamples,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
