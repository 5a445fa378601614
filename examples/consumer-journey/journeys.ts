// One consumer's journey to a report, on the tenant's server. The page receives only these answers: no ids, no scores,
// nothing from the report. The server keeps the ids of a journey and the IP address of its first try for half an hour, and then
// until the next visit, in memory alone. It keeps nothing of what was typed.
import { randomBytes } from 'node:crypto';
import { type BureauResult, type Trefoil, TrefoilError } from '@trefoil/sdk';
import { faultsOf, requestOf, type Typed, text } from './details.ts';
import { failed, refused, type Stopped } from './reasons.ts';

/** Kept apart, here and in every sentence: an agency that found nobody has answered, a silent one has not. */
export type Gaps = { readonly foundNobody: readonly string[]; readonly silent: readonly string[] };

export type Answer = { readonly journeyId?: string } & (
  | { readonly status: 'complete' }
  | { readonly status: 'code-needed' }
  | { readonly status: 'retry'; readonly attemptsRemaining: number }
  | { readonly status: 'resent'; readonly sendsRemaining: number }
  /** No further message, and whether that is because this code's messages are used up. */
  | { readonly status: 'not-resent'; readonly isLast: boolean }
  | { readonly status: 'delivery'; readonly isLost: boolean }
  | { readonly status: 'invalid'; readonly fields: Readonly<Record<string, string>> }
  | (Stopped & { readonly gaps?: Gaps })
);

export interface Journeys {
  begin(typed: Typed, ipAddress: string): Promise<Answer>;
  submitCode(journeyId: string | undefined, typed: Typed): Promise<Answer>;
  resend(journeyId: string | undefined): Promise<Answer>;
  /** Whether the newest message is known not to arrive. */
  delivery(journeyId: string | undefined): Promise<Answer>;
  /** The id of the report, if this browser has completed its journey. */
  findReport(journeyId: string | undefined): string | undefined;
  close(journeyId: string | undefined): void;
}

type Journey = {
  readonly creditReportId: string;
  readonly challengeId?: string;
  /** Only then may its report be read. */
  readonly isComplete: boolean;
  readonly untilMs: number;
};

export const JOURNEY_MS = 30 * 60_000;
const JOURNEYS_MAX = 10_000;
const CLOSED: Answer = { status: 'stopped', why: 'closed' };
const NAMES = { equifax: 'Equifax', experian: 'Experian', transunion: 'TransUnion' };

function gapsOf(results: readonly BureauResult[]): Gaps {
  const named = (wanted: BureauResult['outcome']) =>
    results.flatMap(({ bureau, outcome }) => (outcome === wanted ? NAMES[bureau] : []));
  return { foundNobody: named('no-trace'), silent: named('unavailable') };
}

/** Deletes what is over and, in a full map, the oldest. */
function makeRoom(kept: Map<string, { readonly untilMs: number }>): void {
  for (const [id, { untilMs }] of kept) {
    if (untilMs > Date.now() && kept.size < JOURNEYS_MAX) break;
    kept.delete(id);
  }
}

type Complete = {
  readonly creditReportId: string;
  readonly coverage: { readonly status: string };
  readonly bureauResults: readonly BureauResult[];
};

export function createJourneys(trefoil: Trefoil, isTest: boolean): Journeys {
  const journeys = new Map<string, Journey>();
  /** By attempt. A phone may change networks before it retries, but a retry must repeat the request, IP address included. */
  const firstAddresses = new Map<string, { readonly ipAddress: string; readonly untilMs: number }>();

  function firstAddressOf(attemptId: string, ipAddress: string): string {
    makeRoom(firstAddresses);
    const first = firstAddresses.get(attemptId) ?? { ipAddress, untilMs: Date.now() + JOURNEY_MS };
    firstAddresses.set(attemptId, first);
    return first.ipAddress;
  }

  /** Under an id of its own each time, and so the id of an open challenge never becomes the id that opens a report. */
  function remember(journey: Omit<Journey, 'untilMs'>): string {
    const journeyId = randomBytes(24).toString('base64url');
    makeRoom(journeys);
    journeys.set(journeyId, { ...journey, untilMs: Date.now() + JOURNEY_MS });
    return journeyId;
  }

  function find(journeyId = ''): Journey | undefined {
    const journey = journeys.get(journeyId);
    return journey && journey.untilMs > Date.now() ? journey : undefined;
  }

  function complete({ creditReportId, coverage, bureauResults }: Complete): Answer {
    // Not found is not a clean file: an empty report would tell the consumer that the file is clean.
    if (coverage.status === 'not-traced') return { status: 'stopped', why: 'not-found', gaps: gapsOf(bureauResults) };
    return { status: 'complete', journeyId: remember({ creditReportId, isComplete: true }) };
  }

  return {
    async begin(typed, ipAddress) {
      // The page creates the key with its form and keeps it until it has a certain answer, so a double click or a retry
      // causes one search. Do not use your order number: a second attempt for the same order is another search.
      const attemptId = text(typed['attemptId']);
      const isKey = /^[\w-]{16,64}$/.test(attemptId);
      const call = isKey ? { idempotencyKey: attemptId } : {};
      const address = isKey ? firstAddressOf(attemptId, ipAddress) : ipAddress;
      try {
        const { data } = await trefoil.generate(requestOf(typed, address, isTest), call);
        if (data.status === 'complete') return complete(data);
        if (data.status === 'blocked') return { status: 'stopped', why: 'blocked' };
        if (data.status === 'failed') return failed(data);
        const { creditReportId, challenge } = data;
        const journey = { creditReportId, challengeId: challenge.challengeId, isComplete: false };
        return { status: 'code-needed', journeyId: remember(journey) };
      } catch (error) {
        const fields = error instanceof TrefoilError ? faultsOf(error) : {};
        return Object.keys(fields).length > 0 ? { status: 'invalid', fields } : refused(error);
      }
    },

    async submitCode(journeyId, typed) {
      const { creditReportId, challengeId, isComplete } = find(journeyId) ?? {};
      // The code was right and the page missed the answer, but the browser has the cookie that opens the report.
      if (isComplete) return { status: 'complete' };
      if (!creditReportId || !challengeId) return CLOSED;
      try {
        const { data } = await trefoil.submitOtp(creditReportId, { challengeId, code: text(typed['code']) });
        // The journey stays open after every outcome: if the answer is lost, the same code returns it again.
        if (data.status === 'retry') return { status: 'retry', attemptsRemaining: data.attemptsRemaining };
        if (data.status === 'failed') return failed(data);
        return complete(data);
      } catch (error) {
        return refused(error);
      }
    },

    async resend(journeyId) {
      const { creditReportId, challengeId } = find(journeyId) ?? {};
      if (!creditReportId || !challengeId) return CLOSED;
      try {
        const { data } = await trefoil.resendSms(creditReportId, { challengeId });
        return { status: 'resent', sendsRemaining: data.remainingSmsCount };
      } catch (error) {
        // The journey goes on: codes from earlier messages still work.
        if (!(error instanceof TrefoilError) || !error.is('sms-limit-reached')) return refused(error);
        return { status: 'not-resent', isLast: error.limit.kind === 'challenge' };
      }
    },

    async delivery(journeyId) {
      const { creditReportId, challengeId } = find(journeyId) ?? {};
      if (!creditReportId || !challengeId) return CLOSED;
      try {
        const { data } = await trefoil.getReport(creditReportId);
        const newest = data.status === 'authentication-required' ? data.challenge.sends.at(-1) : undefined;
        return { status: 'delivery', isLost: newest?.state === 'undelivered' || newest?.state === 'refused' };
      } catch (error) {
        return refused(error);
      }
    },

    findReport(journeyId) {
      const journey = find(journeyId);
      return journey?.isComplete ? journey.creditReportId : undefined;
    },

    close: (journeyId = '') => void journeys.delete(journeyId),
  };
}
