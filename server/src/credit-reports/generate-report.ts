// Generate: screens the consumer and answers complete, authentication-required, blocked or failed.
import type { GenerateData, GenerateRequest } from '@trefoil/contract';
import type { Caller } from '../http/authenticate.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import { ownMs } from '../lib/request-scope.ts';
import { followReport } from '../lib/traces/span.ts';
import { normaliseEmail } from '../lib/values/email.ts';
import { normalisePostcode } from '../lib/values/postcode.ts';
import { type Rendered, withReference } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { modeOf } from './modes.ts';
import { consumerRequest } from './rules/consumer-request.ts';
import { requirePossible } from './sandbox/require-possible.ts';

export async function generateReport(
  dependencies: ReportDependencies,
  caller: Caller,
  request: GenerateRequest,
  idempotency: IdempotentRequest | undefined,
): Promise<Rendered<GenerateData>> {
  requirePossible(caller, request);
  const kept = consumerRequest(request, { normalisePostcode, normaliseEmail });
  const mode = modeOf(dependencies, request.test === true);
  // The reference of this request is the report's: with another one, its key would not have found the first answer.
  const answer = withReference(await mode.generate({ caller, request, kept, idempotency }), kept.externalReference);
  if (answer.isReplay) {
    followReport(answer.data.creditReportId);
    return answer;
  }
  const { reports, ownSeconds } = dependencies.metrics;
  reports.inc({ mode: mode.name, status: answer.data.status });
  const usedMs = ownMs();
  if (mode.name === 'live' && usedMs !== undefined) ownSeconds.observe(usedMs / 1_000);
  return answer;
}
