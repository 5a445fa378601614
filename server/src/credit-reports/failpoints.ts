// The points in a live report's life where a test can kill the process (lib/failpoints.ts).
export const FAILPOINTS = [
  'before-reserve-commit',
  'after-reserve',
  'before-bureau-send',
  'after-bureau-send',
  'after-bureau-reply',
  'before-settle-commit',
  'after-settle-before-reply',
  'before-sms-submit',
  'after-sms-submit',
  'before-receipt-commit',
] as const;

export type FailpointName = (typeof FAILPOINTS)[number];
