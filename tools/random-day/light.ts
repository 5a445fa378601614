// The findings of a day that a slow or stopped machine explains. A figure that differs is never among them.
import { ANSWERED_LATE } from '../chaos/client.ts';
import type { Light } from '../chaos/verdict.ts';
import { OPEN_TOO_LONG } from '../chaos/watch.ts';

export const LIGHT: Light = {
  times: [OPEN_TOO_LONG, ANSWERED_LATE, 'the day comes to rest'],
  others: ['nodes start', 'the run can look'],
};
