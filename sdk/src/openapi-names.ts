// Generated from openapi.json by `npm run openapi`. Do not edit.
import type { components } from './openapi-types.ts';

/**
 * The version of this library: that of the service which it was made with.
 */
export const VERSION = '0.1.0';

/**
 * Every type of event. New types may be added: ignore those you do not know.
 */
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

/**
 * Every code of an error. What went wrong, for programs: one of these codes. `/docs/errors` has a page about each.
 */
export const ERROR_CODES = [
  'validation-error',
  'unauthorized',
  'insufficient-funds',
  'insufficient-credits',
  'forbidden',
  'step-up-required',
  'second-factor-required',
  'credit-report-not-found',
  'challenge-not-found',
  'not-found',
  'method-not-allowed',
  'conflict',
  'challenge-closed',
  'request-in-progress',
  'challenge-expired',
  'credit-report-purged',
  'payload-too-large',
  'unsupported-media-type',
  'idempotency-key-reused',
  'rate-limited',
  'sms-limit-reached',
  'internal-error',
  'service-unavailable',
] as const;

/**
 * A refusal of the token endpoint: the fields of RFC 6749, and those of every other error.
 */
export type TokenError = components['schemas']['TokenError'];

/**
 * On sms-limit-reached: the limit that was reached.
 */
export type SmsLimit = components['schemas']['SmsLimit'];

/**
 * An optional field that is `null` or an empty string counts as left out. This does not apply to `test`, `challengeOptions` and `testOptions`, where such a value is refused.
 */
export type GenerateRequest = components['schemas']['GenerateRequest'];

/**
 * For test mode only: what should go wrong, and whether to charge the test wallet. `GET /v1/test/catalogue` lists every value. Options that contradict each other or the request are 400.
 */
export type TestOptions = components['schemas']['TestOptions'];

/**
 * An address of the consumer, and its kind.
 */
export type AddressEntry = components['schemas']['AddressEntry'];

/**
 * An address in the United Kingdom, as you send it.
 */
export type UkAddress = components['schemas']['UkAddress'];

/**
 * What you send with `submitOtp`.
 */
export type SubmitOtpRequest = components['schemas']['SubmitOtpRequest'];

/**
 * What you send with `resendSms`.
 */
export type ResendSmsRequest = components['schemas']['ResendSmsRequest'];

/**
 * What you send with `selectTenant`.
 */
export type SelectTenantRequest = components['schemas']['SelectTenantRequest'];

/**
 * The answer to `generate`.
 */
export type GenerateResponse = components['schemas']['GenerateResponse'];

/**
 * The report is there; no code was needed.
 */
export type CompleteAtOnce = components['schemas']['CompleteAtOnce'];

/**
 * A code was sent to the consumer: submit it to get the report.
 */
export type AuthenticationRequired = components['schemas']['AuthenticationRequired'];

/**
 * Screening refused the request.
 */
export type Blocked = components['schemas']['Blocked'];

/**
 * There is no report, and this is final.
 */
export type Failed = components['schemas']['Failed'];

/**
 * Why it failed, for programs; `errorMessage` says the same in words. From `mobile-missing` to `not-deliverable`: a code was needed and could not be sent. New reasons may be added.
 */
export type FailureReason = components['schemas']['FailureReason'];

/**
 * The answer to `submitOtp`.
 */
export type SubmitOtpResponse = components['schemas']['SubmitOtpResponse'];

/**
 * The report is there.
 */
export type CompleteAfterChallenge = components['schemas']['CompleteAfterChallenge'];

/**
 * The code was wrong, and another may be tried.
 */
export type Retry = components['schemas']['Retry'];

/**
 * The answer to `resendSms`.
 */
export type ResendSmsResponse = components['schemas']['ResendSmsResponse'];

/**
 * What you send with `collectFingerprint`.
 */
export type CollectionRequest = components['schemas']['CollectionRequest'];

/**
 * The answer to `collectFingerprint`.
 */
export type CollectionResponse = components['schemas']['CollectionResponse'];

/**
 * What became of one bureau that was asked.
 */
export type BureauResult = components['schemas']['BureauResult'];

/**
 * One message of a challenge, without its phone number.
 */
export type ChallengeSend = components['schemas']['ChallengeSend'];

/**
 * How far the person was found. Look at it before you read an empty list as a clean file.
 */
export type Coverage = components['schemas']['Coverage'];

/**
 * The answer to `getReport`.
 */
export type CreditReportResponse = components['schemas']['CreditReportResponse'];

/**
 * The answer to `countReports`.
 */
export type CreditReportCountsResponse = components['schemas']['CreditReportCountsResponse'];

/**
 * The answer to `listReports`.
 */
export type CreditReportListResponse = components['schemas']['CreditReportListResponse'];

/**
 * A report in the list, without its contents.
 */
export type CreditReportItem = components['schemas']['CreditReportItem'];

/**
 * The answer to `getTimeline`.
 */
export type TimelineResponse = components['schemas']['TimelineResponse'];

/**
 * One thing that happened to a report.
 */
export type TimelineItem = components['schemas']['TimelineItem'];

/**
 * What became of one bureau that was asked, and when it answered.
 */
export type TimelineBureau = components['schemas']['TimelineBureau'];

/**
 * The answer to `getEvidence`.
 */
export type EvidenceResponse = components['schemas']['EvidenceResponse'];

/**
 * A file that the signed statement names.
 */
export type EvidenceFile = components['schemas']['EvidenceFile'];

/**
 * About the answer itself.
 */
export type AnswerMeta = components['schemas']['AnswerMeta'];

/**
 * The wallet after the operation.
 */
export type WalletMeta = components['schemas']['WalletMeta'];

/**
 * The answer to `getWallet`.
 */
export type WalletResponse = components['schemas']['WalletResponse'];

/**
 * The answer to `listWalletEntries`.
 */
export type WalletEntriesResponse = components['schemas']['WalletEntriesResponse'];

/**
 * A line of the statement.
 */
export type WalletEntry = components['schemas']['WalletEntry'];

/**
 * The answer to `listWalletMonths`.
 */
export type WalletMonthsResponse = components['schemas']['WalletMonthsResponse'];

/**
 * The totals of a month of the wallet, in credits.
 */
export type WalletMonth = components['schemas']['WalletMonth'];

/**
 * The answer to `getPrices`.
 */
export type PricesResponse = components['schemas']['PricesResponse'];

/**
 * A price that is known to change.
 */
export type PriceChange = components['schemas']['PriceChange'];

/**
 * The answer to `getLimits`.
 */
export type LimitsResponse = components['schemas']['LimitsResponse'];

/**
 * A limit of the tenant, and what is used of it.
 */
export type Limit = components['schemas']['Limit'];

/**
 * The answer to `getUsage`.
 */
export type UsageResponse = components['schemas']['UsageResponse'];

/**
 * What was spent on one day.
 */
export type UsageDay = components['schemas']['UsageDay'];

/**
 * The answer to `getBureaus`.
 */
export type BureausResponse = components['schemas']['BureausResponse'];

/**
 * How a bureau answered your live reports in the last day.
 */
export type BureauHealth = components['schemas']['BureauHealth'];

/**
 * The answer to `listActivity`.
 */
export type ActivityResponse = components['schemas']['ActivityResponse'];

/**
 * One thing that happened: an event, or an action of the audit log.
 */
export type ActivityItem = components['schemas']['ActivityItem'];

/**
 * The answer to `quote`.
 */
export type QuoteResponse = components['schemas']['QuoteResponse'];

/**
 * A limit of the company on messages, and whether it would refuse one now.
 */
export type OwnLimit = components['schemas']['OwnLimit'];

/**
 * What you send with `advanceTestClock`.
 */
export type TestClockRequest = components['schemas']['TestClockRequest'];

/**
 * The answer to `advanceTestClock`.
 */
export type TestClockResponse = components['schemas']['TestClockResponse'];

/**
 * The answer to `listTestInbox`.
 */
export type TestInboxResponse = components['schemas']['TestInboxResponse'];

/**
 * A message of test mode, which was never sent.
 */
export type TestMessage = components['schemas']['TestMessage'];

/**
 * What you send with `resetTestWallet`.
 */
export type TestWalletResetRequest = components['schemas']['TestWalletResetRequest'];

/**
 * The answer to `resetTestWallet`.
 */
export type TestWalletResponse = components['schemas']['TestWalletResponse'];

/**
 * The answer to `getTestCatalogue`.
 */
export type TestCatalogue = components['schemas']['TestCatalogue'];

/**
 * A value of test mode, and what it does.
 */
export type TestValue = components['schemas']['TestValue'];

/**
 * The answer to `listCredentials`.
 */
export type CredentialsResponse = components['schemas']['CredentialsResponse'];

/**
 * The answer to `getCredential`, `changeCredential`, `endCredentialSecret`, `replaceCredentialKeys`.
 */
export type CredentialResponse = components['schemas']['CredentialResponse'];

/**
 * The answer to `createCredential`.
 */
export type CreatedCredentialResponse = components['schemas']['CreatedCredentialResponse'];

/**
 * The answer to `addCredentialSecret`.
 */
export type AddedSecretResponse = components['schemas']['AddedSecretResponse'];

/**
 * A credential, without its secrets.
 */
export type CredentialItem = components['schemas']['CredentialItem'];

/**
 * A secret of a credential, without its value.
 */
export type CredentialSecret = components['schemas']['CredentialSecret'];

/**
 * A public key of a credential.
 */
export type CredentialKey = components['schemas']['CredentialKey'];

/**
 * What you send with `createCredential`.
 */
export type CreateCredentialRequest = components['schemas']['CreateCredentialRequest'];

/**
 * What you send with `changeCredential`.
 */
export type ChangeCredentialRequest = components['schemas']['ChangeCredentialRequest'];

/**
 * What you send with `addCredentialSecret`.
 */
export type AddSecretRequest = components['schemas']['AddSecretRequest'];

/**
 * What you send with `replaceCredentialKeys`.
 */
export type ReplaceKeysRequest = components['schemas']['ReplaceKeysRequest'];

/**
 * The answer to `listAudit`.
 */
export type AuditResponse = components['schemas']['AuditResponse'];

/**
 * A row of the audit log.
 */
export type AuditItem = components['schemas']['AuditItem'];

/**
 * The answer to `getEvent`.
 */
export type EventResponse = components['schemas']['EventResponse'];

/**
 * The answer to `listEvents`.
 */
export type EventsResponse = components['schemas']['EventsResponse'];

/**
 * What happened to a report, a challenge or the wallet. `type` says which fields `data` has. New types may be added: ignore those you do not know.
 */
export type Event = components['schemas']['Event'];

/**
 * `credit-report.completed`: the report is there.
 */
export type CreditReportCompletedEvent = components['schemas']['CreditReportCompletedEvent'];

/**
 * `credit-report.challenged`: the consumer must enter a code.
 */
export type CreditReportChallengedEvent = components['schemas']['CreditReportChallengedEvent'];

/**
 * `credit-report.blocked`: screening refused the request.
 */
export type CreditReportBlockedEvent = components['schemas']['CreditReportBlockedEvent'];

/**
 * `credit-report.failed`: there is no report, for another reason.
 */
export type CreditReportFailedEvent = components['schemas']['CreditReportFailedEvent'];

/**
 * `credit-report.expired`: no right code came within five minutes.
 */
export type CreditReportExpiredEvent = components['schemas']['CreditReportExpiredEvent'];

/**
 * `challenge.sent`: a message with a code was queued.
 */
export type ChallengeSentEvent = components['schemas']['ChallengeSentEvent'];

/**
 * `challenge.delivered`: the message was delivered: by its receipt, or because its code was right.
 */
export type ChallengeDeliveredEvent = components['schemas']['ChallengeDeliveredEvent'];

/**
 * `challenge.undelivered`: the message was not delivered, or the carrier did not say.
 */
export type ChallengeUndeliveredEvent = components['schemas']['ChallengeUndeliveredEvent'];

/**
 * `challenge.verified`: the right code was entered.
 */
export type ChallengeVerifiedEvent = components['schemas']['ChallengeVerifiedEvent'];

/**
 * `wallet.charged`: a report or a delivered message was charged.
 */
export type WalletChargedEvent = components['schemas']['WalletChargedEvent'];

/**
 * `wallet.refunded`: a charge was refunded, in full or in part.
 */
export type WalletRefundedEvent = components['schemas']['WalletRefundedEvent'];

/**
 * `wallet.topped-up`: credits were added.
 */
export type WalletToppedUpEvent = components['schemas']['WalletToppedUpEvent'];

/**
 * `wallet.adjusted`: the balance was corrected, up or down: by the operator, or by a reset of the test wallet.
 */
export type WalletAdjustedEvent = components['schemas']['WalletAdjustedEvent'];

/**
 * `wallet.low`: the balance fell below the threshold of the tenant.
 */
export type WalletLowEvent = components['schemas']['WalletLowEvent'];

/**
 * `webhook.test`: you asked for a test of the endpoint. It is no event, so the feed does not have it.
 */
export type WebhookTestMessage = components['schemas']['WebhookTestMessage'];

/**
 * What is posted to a webhook endpoint: an event, or the test message. `type` says which fields `data` has. New types may be added: ignore those you do not know.
 */
export type WebhookMessage = components['schemas']['WebhookMessage'];

/**
 * The report of all bureaus that answered, as one.
 */
export type CreditReport = components['schemas']['CreditReport'];

/**
 * A place where the person lives or lived.
 */
export type Residency = components['schemas']['Residency'];

/**
 * An address in the United Kingdom, as a bureau knows it.
 */
export type ReportUkAddress = components['schemas']['ReportUkAddress'];

/**
 * A credit account of the person.
 */
export type AccountRecord = components['schemas']['AccountRecord'];

/**
 * An amount of money.
 */
export type Money = components['schemas']['Money'];

/**
 * The answer to `getProfile`.
 */
export type Profile = components['schemas']['Profile'];

/**
 * The answer to `listTenants`.
 */
export type TenantList = components['schemas']['TenantList'];

/**
 * A company that you can work for.
 */
export type TenantItem = components['schemas']['TenantItem'];

/**
 * The answer to `selectTenant`.
 */
export type SelectedTenant = components['schemas']['SelectedTenant'];

/**
 * The settings of the company.
 */
export type Settings = components['schemas']['Settings'];

/**
 * The answer to `getSettings`, `changeSettings`.
 */
export type SettingsResponse = components['schemas']['SettingsResponse'];

/**
 * What you send with `changeSettings`.
 */
export type ChangeSettingsRequest = components['schemas']['ChangeSettingsRequest'];

/**
 * What a shorter retention would erase.
 */
export type RetentionEffect = components['schemas']['RetentionEffect'];

/**
 * The answer to `previewRetention`.
 */
export type RetentionPreviewResponse = components['schemas']['RetentionPreviewResponse'];

/**
 * What you send with `findSubject`, `eraseSubject`.
 */
export type SubjectRequest = components['schemas']['SubjectRequest'];

/**
 * What you send with `exportSubject`, `exportSubjectDocument`.
 */
export type ExportSubjectRequest = components['schemas']['ExportSubjectRequest'];

/**
 * The answer to `findSubject`.
 */
export type FoundSubjectResponse = components['schemas']['FoundSubjectResponse'];

/**
 * A report about the person, without its contents.
 */
export type SubjectReport = components['schemas']['SubjectReport'];

/**
 * The answer to `exportSubject`.
 */
export type ExportedSubjectResponse = components['schemas']['ExportedSubjectResponse'];

/**
 * Everything that is held of one report about the person.
 */
export type HeldReport = components['schemas']['HeldReport'];

/**
 * A line of the statement. It names the report and not the person, and stays when the report is erased.
 */
export type SubjectLine = components['schemas']['SubjectLine'];

/**
 * The answer to `eraseSubject`.
 */
export type ErasedSubjectResponse = components['schemas']['ErasedSubjectResponse'];

/**
 * A person who works for the company.
 */
export type Member = components['schemas']['Member'];

/**
 * The answer to `changeMember`.
 */
export type MemberResponse = components['schemas']['MemberResponse'];

/**
 * The answer to `listMembers`.
 */
export type MemberListResponse = components['schemas']['MemberListResponse'];

/**
 * The answer to `removeMember`.
 */
export type RemovedMemberResponse = components['schemas']['RemovedMemberResponse'];

/**
 * What ends with a membership besides the member's own access.
 */
export type MemberEndings = components['schemas']['MemberEndings'];

/**
 * What you send with `changeMember`.
 */
export type ChangeMemberRequest = components['schemas']['ChangeMemberRequest'];

/**
 * An invitation to join the company.
 */
export type Invitation = components['schemas']['Invitation'];

/**
 * The answer to `inviteMember`, `revokeInvitation`, `resendInvitation`.
 */
export type InvitationResponse = components['schemas']['InvitationResponse'];

/**
 * The answer to `listInvitations`.
 */
export type InvitationListResponse = components['schemas']['InvitationListResponse'];

/**
 * What you send with `inviteMember`.
 */
export type InviteMemberRequest = components['schemas']['InviteMemberRequest'];

/**
 * Where events are posted to, without its secret.
 */
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];

/**
 * The answer to `getWebhookEndpoint`, `changeWebhookEndpoint`.
 */
export type WebhookEndpointResponse = components['schemas']['WebhookEndpointResponse'];

/**
 * The answer to `listWebhookEndpoints`.
 */
export type WebhookEndpointsResponse = components['schemas']['WebhookEndpointsResponse'];

/**
 * The answer to `rotateWebhookSecret`.
 */
export type WebhookSecretResponse = components['schemas']['WebhookSecretResponse'];

/**
 * The answer to `createWebhookEndpoint`.
 */
export type CreatedWebhookEndpointResponse = components['schemas']['CreatedWebhookEndpointResponse'];

/**
 * The answer to `deleteWebhookEndpoint`.
 */
export type DeletedWebhookEndpointResponse = components['schemas']['DeletedWebhookEndpointResponse'];

/**
 * One event for one endpoint, with its attempts.
 */
export type WebhookDelivery = components['schemas']['WebhookDelivery'];

/**
 * One attempt to deliver a message.
 */
export type WebhookAttempt = components['schemas']['WebhookAttempt'];

/**
 * The answer to `testWebhookEndpoint`, `resendWebhookDelivery`.
 */
export type WebhookDeliveryResponse = components['schemas']['WebhookDeliveryResponse'];

/**
 * The answer to `listWebhookDeliveries`.
 */
export type WebhookDeliveriesResponse = components['schemas']['WebhookDeliveriesResponse'];

/**
 * The answer to `getWebhookDelivery`.
 */
export type SentWebhookDeliveryResponse = components['schemas']['SentWebhookDeliveryResponse'];

/**
 * What was posted, or will be. Without `webhook-signature`: compute it from these with your secret, and compare it with what your receiver got.
 */
export type WebhookRequest = components['schemas']['WebhookRequest'];

/**
 * How far the last replay of an endpoint is.
 */
export type WebhookReplay = components['schemas']['WebhookReplay'];

/**
 * The answer to `replayWebhookEvents`.
 */
export type ReplayWebhookResponse = components['schemas']['ReplayWebhookResponse'];

/**
 * What you send with `createWebhookEndpoint`.
 */
export type CreateWebhookEndpointRequest = components['schemas']['CreateWebhookEndpointRequest'];

/**
 * What you send with `changeWebhookEndpoint`.
 */
export type ChangeWebhookEndpointRequest = components['schemas']['ChangeWebhookEndpointRequest'];

/**
 * What you send with `replayWebhookEvents`.
 */
export type ReplayWebhookRequest = components['schemas']['ReplayWebhookRequest'];

/**
 * What you send with `testWebhookEndpoint`.
 */
export type TestWebhookRequest = components['schemas']['TestWebhookRequest'];
