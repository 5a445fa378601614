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

type Outcome = { readonly label: string; readonly color: string; readonly of: readonly (keyof Usage['outcomes'])[] };

/** As the list of reports counts them: one whose code expired has failed. */
export const OUTCOMES: readonly Outcome[] = [
  { label: 'Complete', color: 'var(--chart-1)', of: ['complete'] },
  { label: 'Blocked', color: 'var(--chart-quiet)', of: ['blocked'] },
  { label: 'Failed', color: 'var(--chart-bad)', of: ['failed', 'expired'] },
];

const isKnownFailure = (reason: string): reason is keyof typeof FAILURES => Object.hasOwn(FAILURES, reason);

/** To stand inside a sentence. */
export function failureWords(reason: string): string {
  if (!isKnownFailure(reason)) return reason;
  const words = FAILURES[reason];
  return words.charAt(0).toLowerCase() + words.slice(1);
}

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
