// The status of a stored report when it is read again. The interface has no word for `expired` or for work in progress
// (docs/decisions/0043-what-reading-shows.md): `expired` is a failure, and work in progress is not a state to report yet.
import type { ShownStatus } from '@trefoil/contract';
import { LIFETIME_US } from './challenge.ts';
import type { ReportStatus } from './report-status.ts';
import type { Failure } from './settlement.ts';

export type Standing = {
  readonly status: ReportStatus;
  /** Set on a `challenged` report whose attempts are used up: only its refund is missing. */
  readonly failure: Failure | null;
  readonly sinceLastSendUs: number | null;
};

/** Decided by the time, as for a code: a challenge ends after its five minutes even before a job has seen it. */
export function hasExpired({ status, sinceLastSendUs }: Omit<Standing, 'failure'>): boolean {
  return status === 'expired' || (status === 'challenged' && sinceLastSendUs !== null && sinceLastSendUs > LIFETIME_US);
}

export function shownStatus(standing: Standing): ShownStatus {
  if (hasExpired(standing)) return 'failed';
  switch (standing.status) {
    case 'pending':
    case 'fetching':
      return 'in-progress';
    case 'challenged':
      return standing.failure === null ? 'authentication-required' : 'failed';
    case 'failed':
    case 'expired':
      return 'failed';
    case 'blocked':
    case 'complete':
      return standing.status;
  }
}

/** The stored states that may be shown as this status; each challenge is checked for expiry separately. */
export function statusesBehind(shown: ShownStatus): readonly ReportStatus[] {
  switch (shown) {
    case 'in-progress':
      return ['pending', 'fetching'];
    case 'authentication-required':
      return ['challenged'];
    case 'failed':
      return ['failed', 'expired', 'challenged'];
    case 'blocked':
    case 'complete':
      return [shown];
  }
}
