// The screening provider over HTTP: one call per report, guarded, within one budget. There is deliberately no retry: the
// budget has no room for one, and providers count requests about a person, so a second one would change the answer.
import { createGuard, type GuardOptions } from '../lib/guard-calls.ts';
import { openHttpLine } from '../lib/http-line.ts';
import type { Screening, ScreeningOutcome } from './port.ts';
import { readReply, unavailable } from './reply.ts';
import { writeRequest } from './request.ts';

/** From asking to knowing, waiting for a place included (docs/decisions/0045). */
export const SCREENING_BUDGET_MS = 2_000;
/** Per node. At a fifth of a second each it is 500 reports a second. */
const CONCURRENT_MAX = 100;
/** A reply is one word and ten codes. */
const REPLY_BYTES_MAX = 16_384;

export type HttpScreeningOptions = Partial<GuardOptions> & {
  readonly baseUrl: string;
  readonly apiKey: string;
};

export function createHttpScreening(options: HttpScreeningOptions): Screening & { close(): Promise<void> } {
  const { baseUrl, apiKey, maxConcurrent = CONCURRENT_MAX, ...rest } = options;
  // Less may be configured, more may not: a report's lease counts on it.
  const timeoutMs = Math.min(options.timeoutMs ?? SCREENING_BUDGET_MS, SCREENING_BUDGET_MS);
  const line = openHttpLine({ baseUrl, timeoutMs, connections: maxConcurrent, replyBytesMax: REPLY_BYTES_MAX });
  const guard = createGuard<ScreeningOutcome>(
    { ...rest, timeoutMs, maxConcurrent },
    {
      toOutcome: unavailable,
      faultOf: (outcome) => (outcome.kind === 'unavailable' ? outcome.cause : undefined),
    },
  );
  return {
    screen: (request) =>
      guard(async (signal) => readReply(await line.call(writeRequest(apiKey, request), signal), request.reference)),
    close: () => line.close(),
  };
}
