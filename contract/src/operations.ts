// Every operation of the wire, as data: the server registers its routes from this table and openapi.json is
// generated from it, so the two cannot drift apart. Paths are in router form (`:tenantId`).
import { auditOperations } from './audit.ts';
import { credentialOperations } from './credentials.ts';
import * as examples from './examples.ts';
import { MEMBER_OPERATIONS } from './members.ts';
import type { Operation } from './operation.ts';
import { CreditReportsQuery, WalletEntriesQuery } from './queries.ts';
import * as readingExamples from './reading-examples.ts';
import { GenerateRequest, ResendSmsRequest, SelectTenantRequest, SubmitOtpRequest } from './requests.ts';
import {
  CreditReportListResponse,
  CreditReportResponse,
  GenerateResponse,
  Profile,
  ResendSmsResponse,
  SelectedTenant,
  SubmitOtpResponse,
  TenantList,
} from './responses.ts';
import { PricesResponse, WalletEntriesResponse, WalletResponse } from './wallet.ts';

export const OPERATIONS = {
  generateCreditReport: {
    method: 'POST',
    path: '/:tenantId/v1/credit-reports',
    tag: 'Credit reports',
    summary: 'Generate a credit report',
    description:
      'Screens the consumer and answers at once with one of the statuses `complete`, `authentication-required`, ' +
      '`blocked` or `failed`. With `test: true` no bureau is asked, no message is sent and nothing is charged.',
    scope: 'reports:write',
    idempotent: true,
    body: GenerateRequest,
    bodyExamples: examples.generateRequestExamples,
    response: GenerateResponse,
    responseExamples: examples.generateResponseExamples,
    errors: ['insufficient-funds', 'credit-report-purged'],
  },
  submitOtp: {
    method: 'POST',
    path: '/:tenantId/v1/credit-reports/:creditReportId/otp-challenge',
    tag: 'Credit reports',
    summary: 'Submit the one-time code',
    description:
      'Judges the code. Three codes may be tried per challenge, within five minutes of the last message; ' +
      'a malformed code (400) uses none of them. In test mode the right code is 123456.',
    scope: 'reports:write',
    idempotent: true,
    body: SubmitOtpRequest,
    bodyExamples: examples.submitOtpRequestExamples,
    response: SubmitOtpResponse,
    responseExamples: examples.submitOtpResponseExamples,
    errors: [
      'credit-report-not-found',
      'challenge-not-found',
      'challenge-closed',
      'challenge-expired',
      'credit-report-purged',
    ],
  },
  resendSms: {
    method: 'POST',
    path: '/:tenantId/v1/credit-reports/:creditReportId/resend-sms',
    tag: 'Credit reports',
    summary: 'Send the code again',
    description:
      'Sends a new message and starts the five minutes again. A challenge has three messages in all, ' +
      'the first one included; attempts already used stay used.',
    scope: 'reports:write',
    idempotent: true,
    body: ResendSmsRequest,
    bodyExamples: examples.resendSmsRequestExamples,
    response: ResendSmsResponse,
    responseExamples: examples.resendSmsResponseExamples,
    errors: [
      'credit-report-not-found',
      'challenge-not-found',
      'challenge-closed',
      'challenge-expired',
      'sms-limit-reached',
      'insufficient-funds',
    ],
  },
  listCreditReports: {
    method: 'GET',
    path: '/:tenantId/v1/credit-reports',
    tag: 'Credit reports',
    summary: 'List credit reports',
    description:
      'Live and test reports, newest first, without their contents. Reports that were erased after their retention ' +
      'time stay in the list with `isPurged`.',
    scope: 'reports:read',
    idempotent: false,
    query: CreditReportsQuery,
    response: CreditReportListResponse,
    responseExamples: readingExamples.creditReportListExamples,
    errors: [],
  },
  getCreditReport: {
    method: 'GET',
    path: '/:tenantId/v1/credit-reports/:creditReportId',
    tag: 'Credit reports',
    summary: 'Read a credit report again',
    description:
      'The state of a report and, once it is complete, its contents. Free of charge; nobody is asked again. A report ' +
      'is kept for the retention time of the tenant (30 days unless set otherwise), then this is 410. While a ' +
      'request still works on the report: 409 with Retry-After. The role finance gets no `creditReport` and no ' +
      '`bureauResults`. Every read is in the audit log.',
    scope: 'reports:read',
    idempotent: false,
    response: CreditReportResponse,
    responseExamples: readingExamples.creditReportExamples,
    errors: ['credit-report-not-found', 'request-in-progress', 'credit-report-purged'],
  },
  getWallet: {
    method: 'GET',
    path: '/:tenantId/v1/wallet',
    tag: 'Wallet',
    summary: 'Read the wallet',
    description: 'What is in the wallet, what is held for running operations, and what a new one can use.',
    scope: 'wallet:read',
    idempotent: false,
    response: WalletResponse,
    responseExamples: readingExamples.walletExamples,
    errors: [],
  },
  listWalletEntries: {
    method: 'GET',
    path: '/:tenantId/v1/wallet/entries',
    tag: 'Wallet',
    summary: 'List the lines of the wallet',
    description:
      'Every line that moved the wallet, newest first. Filters are joined by "and"; with one, a page may be short: go ' +
      'on until `nextCursor` is null. With `Accept: text/csv` the lines come as one CSV file (RFC 4180; `limit` does ' +
      'not apply) over at most 100,000 lines of the journal: if it goes on, a `Link` header with rel="next" says ' +
      'where, and without that header the file is whole.',
    scope: 'wallet:read',
    idempotent: false,
    query: WalletEntriesQuery,
    response: WalletEntriesResponse,
    responseExamples: readingExamples.walletEntryExamples,
    csvExamples: readingExamples.walletEntryCsvExamples,
    errors: [],
  },
  getPrices: {
    method: 'GET',
    path: '/:tenantId/v1/prices',
    tag: 'Wallet',
    summary: 'Read the prices',
    description:
      'What the tenant pays now, since when, and which changes are known. A report costs `report` plus `bureau` for ' +
      'each bureau that answers.',
    scope: 'wallet:read',
    idempotent: false,
    response: PricesResponse,
    responseExamples: readingExamples.priceExamples,
    errors: [],
  },
  ...credentialOperations,
  ...auditOperations,
  getProfile: {
    method: 'GET',
    path: '/v1/my/profile',
    tag: 'Account',
    summary: 'Who am I',
    description: "The person behind the token. For API credentials: the credential's accountable owner.",
    idempotent: false,
    response: Profile,
    responseExamples: examples.profileExamples,
    errors: [],
  },
  listTenants: {
    method: 'GET',
    path: '/v1/my/tenants',
    tag: 'Account',
    summary: 'List my tenants',
    description: 'The tenants the token can work in. API credentials belong to exactly one.',
    idempotent: false,
    response: TenantList,
    responseExamples: examples.tenantListExamples,
    errors: [],
  },
  selectTenant: {
    method: 'POST',
    path: '/v1/my/tenants/select',
    tag: 'Account',
    summary: 'Select a tenant',
    description:
      'Remembers the tenant a person works in. The tenant in the path always decides the tenant of a request; ' +
      'with API credentials the call checks access and stores nothing.',
    idempotent: false,
    body: SelectTenantRequest,
    bodyExamples: examples.selectTenantRequestExamples,
    response: SelectedTenant,
    responseExamples: examples.selectTenantResponseExamples,
    errors: [],
  },
  ...MEMBER_OPERATIONS,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;
