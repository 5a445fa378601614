import { expect, test } from 'vitest';
import { judgeAlerts, settlingSeconds } from './judge-alerts.ts';

const QUIET = { expected: ['TrefoilBureauUnavailable'], windowSeconds: 60, isNoisy: false };
const GONE = 'TrefoilBureauUnavailable';

test.each([
  ['the expected alert alone', [GONE, GONE], {}, [], []],
  ['another beside it, whenever it fired', [GONE, 'TrefoilReportsFail'], {}, ['TrefoilReportsFail'], []],
  ['one of the machine, which was quiet', ['TrefoilOwnTimeSlow'], {}, ['TrefoilOwnTimeSlow'], []],
  ['one of the machine, which was not', ['TrefoilOwnTimeSlow'], { isNoisy: true }, [], ['TrefoilOwnTimeSlow']],
  ['noise explains no other', ['TrefoilDown'], { isNoisy: true }, ['TrefoilDown'], []],
  ['a job that rests is seen in a long window', ['TrefoilWebhooksLate'], {}, ['TrefoilWebhooksLate'], []],
  ['and not in a short one', ['TrefoilWebhooksLate'], { windowSeconds: 10 }, [], ['TrefoilWebhooksLate']],
] as const)('%s', (_, fired, changes, unexpected, excused) => {
  expect(judgeAlerts(fired, { ...QUIET, ...changes })).toEqual({ unexpected, excused });
});

test('the windows are full before anything is judged', () => {
  expect([10, 60].map(settlingSeconds)).toEqual([10, 100]);
});
