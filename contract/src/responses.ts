// What the operations answer. Interface, "Response envelope" and "Generate and OTP response data";
// profile and tenant bodies are bare (docs/decisions/0002).
import { type Static, type TSchema, Type } from 'typebox';
import { CreditReport } from './credit-report.ts';
import { Instant, oneOf, Uuid } from './schema.ts';
import { ROLES } from './scopes.ts';

const RequestMeta = Type.Object({
  timeTakenMs: Type.Integer({ minimum: 0, description: 'How long the answer took us, in milliseconds.' }),
});

export const WalletMeta = Type.Object({
  balance: Type.Integer({
    description: 'What the wallet holds once the operation is done, in credits; 1,000 credits are one pound.',
  }),
  cost: Type.Integer({ description: 'What this operation took from the wallet, in credits; 0 for a free one.' }),
});

/** With the wallet: the operations that are metered. */
const metered = <T extends TSchema>(data: T) =>
  Type.Object({ meta: Type.Object({ request: RequestMeta, wallet: WalletMeta }), data });

/** Without the wallet: resend, and whatever else charges nothing by itself. */
const unmetered = <T extends TSchema>(data: T) => Type.Object({ meta: Type.Object({ request: RequestMeta }), data });

const creditReportId = Uuid('The report. Use it with the challenge and to read the report again.');
const challenge = Type.Object({ challengeId: Uuid('The challenge to answer.') });
const errorMessage = Type.String({ description: 'What happened, in a sentence.' });

export const CompleteAtOnce = Type.Object({
  status: Type.Literal('complete'),
  challengeType: Type.Literal('none'),
  creditReportId,
  creditReport: CreditReport,
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

export type WalletMeta = Static<typeof WalletMeta>;
export type GenerateData = Static<typeof GenerateResponse>['data'];
export type SubmitOtpData = Static<typeof SubmitOtpResponse>['data'];
export type ResendSmsData = Static<typeof ResendSmsResponse>['data'];
export type Profile = Static<typeof Profile>;
export type TenantItem = Static<typeof TenantItem>;
export type TenantList = Static<typeof TenantList>;
export type SelectedTenant = Static<typeof SelectedTenant>;
