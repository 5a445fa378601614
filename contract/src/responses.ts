// The responses of the operations. Interface, "Response envelope" and "Generate and OTP response data"; profile and
// tenant bodies have no envelope (docs/decisions/0002-envelope.md).
import { type Static, Type } from 'typebox';
import { CreditReport } from './credit-report.ts';
import { metered, pageOf, unmetered } from './envelope.ts';
import { Instant, oneOf, orNull, Uuid } from './schema.ts';
import { ROLES } from './scopes.ts';
import {
  BUREAU_OUTCOMES,
  BUREAUS,
  COVERAGE_STATUSES,
  FAILURE_REASONS,
  REPORT_SOURCES,
  REPORT_STATUSES,
  SEND_STATES,
} from './vocabulary.ts';

export { AnswerMeta, WalletMeta } from './envelope.ts';

const creditReportId = Uuid('The report. Use it with the challenge and to read the report again.');
const challenge = Type.Object({ challengeId: Uuid('The challenge to answer.') });
const errorMessage = Type.String({ description: 'What happened, in a sentence.' });

/** Beyond the interface (docs/decisions/0278-reasons-and-references.md). */
export const failureReason = oneOf(FAILURE_REASONS, {
  description:
    'Why it failed, for programs; `errorMessage` says the same in words. From `mobile-missing` to `not-deliverable`: a code was ' +
    'needed and could not be sent. New reasons may be added.',
});
const failureOrNull = orNull(failureReason, {
  description: 'Why it failed, for programs. Null in the repeat of an answer of a release that kept no reason.',
});
const externalReference = Type.Optional(
  Type.String({ description: 'The reference that the report was generated with, if there was one.' }),
);

export const BureauResult = Type.Object({
  bureau: oneOf(BUREAUS, { description: 'A bureau that was asked.' }),
  outcome: oneOf(BUREAU_OUTCOMES, {
    description: '`no-trace`: it answered and found no such person. `unavailable`: it did not answer; not charged.',
  }),
});

/** Beyond the interface (docs/decisions/0055-some-bureaus-answer.md). */
const bureauResults = Type.Array(BureauResult, {
  description:
    'The outcome of each bureau that was asked. Test mode asks none: each one is `ok` unless `testOptions` says otherwise.',
});

/**
 * Beyond the interface (docs/decisions/0160-coverage.md): without it, a person no bureau found looks like one with a clean
 * file.
 */
export const Coverage = Type.Object(
  {
    status: oneOf(COVERAGE_STATUSES, {
      description:
        '`traced`: every bureau asked found the person. `partly-traced`: at least one did. `not-traced`: none did, so ' +
        'the lists of the report are empty and say nothing about the person.',
    }),
    message: Type.String({
      description: 'The same in words: which bureaus did not find the person or did not answer.',
    }),
  },
  { description: 'How far the person was found. Look at it before you read an empty list as a clean file.' },
);

export const CompleteAtOnce = Type.Object({
  status: Type.Literal('complete'),
  challengeType: Type.Literal('none'),
  creditReportId,
  externalReference,
  bureauResults,
  coverage: Coverage,
  creditReport: CreditReport,
});

export const AuthenticationRequired = Type.Object({
  status: Type.Literal('authentication-required'),
  challengeType: Type.Literal('otp'),
  creditReportId,
  externalReference,
  challenge,
});

export const Blocked = Type.Object({ status: Type.Literal('blocked'), creditReportId, externalReference });

export const Failed = Type.Object({
  status: Type.Literal('failed'),
  creditReportId,
  externalReference,
  errorMessage,
  failureReason: failureOrNull,
});

export const CompleteAfterChallenge = Type.Object({
  status: Type.Literal('complete'),
  creditReportId,
  externalReference,
  bureauResults,
  coverage: Coverage,
  creditReport: CreditReport,
});

export const Retry = Type.Object({
  status: Type.Literal('retry'),
  creditReportId,
  externalReference,
  errorMessage,
  attemptsRemaining: Type.Integer({ minimum: 1, maximum: 2, description: 'Codes that may still be tried.' }),
});

export const GenerateResponse = metered(Type.Union([CompleteAtOnce, AuthenticationRequired, Blocked, Failed]));

export const SubmitOtpResponse = metered(Type.Union([CompleteAfterChallenge, Retry, Failed]));

export const ResendSmsResponse = unmetered(
  Type.Object({
    remainingSmsCount: Type.Integer({ minimum: 0, description: 'Messages that may still be sent.' }),
    smsSentCount: Type.Integer({ minimum: 1, description: 'Messages sent so far, the first one included.' }),
  }),
);

/** What every read says of a report besides its status (docs/decisions/0230-what-a-list-of-reports-says.md). */
const reportFacts = {
  test: Type.Boolean({ description: 'Whether the report was requested in test mode.' }),
  createdAt: Instant('When the report was requested.'),
  externalReference: orNull(Type.String(), {
    description:
      'The reference that the report was generated with. Null if there was none, once the report is erased, and for the ' +
      'role finance.',
  }),
  costCredits: Type.Integer({
    minimum: 0,
    description:
      'What the report costs, in credits: its charge without what was refunded. Messages are not included. 0 in test mode ' +
      'without `testOptions.charges`.',
  }),
  source: oneOf(REPORT_SOURCES, {
    description:
      '`console`: a signed-in person requested it in the console. `api`: everything else. New sources may be added.',
  }),
};

/** One message of a challenge, without its phone number (docs/decisions/0168-what-became-of-a-message.md). */
export const ChallengeSend = Type.Object({
  state: oneOf(SEND_STATES, {
    description:
      '`queued` and `submitted`: on its way. `delivered`: the carrier confirmed it, or its code was right. `undelivered`, ' +
      '`refused`: it will not arrive, so send another. `silent`: the carrier reported nothing for 72 hours. In test mode ' +
      '`delivered`, unless `testOptions.receipt` says otherwise.',
  }),
  sentAt: Instant('When it was requested: its code works for five minutes from then.'),
  settledAt: orNull(Instant('When it became so.'), {
    description: 'When the state became final; null while it is on its way.',
  }),
});

const challengeWithSends = Type.Object({
  ...challenge.properties,
  sends: Type.Array(ChallengeSend, { description: 'Its messages, oldest first: one to three.' }),
});

/**
 * A report read again: the same fields as in its first answer, and the facts about it
 * (docs/decisions/0043-what-reading-shows.md).
 */
export const CreditReportResponse = unmetered(
  Type.Union([
    Type.Object({
      ...CompleteAfterChallenge.properties,
      // The finance role receives none of these three (docs/decisions/0027-scopes-and-roles.md).
      bureauResults: Type.Optional(bureauResults),
      coverage: Type.Optional(Coverage),
      creditReport: Type.Optional(CreditReport),
      ...reportFacts,
    }),
    Type.Object({ ...AuthenticationRequired.properties, challenge: challengeWithSends, ...reportFacts }),
    Type.Object({ ...Blocked.properties, ...reportFacts }),
    Type.Object({ ...Failed.properties, ...reportFacts, failureReason }),
  ]),
);

export const CreditReportItem = Type.Object({
  creditReportId,
  status: oneOf(REPORT_STATUSES, { description: '`in-progress` only while a request is working on it.' }),
  ...reportFacts,
  isPurged: Type.Boolean({
    description: 'Whether its data was erased: after its retention time, or because the consumer asked.',
  }),
  failureReason: orNull(failureReason, { description: 'Why it failed; null for every other status.' }),
});

export const CreditReportListResponse = pageOf(CreditReportItem);

const counted = (description: string) => Type.Integer({ minimum: 0, description });

export const CreditReportCountsResponse = unmetered(
  Type.Object({
    total: counted('All reports that match; the sum of the others.'),
    complete: counted('Complete reports.'),
    'authentication-required': counted('Reports with an open challenge.'),
    blocked: counted('Blocked reports.'),
    failed: counted('Failed reports; those with an expired challenge too.'),
    'in-progress': counted('Reports that a request is working on.'),
  }),
);

export const Profile = Type.Object({
  id: Uuid('The person. For API credentials: their accountable owner.'),
  firstName: Type.String(),
  lastName: Type.String(),
  email: Type.String(),
  totpEnabled: Type.Boolean(),
  createdAt: Instant('When the person was added.'),
});

export const TenantItem = Type.Object({
  id: Uuid('The tenantId of the path.'),
  name: Type.String(),
  role: oneOf(ROLES, { description: "The person's role; for API credentials their owner's." }),
  isEnabled: Type.Boolean(),
  isSelected: Type.Boolean({ description: 'Whether a person has selected this tenant.' }),
  createdAt: Instant('When the tenant was created.'),
});

export const TenantList = Type.Object({ items: Type.Array(TenantItem), total: Type.Integer({ minimum: 0 }) });

export const SelectedTenant = Type.Object({ id: Uuid('The selected tenant.'), name: Type.String() });

export type GenerateData = Static<typeof GenerateResponse>['data'];
export type SubmitOtpData = Static<typeof SubmitOtpResponse>['data'];
export type ResendSmsData = Static<typeof ResendSmsResponse>['data'];
export type ChallengeSend = Static<typeof ChallengeSend>;
export type BureauResult = Static<typeof BureauResult>;
export type Coverage = Static<typeof Coverage>;
export type CreditReportData = Static<typeof CreditReportResponse>['data'];
export type CreditReportItem = Static<typeof CreditReportItem>;
export type CreditReportCounts = Static<typeof CreditReportCountsResponse>['data'];
export type CreditReportPage = Static<typeof CreditReportListResponse>['data'];
export type Profile = Static<typeof Profile>;
export type TenantItem = Static<typeof TenantItem>;
export type TenantList = Static<typeof TenantList>;
export type SelectedTenant = Static<typeof SelectedTenant>;
