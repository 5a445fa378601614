// Words of Home for the API's words. Total maps over closed lists; a value of an open list is shown as it is.
import type { Bureau, Usage } from '../api/home-queries.ts';
import { FAILURES, type Tone } from '../format/words.ts';

/** What the cards without a choice of their own show. */
export const PERIOD_DAYS = 14;

export const BUREAU_STATES: Record<Bureau['state'], { readonly label: string; readonly tone: Tone }> = {
  answering: { label: 'Answering', tone: 'good' },
  unsteady: { label: 'Unsteady', tone: 'warn' },
  failing: { label: 'Failing', tone: 'bad' },
  'not-asked': { label: 'Not asked', tone: 'quiet' },
};

export const OUTCOMES: Record<keyof Usage['outcomes'], { readonly label: string; readonly color: string }> = {
  complete: { label: 'Complete', color: 'var(--chart-1)' },
  expired: { label: 'Code expired', color: 'var(--chart-warn)' },
  blocked: { label: 'Blocked', color: 'var(--chart-quiet)' },
  failed: { label: 'Failed', color: 'var(--chart-bad)' },
};

const isKnownFailure = (reason: string): reason is keyof typeof FAILURES => Object.hasOwn(FAILURES, reason);

export const failureWords = (reason: string) => (isKnownFailure(reason) ? FAILURES[reason] : reason);

/** What happened, by the type of its event; the quiet words follow the others. */
export const HAPPENINGS: Readonly<Record<string, { readonly what: string; readonly more?: string }>> = {
  'credit-report.completed': { what: 'Report complete' },
  'credit-report.challenged': { what: 'Report waiting for code' },
  'credit-report.blocked': { what: 'Report blocked', more: 'stopped by screening' },
  'credit-report.failed': { what: 'Report failed' },
  'credit-report.expired': { what: 'Report failed', more: 'the code expired' },
  'wallet.topped-up': { what: 'Top-up' },
  'wallet.low': { what: 'Low balance', more: 'below your alert limit' },
};
