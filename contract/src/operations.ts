// Every operation of the wire, as data: the server registers its routes from this table and openapi.json is
// generated from it, so the two cannot drift apart. Paths are in router form (`:tenantId`).
import { auditOperations } from './audit.ts';
import { credentialOperations } from './credentials.ts';
import { documentOperations } from './documents.ts';
import { eventOperations } from './events.ts';
import { evidenceOperations } from './evidence.ts';
import * as examples from './examples.ts';
import { limitOperations } from './limits.ts';
import { MEMBER_OPERATIONS } from './members.ts';
import type { Operation } from './operation.ts';
import { CreditReportCountsQuery, CreditReportsQuery, WalletEntriesQuery, WalletQuery } from './queries.ts';
import { quoteOperations } from './quote.ts';
import * as readingExamples from './reading-examples.ts';
import { GenerateRequest, ResendSmsRequest, SelectTenantRequest, SubmitOtpRequest } from './requests.ts';
import {
  CreditReportCountsResponse,
  CreditReportListResponse,
  CreditReportResponse,
  GenerateResponse,
  Profile,
  ResendSmsResponse,
  SelectedTenant,
  SubmitOtpResponse,
  TenantList,
} from './responses.ts';
import { settingsOperations } from './settings.ts';
import { statementOperations } from './statement.ts';
import { subjectOperations } from './subjects.ts';
import { testModeOperations } from './test-mode.ts';
import { timelineOperations } from './timeline.ts';
import { usageOperations } from './usage.ts';
import { PricesResponse, WalletEntriesResponse, WalletMonthsResponse, WalletResponse } from './wallet.ts';
import { webhookOperations } from './webhooks.ts';

export const OPERATIONS = {
  generateCreditReport: {
    method: 'POST',
    path: '/:tenantId/v1/credit-reports',
    tag: 'Credit reports',
    summary: 'Generate a credit report',
    description:
      'Screens the consumer and answers at once with one of the statuses `complete`, `authentication-required`, ' +
      '`blocked` or `failed`. `complete` with the coverage `not-traced` means that no bureau found the person: the lists ' +
      'are empty, and that is not a clean file. `failed` is final: `failureReason` says why, and `errorMessage` says it in words, ' +
      'with what became of the money and what to do. With `"test": true` no bureau is asked, no message is sent and nothing is charged to the live wallet.\n\n' +
      'If a limit on messages is reached, the answer is also `failed`, not 429.\n\n' +
      'The `Idempotency-Key` of a request can be used again, for the same request or another, if no bureau was asked: the ' +
      'request could not be assessed, the device could not be verified, the code could not be delivered, or the challenge ' +
      'failed or expired.',
    scope: 'reports:write',
    idempotent: true,
    body: GenerateRequest,
    bodyExamples: examples.generateRequestExamples,
    response: GenerateResponse,
    responseExamples: examples.generateResponseExamples,
    // Only a test request that asks for it gets step-up-required.
    errors: ['insufficient-funds', 'insufficient-credits', 'step-up-required', 'credit-report-purged'],
  },
  ...quoteOperations,
  submitOtp: {
    method: 'POST',
    path: '/:tenantId/v1/credit-reports/:creditReportId/otp-challenge',
    tag: 'Credit reports',
    summary: 'Submit the one-time code',
    description:
      'Checks the code: `complete` with the report, `retry`, or `failed` after the third wrong code. Three codes may be ' +
      'tried per challenge, within five minutes of the last message. Every string of 1 to 32 characters uses an attempt, six ' +
      'digits or not; any other value is 400 and uses none. In test mode the right code is 123456.\n\n' +
      '`cost` is 0: the report was charged at generate. When the challenge fails or expires, that charge is refunded; ' +
      'delivered messages stay charged.',
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
      'the first one included. Wrong codes already tried still count.',
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
      'credit-report-purged',
      'sms-limit-reached',
      'insufficient-funds',
      'insufficient-credits',
    ],
  },
  listCreditReports: {
    method: 'GET',
    path: '/:tenantId/v1/credit-reports',
    tag: 'Credit reports',
    summary: 'List credit reports',
    description:
      'Live and test reports, newest first, without their contents. Reports whose data was erased, after their retention ' +
      'time or because the consumer asked, stay in the list with `isPurged`. A report must match all filters that you send. With a filter, a page may have ' +
      'fewer reports than `limit`, or none: continue until `nextCursor` is null.\n\n' +
      'The role finance sees no `externalReference`. Every page is in the audit log.',
    scope: 'reports:read',
    idempotent: false,
    query: CreditReportsQuery,
    response: CreditReportListResponse,
    responseExamples: readingExamples.creditReportListExamples,
    errors: [],
  },
  countCreditReports: {
    method: 'GET',
    path: '/:tenantId/v1/credit-reports/counts',
    tag: 'Credit reports',
    summary: 'Count credit reports by status',
    description:
      'How many reports match the filters, by the status that the list shows now. The figures are exact, erased reports ' +
      'included. 503 with Retry-After while the service has not counted older reports yet, which takes minutes after an ' +
      'upgrade; 400 if more than 10,000 reports have the `externalReference`. A count with `externalReference` is in the audit log.',
    scope: 'reports:read',
    idempotent: false,
    query: CreditReportCountsQuery,
    response: CreditReportCountsResponse,
    responseExamples: readingExamples.creditReportCountsExamples,
    errors: [],
  },
  getCreditReport: {
    method: 'GET',
    path: '/:tenantId/v1/credit-reports/:creditReportId',
    tag: 'Credit reports',
    summary: 'Read a credit report again',
    description:
      'The state of a report and, once it is complete, its contents. Free of charge; no bureau is asked again. A report ' +
      'is kept for the retention time of the tenant (30 days unless agreed otherwise); after that, or once it was erased because the consumer asked, the answer is 410. While ' +
      'another request is working on the report, the answer is 409 with Retry-After. An open challenge shows the state ' +
      'of its messages. An expired one reads as `failed`. ' +
      'The role finance gets no `creditReport`, no `coverage`, no `bureauResults` and no `externalReference`. Every read is in the audit log.',
    scope: 'reports:read',
    idempotent: false,
    response: CreditReportResponse,
    responseExamples: readingExamples.creditReportExamples,
    errors: ['credit-report-not-found', 'request-in-progress', 'credit-report-purged'],
  },
  ...timelineOperations,
  ...documentOperations,
  ...evidenceOperations,
  getWallet: {
    method: 'GET',
    path: '/:tenantId/v1/wallet',
    tag: 'Wallet',
    summary: 'Read the wallet',
    description:
      'The balance, what is held for running operations, what a new operation can use, and how much of the day’s ' +
      'message budget is used. With `test=true` the test wallet, which holds nothing and uses nothing of that budget.',
    scope: 'wallet:read',
    liveOnly: 'unless-asked',
    idempotent: false,
    query: WalletQuery,
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
      'The statement: every line that moved the wallet, newest first. A line must match all filters that you send. With a ' +
      'filter, a page may have fewer lines than `limit`: continue until `nextCursor` is null.\n\n' +
      'With `format=csv` or `Accept: text/csv` the answer is a CSV file (RFC 4180). It has `limit` lines at most. ' +
      'Without `limit` it covers at most 100,000 entries of the journal, from the newest or from `cursor` on, and has those ' +
      'that match the filters. If older lines may follow, a `Link` header with rel="next" holds the address of the next ' +
      'file; without that header this file is the last. If a spreadsheet would read a text as a formula, the file puts an apostrophe in front of it.\n\n' +
      'The audit log records when references of reports are read.\n\n' +
      'With `test=true` these are the lines of the test wallet, of the last 91 days.',
    scope: 'wallet:read',
    liveOnly: 'unless-asked',
    idempotent: false,
    query: WalletEntriesQuery,
    response: WalletEntriesResponse,
    responseExamples: readingExamples.walletEntryExamples,
    csvExamples: readingExamples.walletEntryCsvExamples,
    errors: [],
  },
  listWalletMonths: {
    method: 'GET',
    path: '/:tenantId/v1/wallet/months',
    tag: 'Wallet',
    summary: 'List the totals of the months',
    description:
      'What the wallet began and ended each month with, and what moved it, exact to the statement. Months are those of ' +
      'London, from the first line to now, at most 120. All amounts are credits, signed as in the statement. 503 with Retry-After ' +
      'while the service has not counted the older lines of a very large wallet yet, which takes a moment after an upgrade.',
    scope: 'wallet:read',
    liveOnly: true,
    idempotent: false,
    response: WalletMonthsResponse,
    responseExamples: readingExamples.walletMonthExamples,
    errors: [],
  },
  ...statementOperations,
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
  ...limitOperations,
  ...usageOperations,
  ...testModeOperations,
  ...credentialOperations,
  ...auditOperations,
  ...eventOperations,
  getProfile: {
    method: 'GET',
    path: '/v1/my/profile',
    tag: 'Account',
    summary: 'Read my profile',
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
  ...settingsOperations,
  ...subjectOperations,
  ...MEMBER_OPERATIONS,
  ...webhookOperations,
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;
