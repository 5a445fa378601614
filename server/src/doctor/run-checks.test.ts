import { afterEach, expect, test } from 'vitest';
import { endsAfter, startClock, stopClock } from '../lib/testing/stopped-clock.ts';
import { ok, skip } from './rules/finding.ts';
import { type Check, codeOf, runChecks } from './run-checks.ts';

const check = (name: string, run: Check['run'], limitMs = 200): Check => ({
  ...{ name, run, limitMs, subject: 'It', todo: 'Look.', see: 'docs/operate/runbook.md' },
});

afterEach(startClock);

test('checks run side by side; one that hangs and one that throws keep no other from its result', async () => {
  stopClock();
  let isAborted = false;
  const checking = runChecks([
    check('hangs', (signal) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
      });
      return new Promise(() => undefined);
    }),
    check('hangs too', () => new Promise(() => undefined)),
    check('throws', () => Promise.reject(Object.assign(new Error('hush'), { code: 'ECONNREFUSED' }))),
    check('is fine', async () => ok('Fine.')),
  ]);
  // Both that hang end with the one limit, so neither waited for the other.
  const results = await endsAfter(200, checking);
  expect(isAborted).toBe(true);
  expect(results.map(({ name, status, reason }) => [name, status, reason])).toEqual([
    ['hangs', 'fail', 'It gave no answer within 0.2 seconds.'],
    ['hangs too', 'fail', 'It gave no answer within 0.2 seconds.'],
    ['throws', 'fail', 'It refuses connections.'],
    ['is fine', 'ok', 'Fine.'],
  ]);
});

test('a check that may run out of time says so as it wants to, and other faults stay faults', async () => {
  const late = skip('Too much.');
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error('hush'), { code }));
  const results = await runChecks([
    { ...check('hangs', () => new Promise(() => undefined)), late },
    { ...check('is cut off', failing('57014')), late },
    { ...check('is not answered', failing('ETIMEDOUT')), late },
    { ...check('is locked', failing('55P03')), late },
    check('must not be late', failing('57014')),
  ]);
  expect(results.map(({ status, reason }) => [status, reason])).toEqual([
    ['skip', 'Too much.'],
    ['skip', 'Too much.'],
    ['skip', 'Too much.'],
    ['fail', 'It is held up by a lock.'],
    ['fail', 'It takes too long.'],
  ]);
});

const ERRORS: [unknown, string][] = [
  [Object.assign(new Error('x'), { code: '28P01' }), '28P01'],
  [
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }) }),
    'CERT_HAS_EXPIRED',
  ],
  [new DOMException('x', 'TimeoutError'), 'ETIMEDOUT'],
  [new Error('timeout exceeded when trying to connect'), 'ETIMEDOUT'],
  [new Error('Query read timeout'), 'ETIMEDOUT'],
  [new Error('Command timed out'), 'ETIMEDOUT'],
  [new Error('Connection terminated unexpectedly'), 'ECONNRESET'],
  [new Error('WRONGPASS invalid username-password pair hush'), 'WRONGPASS'],
  [new Error('something with a hush'), 'Error'],
  ['hush', 'unknown'],
];
for (const [error, code] of ERRORS) {
  test(`${code}: from an error whose text is not told`, () => expect(codeOf(error)).toBe(code));
}
