// The screening provider over HTTP: one call per report, guarded, within one budget. There is deliberately no retry: the
// budget has no room for one, and providers count requests about a person, so a second one would change the answer.

import type { Static } from 'typebox';
import { createGuard, GUARD_SETTINGS } from '../lib/outside/guard-calls.ts';
import { openHttpLine } from '../lib/outside/http-line.ts';
import { closed, HttpUrl, SettingText } from '../lib/setting-schema.ts';
import type { Screening, ScreeningOutcome } from './port.ts';
import { readReply, unavailable } from './reply.ts';
import { writeRequest } from './request.ts';

/** From the call to its outcome, including the wait for a place (docs/decisions/0045-budgets-and-lease.md). */
export const SCREENING_BUDGET_MS = 2_000;
/** Per node. At a fifth of a second each, this allows 500 reports a second. */
export const SCREENING_CONCURRENT_MAX = 100;
/** A reply has one word and ten codes. */
const REPLY_BYTES_MAX = 16_384;

/** What an operator sets. */
export const HttpScreeningOptions = closed({ baseUrl: HttpUrl, apiKey: SettingText, ...GUARD_SETTINGS });
export type HttpScreeningOptions = Static<typeof HttpScreeningOptions>;

/** `patience`: how many times as long as usual a call may take. */
export function createHttpScreening(
  options: HttpScreeningOptions,
  patience = 1,
): Screening & { close(): Promise<void> } {
  const { baseUrl, apiKey, maxConcurrent = SCREENING_CONCURRENT_MAX, ...rest } = options;
  // A shorter time may be configured, a longer one may not: the report's lease relies on it.
  const budgetMs = patience * SCREENING_BUDGET_MS;
  const timeoutMs = Math.min(options.timeoutMs ?? budgetMs, budgetMs);
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
