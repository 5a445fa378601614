// How a stored report is shown to whoever reads it again. The interface has no word for `expired` and none for work in
// progress (docs/decisions/0043): the first is a failure, the second is no state to report yet.
import type { ShownStatus } from '@trefoil/contract';
import { LIFETIME_US } from './challenge.ts';
import type { ReportStatus } from './report-status.ts';

/** Judged by the time, as a code would be: a challenge whose five minutes are over is over before a job has seen it. */
export function hasExpired(status: ReportStatus, sinceLastSendUs: number | null): boolean {
  return status === 'expired' || (status === 'challenged' && sinceLastSendUs !== null && sinceLastSendUs > LIFETIME_US);
}

export function shownStatus(status: ReportStatus, sinceLastSendUs: number | null): ShownStatus {
  if (hasExpired(status, sinceLastSendUs)) return 'failed';
  switch (status) {
    case 'pending':
    case 'fetching':
      return 'in-progress';
    case 'challenged':
      return 'authentication-required';
    case 'failed':
    case 'expired':
      return 'failed';
    case 'blocked':
    case 'complete':
      return status;
  }
}

/** The stored states that can be shown so; whether a challenge has expired is seen one by one. */
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
