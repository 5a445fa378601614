// The types of events as the outbox stores them. Stored values: none may change.
import type { ShownStatus } from '@trefoil/contract';

/** The status that a list of reports shows after the event. */
const REPORT_TYPES = {
  'report.completed': 'complete',
  'report.challenged': 'authentication-required',
  'report.blocked': 'blocked',
  'report.failed': 'failed',
  'report.expired': 'failed',
} as const satisfies Record<string, ShownStatus>;

export type StoredType =
  | keyof typeof REPORT_TYPES
  | 'challenge.sent'
  | 'challenge.delivered'
  | 'challenge.undelivered'
  | 'challenge.verified'
  | 'wallet.charged'
  | 'wallet.refunded'
  | 'wallet.topped-up'
  | 'wallet.low';

/** Null for an event that is not about a report's status. */
export function reportStatusOf(type: StoredType): ShownStatus | null {
  return type in REPORT_TYPES ? REPORT_TYPES[type as keyof typeof REPORT_TYPES] : null;
}
