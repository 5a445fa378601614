// After the right code: the first request with it asks the bureaus, and all others with that code wait for that
// request.
import { setTimeout } from 'node:timers/promises';
import type { GenerateRequest, SubmitOtpData } from '@trefoil/contract';
import { type KeyedRequest, requestInProgress } from '../../idempotency/claim-keys.ts';
import type { DataKey } from '../../lib/crypto/vault.ts';
import type { Release } from '../../lib/limits/places.ts';
import { describeError } from '../../lib/log.ts';
import { remainingMs } from '../../lib/request-scope.ts';
import { type Reference, type Rendered, withReport } from '../answer.ts';
import type { ReportDependencies } from '../dependencies.ts';
import { fetchAndSeal } from '../live/fetch-report.ts';
import { findSettled } from '../live/find-settled.ts';
import { findReportState } from '../live/live-store.ts';
import { requireLive } from '../live/require-live.ts';
import type { Outcome } from '../live/settle-reports.ts';
import type { OpenedReport } from '../seal-report.ts';
import type { ReportKey } from '../store.ts';

/** The work that a right code starts. */
export type Fetch = {
  readonly step: 'fetch';
  readonly fence: number;
  /** The caller that submitted the right code. */
  readonly actor: string;
  readonly request: GenerateRequest;
  readonly dataKey: DataKey;
};

/** The longest the bureaus may take together, plus a little for the two transactions around them. */
export const FETCH_WAIT_MS = 17_000;
const POLL_MS = 100;
/** Reserved for the answer itself. */
const ANSWER_MS = 1_000;

export async function finishFetch(
  dependencies: ReportDependencies,
  key: ReportKey,
  { fence, actor, request, dataKey }: Fetch,
  { keyed, release }: { readonly keyed: KeyedRequest | undefined; readonly release: Release },
): Promise<Rendered<SubmitOtpData>> {
  const live = requireLive(dependencies);
  let fetched: { outcome: Outcome; opened?: OpenedReport };
  try {
    fetched = await fetchAndSeal(live, { creditReportId: key.creditReportId, request, dataKey, release });
  } catch (error) {
    dependencies.log.error('live report failed', describeError(error));
    fetched = { outcome: { kind: 'failed', failure: 'interrupted' } };
  } finally {
    release(...request.bureaus);
  }
  const { outcome, opened } = fetched;
  const settling = dependencies.queue.settle({ ...key, from: 'fetching', fence, actor, outcome, mayHaveKey: true });
  const settled = await live.leases.keep({ ...key, from: 'fetching', fence }, settling);
  live.failpoint('after-settle-before-reply');
  if (settled.kind === 'superseded') return findSettled<SubmitOtpData>(dependencies, key, 'submit', keyed);
  return withReport(settled.reference as Reference<SubmitOtpData>, opened);
}

/** Polls without holding a connection; the request that fetches may run on another node. */
export async function waitForFetch(
  dependencies: ReportDependencies,
  key: ReportKey,
  keyed: KeyedRequest | undefined,
): Promise<Rendered<SubmitOtpData>> {
  const endMs = performance.now() + Math.min(dependencies.fetchWaitMs, remainingMs() - ANSWER_MS);
  for (;;) {
    const state = await dependencies.database.forTenants([key.tenantId], (tx) => findReportState(tx, key));
    if (state?.status !== 'fetching') return findSettled<SubmitOtpData>(dependencies, key, 'submit', keyed);
    if (performance.now() > endMs) throw requestInProgress();
    await setTimeout(POLL_MS);
  }
}
