// Answers of the API for the pages of the console: an invented company on an ordinary day. Typed, so that a change of the API
// does not compile until they follow it.
import type {
  CreditReportListResponse,
  CreditReportResponse,
  components,
  PricesResponse,
  WalletEntriesResponse,
  WalletResponse,
} from '@trefoil/sdk';

type Schemas = components['schemas'];
export type Answer = { readonly status?: number; readonly json: object };

export const TENANT = '01998a00-0000-7000-8000-000000000001';
export const REPORT = '01998a00-4c20-7a11-9b3e-005d2f10aa44';
const ME = '01998a00-0000-7000-8000-0000000000a1';
const COLLEAGUE = '01998a00-0000-7000-8000-0000000000a2';
const meta = { request: { timeTakenMs: 1 } };
const CREATED = '2026-09-01T09:00:00.000Z';
const at = (minutes: number) => new Date(Date.UTC(2026, 8, 17, 13, 31) - minutes * 60_000).toISOString();
const idOf = (number: number) => `01998a00-4c20-7a11-9b3e-${String(number).padStart(12, '0')}`;

export const profile: Schemas['Profile'] = {
  id: ME,
  firstName: 'Amara',
  lastName: 'Okafor',
  email: 'amara.okafor@example.com',
  totpEnabled: true,
  createdAt: CREATED,
};

export const companies = (role: Schemas['TenantItem']['role'] = 'owner'): Schemas['TenantList'] => ({
  items: [{ id: TENANT, name: 'Northgate Claims', role, isEnabled: true, isSelected: true, createdAt: CREATED }],
  total: 1,
});

const wallet: WalletResponse = {
  meta,
  data: {
    balance: 5_193_680,
    held: 6_120,
    available: 5_187_560,
    creditsPerPound: 1_000,
    smsDay: { maxMessages: 1_000, usedMessages: 12, maxCredits: 40_000, usedCredits: 480, resetsAt: at(-600) },
  },
};

const testWallet: WalletResponse = {
  meta,
  data: { ...wallet.data, balance: 996_040, held: 0, available: 996_040 },
};

const price = (credits: number) => ({ credits, source: 'list' as const, effectiveFrom: CREATED });
const prices: PricesResponse = {
  meta,
  data: { report: price(200), bureau: price(600), sms: price(40), changes: [] },
};

type Item = Schemas['CreditReportItem'];
const STATUSES: readonly Item['status'][] = [
  ...(['complete', 'complete', 'authentication-required', 'complete', 'failed', 'complete'] as const),
  ...(['complete', 'blocked', 'complete', 'complete', 'in-progress', 'failed'] as const),
];
export const reports: CreditReportListResponse = {
  meta,
  data: {
    items: STATUSES.map((status, index) => ({
      creditReportId: index === 0 ? REPORT : idOf(index),
      status,
      test: false,
      createdAt: at(index * 7),
      externalReference: index === 9 ? null : `CASE-${1_000 + index}`,
      costCredits: status === 'complete' ? 2_000 : 0,
      source: index % 3 === 0 ? 'console' : 'api',
      failureReason: status === 'failed' ? 'attempts-used' : null,
      isPurged: index === 9,
    })),
    nextCursor: 'more',
  },
};

const counts: Schemas['CreditReportCountsResponse'] = {
  meta,
  data: {
    ...{ total: 2_012, complete: 1_712, 'authentication-required': 6, blocked: 91, failed: 203, 'in-progress': 0 },
  },
};

const pounds = (amount: number) => ({ amount, currency: 'GBP' as const });
const account = (changes: Partial<Schemas['AccountRecord']>): Schemas['AccountRecord'] => ({
  title: 'Mr',
  firstName: 'Marcus',
  lastName: 'Hollins',
  accountNumber: '****4821',
  accountType: 'hire-purchase',
  accountStatus: 'settled',
  companyType: 'motor-finance',
  companyName: 'Brackenfell Motor Finance Limited',
  numberOfPayments: 49,
  repaymentPeriod: 49,
  payment: pounds(28_914),
  startBalance: pounds(1_425_000),
  balance: pounds(0),
  startDate: '2019-02-18',
  bureaus: [
    { id: 'equifax', ref: 'A-77120-003' },
    { id: 'experian', ref: 'B9981.02' },
    { id: 'transunion', ref: 'c-5512-aa' },
  ],
  ...changes,
});

const report: CreditReportResponse = {
  meta,
  data: {
    status: 'complete',
    creditReportId: REPORT,
    test: false,
    createdAt: at(0),
    externalReference: 'CASE-1000',
    costCredits: 2_000,
    source: 'console',
    bureauResults: [
      { bureau: 'equifax', outcome: 'ok' },
      { bureau: 'experian', outcome: 'no-trace' },
      { bureau: 'transunion', outcome: 'unavailable' },
    ],
    coverage: { status: 'partly-traced', message: 'Experian has no file for this person. TransUnion did not answer.' },
    creditReport: {
      person: { title: 'Mr', firstName: 'Marcus', lastName: 'Hollins', dateOfBirth: '1984-03-09' },
      residencies: [
        {
          addressId: 'a1',
          isCurrent: true,
          yearsAtAddress: 6,
          monthsAtAddress: 8,
          address: {
            type: 'uk',
            addressLine1: 'Flat 2, Rowan House, 14 Mill Lane, LUDFORTH, HR10 2AB',
            lines: ['Flat 2, Rowan House', '14 Mill Lane', 'LUDFORTH', 'HR10 2AB'],
            ukAddress: {
              subBuildingName: 'Flat 2',
              buildingName: 'Rowan House',
              buildingNumber: '14',
              thoroughfare: 'Mill Lane',
              district: null,
              townOrCity: 'Ludforth',
              county: null,
              country: null,
              postcode: 'HR10 2AB',
            },
          },
        },
      ],
      consumerData: {
        records: [
          account({}),
          account({
            companyName: 'Tarn Valley Vehicle Finance',
            accountNumber: '****0937',
            accountStatus: 'open',
            balance: pounds(720_411),
            payment: null,
            bureaus: [{ id: 'equifax', ref: 'A-77120-011' }],
          }),
          account({
            companyName: 'Haldon Building Society',
            accountType: 'mortgage',
            accountStatus: 'open',
            companyType: 'building-society',
            balance: pounds(14_832_000),
            bureaus: [
              { id: 'equifax', ref: 'A-1' },
              { id: 'transunion', ref: 'c-1' },
            ],
          }),
          account({
            companyName: 'Fenwire Mobile',
            accountType: 'communications',
            accountStatus: 'arrears',
            balance: pounds(10_600),
            bureaus: [{ id: 'equifax', ref: 'A-2' }],
          }),
          account({
            companyName: null,
            accountType: 'store-card',
            accountStatus: 'voluntary-termination',
            accountNumber: null,
            startDate: null,
            balance: null,
            bureaus: [{ id: 'experian', ref: 'B-3' }],
          }),
        ],
      },
      previousSearches: {
        providers: [
          { companyName: 'Tarn Valley Vehicle Finance', records: [{ date: '2023-03-29' }] },
          { companyName: 'Kestrel Bank', records: [{ date: '2025-11-03' }, { date: '2024-06-18' }] },
        ],
      },
    },
  },
};

type Entry = Schemas['WalletEntry'];
const KINDS: readonly (readonly [Entry['kind'], number, string | null])[] = [
  ['sms-charge', -40, 'NC-48213'],
  ['report-charge', -2_000, 'NC-48213'],
  ['report-refund', 2_000, 'NC-48209'],
  ['report-charge', -1_400, null],
  ['top-up', 4_000_000, null],
  ['adjust', -1, null],
];
export const entries: WalletEntriesResponse = {
  meta,
  data: {
    items: KINDS.map(([kind, amount, externalReference], index) => ({
      id: idOf(100 + index),
      kind,
      amount,
      balanceAfter: 5_193_680 - index * 1_000,
      creditReportId: kind.startsWith('report') || kind === 'sms-charge' ? REPORT : null,
      reversesId: null,
      note: kind === 'top-up' ? 'Invoice 2026-0117' : null,
      createdAt: at(index * 11),
      amountPounds: String(amount / 1_000),
      balanceAfterPounds: '5193.68',
      externalReference,
      bureauCount: kind.startsWith('report') ? 3 : null,
    })),
    nextCursor: null,
  },
};

/** Those of one report. */
const reportEntries: WalletEntriesResponse = { meta, data: { ...entries.data, items: entries.data.items.slice(0, 2) } };

const testEntries: WalletEntriesResponse = {
  meta,
  data: {
    ...entries.data,
    items: entries.data.items
      .filter((entry) => entry.creditReportId)
      .map((entry) => ({ ...entry, balanceAfter: 996_040 })),
  },
};

const member = (changes: Partial<Schemas['Member']>): Schemas['Member'] => ({
  userId: ME,
  email: profile.email,
  firstName: 'Amara',
  lastName: 'Okafor',
  role: 'owner',
  hasSecondFactor: true,
  isEnabled: true,
  joinedAt: CREATED,
  ...changes,
});
const members = [
  member({}),
  member({
    userId: COLLEAGUE,
    email: 'tom.whitlock@example.com',
    firstName: 'Tom',
    lastName: 'Whitlock',
    role: 'developer',
    hasSecondFactor: false,
  }),
];
const invitations: Schemas['Invitation'][] = [
  {
    invitationId: idOf(300),
    email: 'joel.marsh@a-company-with-a-rather-long-name.example.com',
    role: 'analyst',
    invitedBy: ME,
    createdAt: CREATED,
    expiresAt: '2036-09-18T09:00:00.000Z',
    sentCount: 2,
  },
];

const credential = (changes: Partial<Schemas['CredentialItem']>): Schemas['CredentialItem'] => ({
  id: idOf(200),
  name: 'Case portal',
  authMethod: 'client_secret',
  scopes: ['reports:write', 'reports:read', 'wallet:read'],
  ownerUserId: COLLEAGUE,
  isOwnerActive: true,
  isEnabled: true,
  isTestOnly: false,
  allowedNetworks: ['192.0.2.0/24'],
  secrets: [
    { id: idOf(210), createdAt: CREATED, endsAt: null, madeBy: ME },
    { id: idOf(211), createdAt: '2026-06-01T09:00:00.000Z', endsAt: '2036-09-18T09:00:00.000Z', madeBy: null },
  ],
  keyIds: [],
  keys: [],
  isRefused: false,
  createdAt: CREATED,
  lastUsedAt: at(1),
  ...changes,
});
const credentials = [
  credential({}),
  credential({
    id: idOf(201),
    name: 'Old intake form',
    ownerUserId: ME,
    isEnabled: false,
    isTestOnly: true,
    allowedNetworks: null,
    secrets: [],
    lastUsedAt: null,
  }),
];

/** A credential that was just made, with its secret. */
export const made = (name: string, clientSecret: string): Answer => ({
  json: { meta, data: { ...credential({ name }), clientSecret } },
});

const AUDIT: readonly (readonly [string, string, object])[] = [
  [ME, 'report.read', { status: 'complete' }],
  [idOf(200), 'token.issued', {}],
  [COLLEAGUE, 'member.changed', { from: 'analyst', to: 'developer' }],
  ['system', 'sms.settled', {}],
  ['operator', 'wallet.top-up', { credits: 4_000_000 }],
  [idOf(999), 'something.new', {}],
];
const audit: Schemas['AuditResponse'] = {
  meta,
  data: {
    items: AUDIT.map(([actor, action, details], index) => ({
      seq: 500 - index,
      occurredAt: at(index * 400),
      actor,
      action,
      subjectId: REPORT,
      details: details as Schemas['AuditItem']['details'],
      hash: 'a7'.repeat(32),
      previousHash: 'b8'.repeat(32),
    })),
    nextCursor: null,
  },
};

const list = (items: readonly object[]) => ({ json: { meta, data: { items, nextCursor: null } } });
/** An empty list. */
export const NOTHING = list([]);

/** By path, without the company. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  '/v1/my/profile': { json: profile },
  '/v1/my/tenants': { json: companies() },
  wallet: { json: wallet },
  'wallet?test': { json: testWallet },
  prices: { json: prices },
  'wallet/entries': { json: entries },
  'wallet/entries?test': { json: testEntries },
  'wallet/entries?creditReportId': { json: reportEntries },
  'credit-reports': { json: reports },
  'credit-reports/counts': { json: counts },
  [`credit-reports/${REPORT}`]: { json: report },
  members: list(members),
  invitations: list(invitations),
  credentials: list(credentials),
  audit: { json: audit },
};

/** A refusal with the published body. */
export const refusal = (status: number, code: Schemas['Error']['code'], message: string): Answer => ({
  status,
  json: { code, message, requestId: '01998a3f-2b10-7d41-8e52-6f708192a3b4', docs: 'http://localhost/docs/errors' },
});
