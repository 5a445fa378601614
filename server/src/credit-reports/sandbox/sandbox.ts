// Test mode: replaces screening, bureaus and the SMS carrier inside the server. It calls nothing, charges nothing and
// uses no money table. Interface, "Test mode".
import type { ChallengeStatus, CreditReport, GenerateRequest } from '@trefoil/contract';
import { chooseScenario } from './rules/scenario.ts';
import { synthesiseReport } from './rules/synthetic-report.ts';

/** The fixed code, right in test mode only. */
const TEST_CODE = '123456';

/** Without options the consumer is allowed (docs/decisions/0030-test-mode-default.md). */
export function screenInSandbox(request: GenerateRequest): ChallengeStatus {
  return request.challengeOptions?.status ?? 'allow';
}

export function reportFromSandbox(request: GenerateRequest): CreditReport {
  return synthesiseReport(chooseScenario(request.email), request);
}

export function isTestCode(code: string): boolean {
  return code === TEST_CODE;
}
