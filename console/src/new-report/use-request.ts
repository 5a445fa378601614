// One attempt to get a report: it is sent when a person presses the button and never again by itself. While it is not known
// what became of it, the same request goes out under the same key, so that there is never a second report
// (docs/decisions/0237-reports-typed-by-staff.md).
import { onlineManager } from '@tanstack/react-query';
import {
  type CreditReportResponse,
  type GenerateRequest,
  type GenerateResponse,
  TrefoilError,
  TrefoilNoAnswerError,
} from '@trefoil/sdk';
import { useRef, useState } from 'react';
import { api } from '../api/client.ts';
import { type Details, type Faults, faultsOf } from './fields.ts';

export type Problem =
  /** Fields that the API refused. */
  | { readonly kind: 'faults'; readonly faults: Faults; readonly others: readonly string[] }
  /** 402, in credits. */
  | { readonly kind: 'funds'; readonly required: number; readonly available: number }
  /** 429, and 503 before anything began. */
  | { readonly kind: 'busy'; readonly afterSeconds: number | undefined; readonly isLimited: boolean }
  /** Nothing left this computer. */
  | { readonly kind: 'offline' }
  /** No answer, or one that does not say whether there is a report; `cause` is why a repeat could not find out. */
  | { readonly kind: 'unknown'; readonly cause?: TrefoilError }
  /** An answer: there is no report, and why. */
  | { readonly kind: 'failed'; readonly message: string; readonly creditReportId: string }
  /** Everything else: sign-in, role, and what nobody expected. */
  | { readonly kind: 'refused'; readonly error: unknown };

type Attempt = { key: string; sent?: GenerateRequest };
export type State = { readonly isSending: boolean; readonly problem: Problem | undefined };

/** A digest of random bytes: the computer of staff says nothing about the consumer, and is not told apart. */
function randomDigest(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** `complete` is the report, if it came at once: for a company that keeps none, no other answer has it. */
type OnReport = (creditReportId: string, complete?: CreditReportResponse) => void;

export function useRequest(tenantId: string, onReport: OnReport) {
  // Made when the form opens: whatever is pressed twice is one request.
  const attempt = useRef<Attempt>({ key: crypto.randomUUID() });
  const [state, setState] = useState<State>({ isSending: false, problem: undefined });
  const isSending = useRef(false);

  async function send(read: () => Details): Promise<Problem | undefined> {
    const { current } = attempt;
    const trefoil = api(tenantId);
    if (!onlineManager.isOnline()) return current.sent ? { kind: 'unknown' } : { kind: 'offline' };
    const isRepeat = current.sent !== undefined;
    try {
      // Read only here: while the form is locked, its fields have no values.
      current.sent ??= await withSession(tenantId, read());
    } catch (error) {
      // The device session alone was asked for, so there is no report.
      if (error instanceof TrefoilNoAnswerError) return { kind: 'offline' };
      const problem = problemOf(error);
      return problem.kind === 'unknown' ? { kind: 'busy', afterSeconds: undefined, isLimited: false } : problem;
    }
    try {
      const call = { idempotencyKey: current.key, ...(!isRepeat && { maxRetries: 0 }) };
      return settle(await trefoil.generate(current.sent, call), current.sent);
    } catch (error) {
      const startedId = error instanceof TrefoilError ? error.creditReportId : undefined;
      if (startedId) return lead(startedId);
      const problem = problemOf(error);
      // It was made and is erased: the next press is another attempt.
      if (error instanceof TrefoilError && error.is('credit-report-purged')) {
        attempt.current = { key: crypto.randomUUID() };
        return problem;
      }
      // A refusal of a repeat says nothing about the first send, unless the request itself was judged.
      const isJudged = problem.kind === 'faults' || problem.kind === 'funds';
      if (isRepeat && !isJudged) return { kind: 'unknown', ...(error instanceof TrefoilError && { cause: error }) };
      // A refusal leaves the key unused, and what was typed may change before the next press.
      if (problem.kind !== 'unknown') delete current.sent;
      return problem;
    }
  }

  function lead(creditReportId: string, complete?: CreditReportResponse): undefined {
    onReport(creditReportId, complete);
  }

  function settle(answer: GenerateResponse, sent: GenerateRequest): Problem | undefined {
    const { data } = answer;
    if (data.status !== 'failed') return lead(data.creditReportId, completeOf(answer, sent));
    // The next press is another attempt, perhaps with another number.
    attempt.current = { key: crypto.randomUUID() };
    return { kind: 'failed', message: data.errorMessage, creditReportId: data.creditReportId };
  }

  return {
    ...state,
    async request(read: () => Details): Promise<void> {
      // A second press while the first is on its way.
      if (isSending.current) return;
      isSending.current = true;
      setState({ isSending: true, problem: undefined });
      const problem = await send(read);
      isSending.current = false;
      setState({ isSending: false, problem });
    },
  };
}

async function withSession(tenantId: string, details: Details): Promise<GenerateRequest> {
  const session = await api(tenantId).collectFingerprint({ deviceDigest: randomDigest(), degraded: true });
  return { ...details, ...session };
}

/** As reading the report gives it. */
function completeOf({ meta, data }: GenerateResponse, sent: GenerateRequest): CreditReportResponse | undefined {
  if (data.status !== 'complete') return undefined;
  const { challengeType: _, ...report } = data;
  return {
    meta: { request: meta.request },
    data: {
      ...report,
      test: sent.test ?? false,
      createdAt: new Date(Date.now() - meta.request.timeTakenMs).toISOString(),
      externalReference: sent.externalReference ?? null,
      costCredits: meta.wallet.cost,
      source: 'console',
    },
  };
}

function problemOf(error: unknown): Problem {
  if (error instanceof TrefoilNoAnswerError) return { kind: 'unknown' };
  if (!(error instanceof TrefoilError)) return { kind: 'refused', error };
  if (error.is('validation-error') && error.details.length > 0) return { kind: 'faults', ...faultsOf(error.details) };
  if (error.is('insufficient-funds', 'insufficient-credits')) {
    return { kind: 'funds', required: error.required, available: error.available };
  }
  const isLimited = error.status === 429;
  if (isLimited || error.is('service-unavailable')) {
    return { kind: 'busy', afterSeconds: error.retryAfterSeconds, isLimited };
  }
  // The first send still runs, or something on the way answered in the service's place.
  if (error.is('request-in-progress') || error.status >= 500) return { kind: 'unknown' };
  return { kind: 'refused', error };
}
