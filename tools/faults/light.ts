// The findings that a slow or stopped machine explains.
import type { Light } from '../chaos/verdict.ts';
import { SETTLED_LATE } from '../chaos/watch.ts';
import { FEW_SAMPLES, LATE_IN_FAULT } from './windows.ts';

/** No answer came for as long as a client waits. */
export const ANSWERED = 'every request is answered';

export const LIGHT: Light = {
  times: [
    'a new generate completes within 10 s',
    'all is well 10 s after there is room',
    'all new generates complete after 10 s',
    'completions at least 80 % of its own rate',
    'each batch takes at most 1 s',
    'every bureau answers in time',
    'every client gets its report in time',
    'every generate is served',
    'every receipt is answered',
    'every receipt is applied in time',
    'every report can be read in time',
    ANSWERED,
    'every request is answered within 20 s',
    SETTLED_LATE,
    'a reset link arrives within 5 s',
    'no other tenant notices',
    'no report fails',
    'no request waits long for Redis',
    'nothing begins more than 2 s after the company is disabled',
    LATE_IN_FAULT,
    'answers are back to twice the quiet p99 within 10 s',
    'the excess is refused within 1 s at p99',
    'the limited tenant gets its rate',
    'the other tenants are served',
    'with room every generate is served',
  ],
  others: [
    'a log line tells',
    'a metric tells',
    FEW_SAMPLES,
    'a right code is answered within 5 s',
    'memory at most 700 MB',
    'connections are waited for when the company is disabled',
    'notices wait while the links are sent',
    '/readyz says 503 during it',
    'the fault met reports at the bureaus',
    'the scenario runs',
  ],
};
