// One consumer's journey to a report, on the tenant's server. The page receives only these answers: no ids, no scores,
// and only the displayed parts of the report. The server keeps only the two ids of an open challenge.
import { randomBytes } from 'node:crypto';
import { type Coverage, type CreditReport, type GenerateRequest, type Trefoil, TrefoilError } from '@trefoil/sdk';

export type ShownReport = {
  readonly name: string;
  readonly accounts: readonly {
    readonly lender: string;
    readonly kind: string;
    readonly state: string;
    readonly balance: string;
  }[];
  readonly searches: number;
  readonly isPartial: boolean;
};

type Why = 'declined' | 'failed' | 'expired' | 'busy' | 'unavailable' | 'not-found';

export type Answer = { readonly journeyId?: string } & (
  | { readonly status: 'complete'; readonly report: ShownReport }
  | { readonly status: 'code-needed' }
  | { readonly status: 'retry'; readonly attemptsRemaining: number }
  | { readonly status: 'resent'; readonly sendsRemaining: number }
  | { readonly status: 'invalid'; readonly fields: Readonly<Record<string, string>> }
  /** `why` selects a message that the page has. */
  | { readonly status: 'stopped'; readonly why: Why }
);

export interface Journeys {
  begin(body: Readonly<Record<string, unknown>>, ipAddress: string): Promise<Answer>;
  submitCode(journeyId: string | undefined, body: Readonly<Record<string, unknown>>): Promise<Answer>;
  resend(journeyId: string | undefined): Promise<Answer>;
}

type Open = { readonly creditReportId: string; readonly challengeId: string; readonly untilMs: number };

const JOURNEY_MS = 30 * 60_000;
const JOURNEYS_MAX = 10_000;
const EXPIRED: Answer = { status: 'stopped', why: 'expired' };

/** The page's field that a validation fault is about. */
function fieldOf(path: string): string | undefined {
  if (path.endsWith('/postcode')) return 'postcode';
  if (path.endsWith('/townOrCity')) return 'townOrCity';
  if (path.includes('/ukAddress')) return 'building';
  return /^\/(firstName|lastName|dateOfBirth|email|mobileNumber|code)$/.exec(path)?.[1];
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

function requestOf(body: Readonly<Record<string, unknown>>, ipAddress: string, isTest: boolean): GenerateRequest {
  const building = text(body['building']);
  const email = text(body['email']);
  const mobileNumber = text(body['mobileNumber'])
    .replace(/[\s()-]/g, '')
    .replace(/^00/, '+')
    .replace(/^0/, '+44');
  return {
    ...(isTest && { test: true, challengeOptions: { status: 'challenge' as const } }),
    sessionId: text(body['sessionId']),
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress,
    searchType: 'pcp',
    firstName: text(body['firstName']),
    lastName: text(body['lastName']),
    dateOfBirth: text(body['dateOfBirth']),
    ...(email && { email }),
    mobileNumber,
    addresses: [
      {
        type: 'current',
        ukAddress: {
          // The field holds a number, or the name of a house or a flat.
          ...(/^\d/.test(building) ? { buildingNumber: building } : { buildingName: building }),
          ...(text(body['street']) && { thoroughfare: text(body['street']) }),
          townOrCity: text(body['townOrCity']),
          postcode: text(body['postcode']),
        },
      },
    ],
  };
}

const POUNDS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

type Complete = { readonly creditReport: CreditReport; readonly coverage: Coverage };

function shown({ creditReport, coverage }: Complete): Answer {
  // Not found is not a clean file: empty lists on the page would tell the consumer that the file is clean.
  if (coverage.status === 'not-traced') return { status: 'stopped', why: 'not-found' };
  const { person, consumerData, previousSearches } = creditReport;
  const report: ShownReport = {
    name: `${person.firstName} ${person.lastName}`,
    accounts: consumerData.records.map(({ companyName, accountType, accountStatus, balance }) => ({
      lender: companyName ?? 'Lender not named',
      kind: accountType.replaceAll('-', ' '),
      state: accountStatus.replaceAll('-', ' '),
      balance: balance ? POUNDS.format(balance.amount / 100) : 'not stated',
    })),
    searches: previousSearches.providers.reduce((sum, { records }) => sum + records.length, 0),
    isPartial: coverage.status === 'partly-traced',
  };
  return { status: 'complete', report };
}

/** What a refusal means for the consumer. A fault that the consumer cannot correct is reported as ours, calmly. */
function refused(error: unknown): Answer {
  if (!(error instanceof TrefoilError)) return { status: 'stopped', why: 'unavailable' };
  if (error.code === 'validation-error') return invalid(error);
  // The key belongs to another request. The page must make a new key, or every retry would fail like this.
  if (error.code === 'idempotency-key-reused') return { status: 'stopped', why: 'failed' };
  if (error.code === 'challenge-expired' || error.code === 'challenge-closed') return EXPIRED;
  const isBusy = error.code === 'sms-limit-reached' || error.code === 'request-in-progress' || error.status === 429;
  return { status: 'stopped', why: isBusy ? 'busy' : 'unavailable' };
}

function invalid(error: TrefoilError): Answer {
  const fields: Record<string, string> = {};
  for (const { path, message } of error.details) {
    const field = fieldOf(path);
    if (field) fields[field] ??= message;
  }
  return Object.keys(fields).length > 0 ? { status: 'invalid', fields } : { status: 'stopped', why: 'unavailable' };
}

export function createJourneys(trefoil: Trefoil, isTest: boolean): Journeys {
  const open = new Map<string, Open>();
  /** By attempt. A phone may change networks before it retries, but a retry must repeat the request, IP address included. */
  const firstAddresses = new Map<string, string>();

  function firstAddressOf(attemptId: string, ipAddress: string): string {
    const first = firstAddresses.get(attemptId) ?? ipAddress;
    const [oldest] = firstAddresses.keys();
    if (firstAddresses.size >= JOURNEYS_MAX && oldest !== undefined) firstAddresses.delete(oldest);
    firstAddresses.set(attemptId, first);
    return first;
  }

  function remember(ids: Omit<Open, 'untilMs'>): string {
    const journeyId = randomBytes(24).toString('base64url');
    for (const [id, { untilMs }] of open) {
      if (untilMs > Date.now() && open.size < JOURNEYS_MAX) break;
      open.delete(id);
    }
    open.set(journeyId, { ...ids, untilMs: Date.now() + JOURNEY_MS });
    return journeyId;
  }

  return {
    async begin(body, ipAddress) {
      // The page creates the key with its form and keeps it until it has a certain answer, so a double click or a retry
      // causes one search. Do not use your order number: a second attempt for the same order is another search.
      const attemptId = text(body['attemptId']);
      const isKey = /^[\w-]{16,64}$/.test(attemptId);
      const call = isKey ? { idempotencyKey: attemptId } : {};
      const address = isKey ? firstAddressOf(attemptId, ipAddress) : ipAddress;
      try {
        const { data } = await trefoil.generate(requestOf(body, address, isTest), call);
        if (data.status === 'complete') return shown(data);
        if (data.status === 'blocked') return { status: 'stopped', why: 'declined' };
        if (data.status === 'failed') return { status: 'stopped', why: 'failed' };
        const { creditReportId, challenge } = data;
        return { status: 'code-needed', journeyId: remember({ creditReportId, challengeId: challenge.challengeId }) };
      } catch (error) {
        return refused(error);
      }
    },

    async submitCode(journeyId = '', body) {
      const journey = open.get(journeyId);
      if (!journey) return EXPIRED;
      try {
        const { creditReportId, challengeId } = journey;
        const { data } = await trefoil.submitOtp(creditReportId, { challengeId, code: text(body['code']) });
        // The journey stays open whatever the outcome: if the answer is lost, the same code returns it again.
        if (data.status === 'retry') return { status: 'retry', attemptsRemaining: data.attemptsRemaining };
        if (data.status === 'failed') return { status: 'stopped', why: 'failed' };
        return shown(data);
      } catch (error) {
        return refused(error);
      }
    },

    async resend(journeyId = '') {
      const journey = open.get(journeyId);
      if (!journey) return EXPIRED;
      try {
        const { data } = await trefoil.resendSms(journey.creditReportId, { challengeId: journey.challengeId });
        return { status: 'resent', sendsRemaining: data.remainingSmsCount };
      } catch (error) {
        // The journey goes on: codes from earlier messages still work.
        const isSpent = error instanceof TrefoilError && error.code === 'sms-limit-reached';
        return isSpent ? { status: 'resent', sendsRemaining: 0 } : refused(error);
      }
    },
  };
}
