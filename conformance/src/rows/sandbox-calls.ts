// What the rows about the sandbox share: what they ask for, and the reasons for which a test report can fail.
import type { Fields } from '../sample.ts';

export const pins = 'Our decision 207';

export const options = (testOptions: unknown, changes: Fields = {}): Fields => ({ testOptions, ...changes });

export const AT_GENERATE = [
  'screening-unavailable',
  'device-not-verified',
  'mobile-missing',
  'not-a-mobile',
  'country-not-allowed',
  'company-number',
  'company-mistakes',
  'company-day',
  'company-minute',
  'protection',
] as const;
export const AT_BUREAUS = ['no-bureau-answered', 'interrupted'] as const;
