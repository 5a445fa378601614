// Test mode: replaces screening, bureaus and the SMS carrier inside the server. It calls nothing and touches no table of the live wallet; charges
// on request go to a wallet of its own (charge-in-sandbox.ts). Interface, "Test mode".
import type { BureauResult, ChallengeStatus, CreditReport, GenerateRequest } from '@trefoil/contract';
import type { Failure } from '../rules/settlement.ts';
import { chooseScenario } from './rules/scenario.ts';
import { synthesiseReport, synthesiseUntraced } from './rules/synthetic-report.ts';
import { answersOf } from './rules/test-options.ts';

/** The fixed code, right in test mode only. */
export const TEST_CODE = '123456';

/** Without options the consumer is allowed (docs/decisions/0030-test-mode-default.md). */
export function screenInSandbox(request: GenerateRequest): ChallengeStatus {
  return request.challengeOptions?.status ?? 'allow';
}

export type SandboxReport =
  | { readonly kind: 'failed'; readonly failure: Failure }
  | {
      readonly kind: 'complete';
      readonly report: CreditReport;
      readonly bureauResults: readonly BureauResult[];
      /** Stored with the report; null where every bureau is ok, as reading assumes. */
      readonly storedResults: readonly BureauResult[] | null;
    };

/** The bureaus' answers as one report: only bureaus that found the person contribute, as in live mode. */
export function reportFromSandbox(request: GenerateRequest): SandboxReport {
  const answers = answersOf(request);
  if (answers.kind === 'failed') return answers;
  const { results, found, isChosen } = answers;
  const report =
    found.length > 0
      ? synthesiseReport(chooseScenario(request.email), { ...request, bureaus: [...found] })
      : synthesiseUntraced(request);
  return { kind: 'complete', report, bureauResults: results, storedResults: isChosen ? results : null };
}

export function isTestCode(code: string): boolean {
  return code === TEST_CODE;
}
