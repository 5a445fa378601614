// Plays one scenario through the API, and says in words what came of it.
import { TrefoilError, TrefoilNoAnswerError } from '@trefoil/sdk';
import { api } from '../api/client.ts';
import { STATUSES, type Tone } from '../format/words.ts';
import type { Next, Scenario } from './scenarios.ts';

export type Result = {
  readonly tone: Tone;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly creditReportId?: string | undefined;
};

/** A refusal is what many scenarios are for, so none is repeated, and its code is shown as a program sees it. */
const ONCE = { maxRetries: 0 };

export async function runScenario(tenantId: string, { request, next }: Scenario): Promise<Result> {
  const trefoil = api(tenantId);
  let creditReportId: string | undefined;
  try {
    const { data } = await trefoil.generate(request, ONCE);
    creditReportId = data.creditReportId;
    if (data.status === 'authentication-required' && next) {
      return { creditReportId, ...(await follow(tenantId, creditReportId, data.challenge.challengeId, next)) };
    }
    const detail =
      data.status === 'failed' ? data.errorMessage : data.status === 'complete' ? data.coverage.message : undefined;
    return { ...STATUSES[data.status], detail, creditReportId };
  } catch (error) {
    return { creditReportId, ...refusalOf(error) };
  }
}

async function follow(tenantId: string, creditReportId: string, challengeId: string, next: Next): Promise<Result> {
  const trefoil = api(tenantId);
  switch (next.kind) {
    case 'code': {
      const { data } = await trefoil.submitOtp(creditReportId, { challengeId, code: next.code }, ONCE);
      if (data.status === 'retry') return { tone: 'warn', label: 'Wrong code', detail: data.errorMessage };
      return { ...STATUSES[data.status], detail: data.status === 'failed' ? data.errorMessage : undefined };
    }
    case 'resend': {
      const { data } = await trefoil.resendSms(creditReportId, { challengeId }, ONCE);
      return { tone: 'good', label: 'Sent again', detail: `${data.smsSentCount} texts so far` };
    }
    case 'clock': {
      const { data } = await trefoil.advanceTestClock(creditReportId, next.advanceSeconds, ONCE);
      return { ...STATUSES[data.status], detail: `After ${next.advanceSeconds} seconds.` };
    }
  }
}

export function refusalOf(error: unknown): Result {
  if (error instanceof TrefoilNoAnswerError) return { tone: 'bad', label: 'No answer' };
  if (!(error instanceof TrefoilError)) throw error;
  return { tone: 'bad', label: `${error.status} ${error.code}`, detail: error.message };
}
