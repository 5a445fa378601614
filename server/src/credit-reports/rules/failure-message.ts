// The sentence a caller reads when a report has failed. It says what to do and nothing of the risk assessment.
import { ATTEMPTS_MAX } from './challenge.ts';
import type { Failure } from './settlement.ts';

const MESSAGES: Readonly<Record<Failure, string>> = {
  'screening-unavailable': 'The request could not be assessed just now. Nothing was charged; try again later.',
  'device-not-verified':
    'The device could not be verified. Load the fingerprint script on the page and generate again within 30 minutes.',
  'not-deliverable':
    'A verification code is needed and cannot be delivered. Send the mobileNumber of a UK mobile, or try again tomorrow.',
  'no-bureau-answered': 'No bureau answered. Nothing was charged; try again later.',
  interrupted: 'The request was interrupted before it finished. Nothing was charged; generate a new report.',
  'attempts-used': `All ${ATTEMPTS_MAX} attempts are used and the challenge has failed. Generate a new report to start again.`,
  expired: 'The challenge has expired. Generate a new report to start again.',
};

export function failureMessage(failure: Failure): string {
  return MESSAGES[failure];
}
