// What the operations answer. Interface, "Response envelope" and "Generate and OTP response data";
// profile and tenant bodies are bare (docs/decisions/0002).
import { type Static, Type } from 'typebox';
import { CreditReport } from './credit-report.ts';
import { metered, pageOf, unmetered } from './envelope.ts';
import { Instant, oneOf, Uuid } from './schema.ts';
import { ROLES } from './scopes.ts';
import { BUREAU_OUTCOMES, BUREAUS, REPORT_STATUSES } from './vocabulary.ts';

export { WalletMeta } from './envelope.ts';

const creditReportId = Uuid('The report. Use it with the challenge and to read the report again.');
const challenge = Type.Object({ challengeId: Uuid('The challenge to answer.') });
const errorMessage = Type.String({ description: 'What happened, in a sentence.' });

export const BureauResult = Type.Object({
  bureau: oneOf(BUREAUS, { description: 'A bureau that was asked.' }),
  outcome: oneOf(BUREAU_OUTCOMES, {
    description: '`no-trace`: it answered and knows nobody like this. `unavailable`: it did not answer; not charged.',
  }),
});

/** Beyond the interface (docs/decisions/0055); test mode asks no bureau and may leave it out. */
const bureauResults = Type.Optional(Type.Array(BureauResult, { description: 'What each bureau asked did.' }));

export const CompleteAtOnce = Type.Object({
  status: Type.Literal('complete'),
  challengeType: Type.Literal('none'),
  creditReportId,
  creditReport: CreditReport,
  bureauResults,
});

export const AuthenticationRequired = Type.Object({
  status: Type.Literal('authentication-required'),
  challengeType: Type.Literal('otp'),
  creditReportId,
  challenge,
});

export const Blocked = Type.Object({ status: Type.Literal('blocked'), creditReportId });

export const Failed = Type.Object({ status: Type.Literal('failed'), creditReportId, errorMessage });

export const CompleteAfterChallenge = Type.Object({
  status: Type.Literal('complete'),
  creditReportId,
  creditReport: CreditReport,
  bureauResults,
});

export const Retry = Type.Object({
  status: Type.Literal('retry'),
  creditReportId,
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

const test = Type.Boolean({ description: 'Whether it was asked for in test mode.' });
const createdAt = Instant('When it was asked for.');

/** A report read again: the same words as the answer it was given with, and when that was (docs/decisions/0043). */
export const CreditReportResponse = unmetered(
  Type.Union([
    Type.Object({
      ...CompleteAfterChallenge.properties,
      creditReport: Type.Optional(CreditReport),
      test,
      createdAt,
    }),
    Type.Object({ ...AuthenticationRequired.properties, test, createdAt }),
    Type.Object({ ...Blocked.properties, test, createdAt }),
    Type.Object({ ...Failed.properties, test, createdAt }),
  ]),
);

export const CreditReportItem = Type.Object({
  creditReportId,
  status: oneOf(REPORT_STATUSES, { description: '`in-progress` only while a request works on it.' }),
  test,
  createdAt,
  isPurged: Type.Boolean({ description: 'Whether the report was kept for its time and then erased.' }),
});

export const CreditReportListResponse = pageOf(CreditReportItem);

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
export type BureauResult = Static<typeof BureauResult>;
export type CreditReportData = Static<typeof CreditReportResponse>['data'];
export type CreditReportItem = Static<typeof CreditReportItem>;
export type CreditReportPage = Static<typeof CreditReportListResponse>['data'];
export type Profile = Static<typeof Profile>;
export type TenantItem = Static<typeof TenantItem>;
export type TenantList = Static<typeof TenantList>;
export type SelectedTenant = Static<typeof SelectedTenant>;
