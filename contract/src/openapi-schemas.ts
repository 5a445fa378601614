// The schemas that have a name in the OpenAPI document, and references to them in place of copies.
import { AuditItem, AuditResponse } from './audit.ts';
import {
  AddedSecretResponse,
  AddSecretRequest,
  ChangeCredentialRequest,
  CreateCredentialRequest,
  CreatedCredentialResponse,
  CredentialItem,
  CredentialKey,
  CredentialResponse,
  CredentialSecret,
  CredentialsResponse,
  ReplaceKeysRequest,
} from './credentials.ts';
import { AccountRecord, CreditReport, Money, ReportUkAddress, Residency } from './credit-report.ts';
import { ErrorBody, SmsLimit } from './errors.ts';
import { Event, EventResponse, EventsResponse } from './events.ts';
import { EvidenceFile, EvidenceResponse } from './evidence.ts';
import { CollectionRequest, CollectionResponse } from './fingerprints.ts';
import { Limit, LimitsResponse } from './limits.ts';
import {
  ChangeMemberRequest,
  Invitation,
  InvitationListResponse,
  InvitationResponse,
  InviteMemberRequest,
  Member,
  MemberEndings,
  MemberListResponse,
  MemberResponse,
  RemovedMemberResponse,
} from './members.ts';
import { DESCRIPTIONS } from './openapi-descriptions.ts';
import { OwnLimit, QuoteResponse } from './quote.ts';
import {
  AddressEntry,
  GenerateRequest,
  ResendSmsRequest,
  SelectTenantRequest,
  SubmitOtpRequest,
  UkAddress,
} from './requests.ts';
import {
  AnswerMeta,
  AuthenticationRequired,
  Blocked,
  BureauResult,
  ChallengeSend,
  CompleteAfterChallenge,
  CompleteAtOnce,
  Coverage,
  CreditReportCountsResponse,
  CreditReportItem,
  CreditReportListResponse,
  CreditReportResponse,
  Failed,
  failureReason,
  GenerateResponse,
  Profile,
  ResendSmsResponse,
  Retry,
  SelectedTenant,
  SubmitOtpResponse,
  TenantItem,
  TenantList,
  WalletMeta,
} from './responses.ts';
import {
  ChangeSettingsRequest,
  RetentionEffect,
  RetentionPreviewResponse,
  Settings,
  SettingsResponse,
} from './settings.ts';
import {
  ErasedSubjectResponse,
  ExportedSubjectResponse,
  ExportSubjectRequest,
  FoundSubjectResponse,
  HeldReport,
  SubjectLine,
  SubjectReport,
  SubjectRequest,
} from './subjects.ts';
import {
  TestCatalogue,
  TestClockRequest,
  TestClockResponse,
  TestInboxResponse,
  TestMessage,
  TestValue,
  TestWalletResetRequest,
  TestWalletResponse,
} from './test-mode.ts';
import { TestOptions } from './test-options.ts';
import { TimelineBureau, TimelineItem, TimelineResponse } from './timeline.ts';
import { TokenError } from './token-endpoint.ts';
import { ActivityItem, ActivityResponse, BureauHealth, BureausResponse, UsageDay, UsageResponse } from './usage.ts';
import {
  PriceChange,
  PricesResponse,
  WalletEntriesResponse,
  WalletEntry,
  WalletMonth,
  WalletMonthsResponse,
  WalletResponse,
} from './wallet.ts';
import {
  ReplayWebhookRequest,
  ReplayWebhookResponse,
  SentWebhookDeliveryResponse,
  TestWebhookRequest,
  WebhookAttempt,
  WebhookDeliveriesResponse,
  WebhookDelivery,
  WebhookDeliveryResponse,
  WebhookReplay,
  WebhookRequest,
} from './webhook-deliveries.ts';
import { EVENT_UNION, WEBHOOK_MESSAGE_UNION, WEBHOOK_MESSAGES } from './webhook-messages.ts';
import {
  ChangeWebhookEndpointRequest,
  CreatedWebhookResponse,
  CreateWebhookEndpointRequest,
  DeletedWebhookEndpointResponse,
  WebhookEndpoint,
  WebhookEndpointResponse,
  WebhookEndpointsResponse,
  WebhookSecretResponse,
} from './webhooks.ts';

type Json = Record<string, unknown>;

/** Schemas with a name in the document, so that each appears once for readers and generators. */
const NAMED: Record<string, unknown> = {
  Error: ErrorBody,
  TokenError,
  SmsLimit,
  GenerateRequest,
  TestOptions,
  AddressEntry,
  UkAddress,
  SubmitOtpRequest,
  ResendSmsRequest,
  SelectTenantRequest,
  GenerateResponse,
  CompleteAtOnce,
  AuthenticationRequired,
  Blocked,
  Failed,
  FailureReason: failureReason,
  SubmitOtpResponse,
  CompleteAfterChallenge,
  Retry,
  ResendSmsResponse,
  CollectionRequest,
  CollectionResponse,
  BureauResult,
  ChallengeSend,
  Coverage,
  CreditReportResponse,
  CreditReportCountsResponse,
  CreditReportListResponse,
  CreditReportItem,
  TimelineResponse,
  TimelineItem,
  TimelineBureau,
  EvidenceResponse,
  EvidenceFile,
  AnswerMeta,
  WalletMeta,
  WalletResponse,
  WalletEntriesResponse,
  WalletEntry,
  WalletMonthsResponse,
  WalletMonth,
  PricesResponse,
  PriceChange,
  LimitsResponse,
  Limit,
  UsageResponse,
  UsageDay,
  BureausResponse,
  BureauHealth,
  ActivityResponse,
  ActivityItem,
  QuoteResponse,
  OwnLimit,
  TestClockRequest,
  TestClockResponse,
  TestInboxResponse,
  TestMessage,
  TestWalletResetRequest,
  TestWalletResponse,
  TestCatalogue,
  TestValue,
  CredentialsResponse,
  CredentialResponse,
  CreatedCredentialResponse,
  AddedSecretResponse,
  CredentialItem,
  CredentialSecret,
  CredentialKey,
  CreateCredentialRequest,
  ChangeCredentialRequest,
  AddSecretRequest,
  ReplaceKeysRequest,
  AuditResponse,
  AuditItem,
  EventResponse,
  EventsResponse,
  Event,
  ...Object.fromEntries(WEBHOOK_MESSAGES.map(({ name, schema }) => [name, schema])),
  WebhookMessage: WEBHOOK_MESSAGE_UNION,
  CreditReport,
  Residency,
  ReportUkAddress,
  AccountRecord,
  Money,
  Profile,
  TenantList,
  TenantItem,
  SelectedTenant,
  Settings,
  SettingsResponse,
  ChangeSettingsRequest,
  RetentionEffect,
  RetentionPreviewResponse,
  SubjectRequest,
  ExportSubjectRequest,
  FoundSubjectResponse,
  SubjectReport,
  ExportedSubjectResponse,
  HeldReport,
  SubjectLine,
  ErasedSubjectResponse,
  Member,
  MemberResponse,
  MemberListResponse,
  RemovedMemberResponse,
  MemberEndings,
  ChangeMemberRequest,
  Invitation,
  InvitationResponse,
  InvitationListResponse,
  InviteMemberRequest,
  WebhookEndpoint,
  WebhookEndpointResponse,
  WebhookEndpointsResponse,
  WebhookSecretResponse,
  CreatedWebhookEndpointResponse: CreatedWebhookResponse,
  DeletedWebhookEndpointResponse,
  WebhookDelivery,
  WebhookAttempt,
  WebhookDeliveryResponse,
  WebhookDeliveriesResponse,
  SentWebhookDeliveryResponse,
  WebhookRequest,
  WebhookReplay,
  ReplayWebhookResponse,
  CreateWebhookEndpointRequest,
  ChangeWebhookEndpointRequest,
  ReplayWebhookRequest,
  TestWebhookRequest,
};

/** By their fields: a schema that is optional somewhere is another object there, of the same parts. */
const named = new Map(Object.entries(NAMED).map((entry) => [fieldsOf(entry[1]), entry]));

function fieldsOf(schema: unknown): unknown {
  const { properties, enum: values } = (schema ?? {}) as { properties?: object; enum?: object };
  return properties ?? values ?? schema;
}

function nameOf(value: unknown): string | undefined {
  const [name, schema] = named.get(fieldsOf(value)) ?? [];
  if (name === undefined) return undefined;
  const [given, known] = [value as Json, schema as Json];
  const keys = new Set([...Object.keys(given), ...Object.keys(known)]);
  return [...keys].every((key) => given[key] === known[key]) ? name : undefined;
}

/** A copy of the document with every named schema replaced by a reference to its component. */
export function withReferences(value: unknown): unknown {
  const name = nameOf(value);
  return name ? { $ref: `#/components/schemas/${name}` } : withinReferences(value);
}

function withinReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (value === null || typeof value !== 'object') return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withReferences(each)]));
  return 'x-blank' in value ? withBlanks(inner) : inner;
}

/**
 * The schema validates the value without blanks (docs/decisions/0164-input-as-people-send-it.md); the document describes
 * what a client may send.
 */
function withBlanks({ minLength: _, ...schema }: Json): Json {
  const words = schema['enum'] as readonly string[] | undefined;
  return { ...schema, type: [schema['type'], 'null'], ...(words && { enum: [...words, '', null] }) };
}

/** The service builds an event with any data; the document says which type has which. */
const contentOf = (schema: unknown) => (schema === Event ? EVENT_UNION : schema);

const describe = (name: string, schema: unknown): unknown =>
  name in DESCRIPTIONS ? { description: DESCRIPTIONS[name], ...(schema as Json) } : schema;

/** Every named schema, for the document's components. */
export const namedSchemas = (): Json =>
  Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => [name, describe(name, withinReferences(contentOf(schema)))]),
  );
