// Named places where a test can kill the process, to prove that a crash there loses nothing and doubles nothing.
// Without configuration a failpoint does nothing; the configuration names one and which visit of it is fatal.
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

/** Which place is fatal, and at which visit, counted from 1. */
export type ArmedFailpoint = { readonly name: FailpointName; readonly visit: number };

export type Failpoint = (name: FailpointName) => void;

export function createFailpoint(armed: ArmedFailpoint | undefined, die: () => void): Failpoint {
  let visits = 0;
  return (name) => {
    if (name !== armed?.name) return;
    visits += 1;
    if (visits === armed.visit) die();
  };
}
