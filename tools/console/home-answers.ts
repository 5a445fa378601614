// Answers of the API for Home and for the wallet's months: an ordinary day of the company in answers.ts.
import type {
  ActivityResponse,
  BureausResponse,
  components,
  UsageResponse,
  WalletMonthsResponse,
  WebhookEndpoint,
} from '@trefoil/sdk';
import { type Answer, REPORT } from './answers.ts';

type Schemas = components['schemas'];
const meta = { request: { timeTakenMs: 1 } };
const HALF_HOUR_MS = 30 * 60_000;
const END = Date.UTC(2026, 8, 17, 13, 30);
const at = (minutes: number) => new Date(END - minutes * 60_000).toISOString();
const idOf = (number: number) => `01998a00-7700-7a11-9b3e-${String(number).padStart(12, '0')}`;
export const ENDPOINT = idOf(1);
const ME = '01998a00-0000-7000-8000-0000000000a1';
const COLLEAGUE = '01998a00-0000-7000-8000-0000000000a2';

const MESSAGES = [
  18_000, 6_000, 3_000, 17_000, 19_000, 16_000, 18_500, 17_200, 5_840, 4_100, 18_000, 19_500, 17_900, 9_800,
];
const REPORTS = [
  ...[360_000, 126_000, 91_000, 338_000, 373_000, 322_000, 359_000],
  ...[337_000, 126_200, 92_400, 375_000, 391_000, 381_000, 202_160],
];

/** The last `days` days of two weeks that repeat. */
export function usage(days: number, changes: Partial<UsageResponse['data']> = {}): UsageResponse {
  const list = Array.from({ length: days }, (_, index) => {
    const back = days - 1 - index;
    const place = REPORTS.length - 1 - (back % REPORTS.length);
    const day = new Date(END - back * 86_400_000).toISOString().slice(0, 10);
    return { day, reports: REPORTS[place] ?? 0, messages: MESSAGES[place] ?? 0 };
  });
  const sum = (of: 'reports' | 'messages') => list.reduce((total, each) => total + each[of], 0);
  return {
    meta,
    data: {
      test: false,
      days: list,
      spent: { reports: sum('reports'), messages: sum('messages') },
      previous: { reports: sum('reports') - 54_000, messages: sum('messages') },
      last7DaysCredits: 1_981_960,
      outcomes: { complete: 1_712, blocked: 91, failed: 72, expired: 131 },
      commonestFailure: { reason: 'expired', count: 131 },
      codes: { sent: 1_284, delivered: 1_243, undelivered: 41, verified: 1_118, medianSeconds: 34 },
      ...changes,
    },
  };
}

/** Two weeks in which nothing happened. */
export const noUsage = (test = false) =>
  usage(14, {
    test,
    days: usage(14).data.days.map(({ day }) => ({ day, reports: 0, messages: 0 })),
    spent: { reports: 0, messages: 0 },
    previous: { reports: 0, messages: 0 },
    last7DaysCredits: 0,
    outcomes: { complete: 0, blocked: 0, failed: 0, expired: 0 },
    commonestFailure: null,
    codes: { sent: 0, delivered: 0, undelivered: 0, verified: 0, medianSeconds: null },
  });

type Bureau = BureausResponse['data']['items'][number];

function bureau(name: Bureau['bureau'], state: Bureau['state'], answeredOf: (place: number) => number): Bureau {
  const slots = Array.from({ length: 48 }, (_, place) => ({
    startsAt: new Date(END - (47 - place) * HALF_HOUR_MS).toISOString(),
    asked: state === 'not-asked' ? 0 : 20,
    answered: state === 'not-asked' ? 0 : answeredOf(place),
  }));
  const answered = slots.reduce((sum, slot) => sum + slot.answered, 0);
  const isAsked = state !== 'not-asked';
  return {
    ...{ bureau: name, state, slots },
    since: isAsked ? at(90) : null,
    answeredShare: isAsked ? answered / (48 * 20) : null,
  };
}

const bureaus: BureausResponse = {
  meta,
  data: {
    items: [
      bureau('equifax', 'answering', () => 20),
      bureau('experian', 'unsteady', (place) => (place === 21 ? 6 : place > 44 ? 15 : 20)),
      bureau('transunion', 'answering', (place) => (place === 33 ? 16 : 20)),
    ],
  },
};

/** The only one that was asked. */
export const failing: Answer = {
  json: {
    meta,
    data: {
      items: [bureau('equifax', 'not-asked', () => 0), bureau('experian', 'failing', () => 4)],
    } satisfies BureausResponse['data'],
  },
};

export const unasked: Answer = {
  json: {
    meta,
    data: { items: (['equifax', 'experian', 'transunion'] as const).map((name) => bureau(name, 'not-asked', () => 0)) },
  },
};

const HAPPENED: readonly (readonly [string, number | null, string | null])[] = [
  ['credit-report.completed', null, null],
  ['credit-report.challenged', null, null],
  ['credit-report.expired', null, null],
  ['credential.secret-added', null, COLLEAGUE],
  ['wallet.topped-up', 4_000_000, null],
  ['wallet.low', null, null],
  ['member.invited', null, ME],
  ['something.new', null, null],
];
const activity: ActivityResponse = {
  meta,
  data: {
    items: HAPPENED.map(([kind, amount, actor], index) => ({
      ...{ id: `evt_${index}`, kind, amount, actor, occurredAt: at(index * 70) },
      creditReportId: kind.startsWith('credit-report') ? REPORT : null,
      subjectId: actor,
    })),
  },
};

/** What test mode has: outcomes of reports. */
export const testActivity: Answer = {
  json: { meta, data: { items: activity.data.items.filter(({ creditReportId }) => creditReportId !== null) } },
};

export const settings = (lowBalanceCredits: number | null): Answer => ({
  json: {
    meta,
    data: {
      ...{ name: 'Northgate Claims', displayName: null, retentionDays: 30, otpHost: null, lowBalanceCredits },
      requireSecondFactor: true,
      ...{ smsCountries: null, smsDailyMessages: null, smsDailyCredits: null, smsMinuteMessages: null },
      agreed: { smsCountries: ['GB'], smsDailyMessages: 1_000, smsDailyCredits: 40_000, smsMinuteMessages: 60 },
    } satisfies Schemas['Settings'],
  },
});

export const endpoints = (changes: Partial<WebhookEndpoint>): Answer => ({
  json: {
    meta,
    data: {
      items: [
        {
          ...{ id: ENDPOINT, url: 'https://hooks.northgate.example/in?key=kept-to-itself', description: '' },
          ...{ eventTypes: null, test: false, ordered: false, status: 'enabled', disabledReason: null },
          ...{ retrying: 14, createdBy: null, createdAt: at(90_000), replay: null, ...changes },
        } satisfies WebhookEndpoint,
      ],
      nextCursor: null,
    },
  },
});

const month = (name: string, changes: Partial<Schemas['WalletMonth']>): Schemas['WalletMonth'] => ({
  ...{ month: name, startsAt: `${name}-01T00:00:00.000Z`, endsAt: `${name}-28T00:00:00.000Z` },
  ...{ opening: 6_107_360, topUps: 4_000_000, adjustments: 0, reports: -4_926_240, refunds: 246_000 },
  ...{ messages: -233_440, closing: 5_193_680, count: 6 },
  ...changes,
});

/** `name` is the current month, and the two before it are there. */
export const months = (...names: readonly [string, string, string]): WalletMonthsResponse => ({
  meta,
  data: {
    items: [
      month(names[0], {}),
      month(names[1], { opening: 0, adjustments: -1, closing: 6_107_360, count: 214_301 }),
      month(names[2], { opening: 0, topUps: 0, reports: 0, refunds: 0, messages: 0, closing: 0, count: 0 }),
    ],
  },
});

/** By path, without the company. */
export const HOME_ANSWERS: Readonly<Record<string, Answer>> = {
  usage: { json: usage(14) },
  bureaus: { json: bureaus },
  activity: { json: activity },
  settings: settings(500_000),
  'webhook-endpoints': endpoints({}),
  'wallet/months': { json: months('2026-09', '2026-08', '2026-07') },
};
