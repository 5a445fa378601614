// After the right code: the request that brought it first asks the bureaus, everybody else with that code waits for it.
import { setTimeout } from 'node:timers/promises';
import type { GenerateRequest, SubmitOtpData } from '@trefoil/contract';
import { type KeyedRequest, requestInProgress } from '../idempotency/claim-keys.ts';
import { describeError } from '../lib/log.ts';
import type { DataKey } from '../lib/vault.ts';
import { type Reference, type Rendered, withReport } from './answer.ts';
import type { ReportDependencies } from './dependencies.ts';
import { fetchAndSeal } from './fetch-report.ts';
import { findSettled } from './find-settled.ts';
import { requireLive } from './live.ts';
import { findReportState, type ReportKey } from './live-store.ts';
import type { Outcome } from './settle-reports.ts';

/** The work that a right code begins. */
export type Fetch = {
  readonly step: 'fetch';
  readonly fence: number;
  /** Who brought the right code. */
  readonly actor: string;
  readonly request: GenerateRequest;
  readonly dataKey: DataKey;
};

/** As long as bureaus may take together, and a little for the two transactions around them. */
const WAIT_MS = 17_000;
const POLL_MS = 100;

export async function finishFetch(
  dependencies: ReportDependencies,
  key: ReportKey,
  { fence, actor, request, dataKey }: Fetch,
  keyed: KeyedRequest | undefined,
): Promise<Rendered<SubmitOtpData>> {
  const live = requireLive(dependencies);
  let fetched: { outcome: Outcome; reportText?: string };
  try {
    fetched = await fetchAndSeal(live, key.creditReportId, request, dataKey);
  } catch (error) {
    dependencies.log.error('live report failed', describeError(error));
    fetched = { outcome: { kind: 'failed', failure: 'interrupted' } };
  }
  const { outcome, reportText } = fetched;
  const settled = await live.settle({ ...key, from: 'fetching', fence, actor, outcome, mayHaveKey: true });
  live.failpoint('after-settle-before-reply');
  if (settled.kind === 'superseded') return findSettled<SubmitOtpData>(dependencies, key, 'submit', keyed);
  return withReport(settled.reference as Reference<SubmitOtpData>, reportText);
}

/** Looks again and again without holding a connection; another node may be the one that fetches. */
export async function waitForFetch(
  dependencies: ReportDependencies,
  key: ReportKey,
  keyed: KeyedRequest | undefined,
): Promise<Rendered<SubmitOtpData>> {
  const endMs = performance.now() + WAIT_MS;
  for (;;) {
    const state = await dependencies.database.forTenants([key.tenantId], (tx) => findReportState(tx, key));
    if (state?.status !== 'fetching') return findSettled<SubmitOtpData>(dependencies, key, 'submit', keyed);
    if (performance.now() > endMs) throw requestInProgress();
    await setTimeout(POLL_MS);
  }
}
