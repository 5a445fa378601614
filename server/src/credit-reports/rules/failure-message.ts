// The sentences a caller reads when a report has failed: what happened, what became of the money, and what to do. They
// reveal nothing about the risk assessment.
import { ATTEMPTS_MAX } from './challenge.ts';
import type { Refusal } from './delivery.ts';
import type { Failure } from './settlement.ts';

/**
 * Before a challenge nothing is charged; after one there is a charge and its refund
 * (docs/decisions/0050-when-the-report-is-charged.md).
 */
export type Money = 'not-charged' | 'refunded' | 'test';

export type PublicFailure = {
  readonly failure: Failure;
  readonly money: Money;
  /** The reason, with `not-deliverable`; null or absent where there is none to show. */
  readonly because?: Refusal | null | undefined;
  /** The number's country, where the caller may see it. */
  readonly country?: string | undefined;
};

/** What happened, and what to do. */
type Sentences = readonly [happened: string, next: string];

const MONEY: Readonly<Record<Money, string>> = {
  'not-charged': ' Nothing was charged.',
  refunded: ' The report’s charge is refunded.',
  test: '',
};

const MESSAGES: Readonly<Record<Exclude<Failure, 'not-deliverable'>, Sentences>> = {
  'screening-unavailable': ['The request could not be assessed just now.', 'Try again later.'],
  'device-not-verified': [
    'The device could not be verified.',
    'Load the fingerprint script on the page and send its sessionId within 30 minutes. It is for one person: send the same names and date of birth as in its first use.',
  ],
  'no-bureau-answered': ['No bureau answered.', 'Try again later.'],
  interrupted: ['The request was interrupted before it finished.', 'Generate a new report.'],
  'reservation-late': ['The service was too busy to begin in time, and nobody was asked.', 'Generate a new report.'],
  'attempts-used': [
    `All ${ATTEMPTS_MAX} attempts are used and the challenge has failed.`,
    'Generate a new report to start again.',
  ],
  expired: ['The challenge has expired.', 'Generate a new report to start again.'],
};

const NEEDED = 'A verification code is needed';
const MORE = 'Generate again later, or ask the operator of this service for a larger budget.';
/** They share +44 with GB, so a caller may mistake them for it. */
const SHARES_44: ReadonlySet<string> = new Set(['GG', 'IM', 'JE']);

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

function countrySentences(country: string | undefined): Sentences {
  const next = 'Send another mobileNumber, or ask the operator of this service to allow the country.';
  if (country === undefined)
    return [`${NEEDED}, but the mobileNumber belongs to a country your company has not allowed.`, next];
  const name = `${countryNames.of(country) ?? country} (${country})`;
  const hint = SHARES_44.has(country) ? ' It is not part of GB, although they share +44.' : '';
  return [`${NEEDED}, but the mobileNumber belongs to ${name}, a country your company has not allowed.${hint}`, next];
}

function undeliverable(because: Refusal | null | undefined, country: string | undefined): Sentences {
  switch (because) {
    case 'mobile-missing':
      return [`${NEEDED}, but mobileNumber is missing.`, 'Generate again with a mobileNumber such as +447700900123.'];
    case 'not-a-mobile':
      return [
        `${NEEDED}, but mobileNumber is not a mobile number.`,
        'Generate again with a number that can receive text messages.',
      ];
    case 'country-not-allowed':
      return countrySentences(country);
    case 'company-number':
      return [
        `${NEEDED}, but your company has reached its limit of challenges or messages for this number in 24 hours.`,
        'Generate again later.',
      ];
    case 'company-mistakes':
      return [
        `${NEEDED}, but your company has submitted too many wrong codes for this number in 24 hours.`,
        'Generate again later.',
      ];
    case 'company-day':
      return [`${NEEDED}, but your company’s message budget for the day (UTC) does not allow another message.`, MORE];
    case 'company-minute':
      return [`${NEEDED}, but your company’s message budget for the minute does not allow another message.`, MORE];
    case 'protection':
    case null:
    case undefined:
      return [
        `${NEEDED}, but cannot be delivered to this number now.`,
        'Generate again later, or with a different mobileNumber.',
      ];
  }
}

/** A wrong code, with attempts left. */
export function retryMessage(attemptsRemaining: number): string {
  return `The code is not right. ${attemptsRemaining} ${attemptsRemaining === 1 ? 'attempt remains' : 'attempts remain'}.`;
}

export function failureMessage({ failure, money, because, country }: PublicFailure): string {
  const [happened, next] = failure === 'not-deliverable' ? undeliverable(because, country) : MESSAGES[failure];
  return `${happened}${MONEY[money]} ${next}`;
}
