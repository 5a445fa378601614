import { expect, test } from 'vitest';
import { Mismatch } from './expect.ts';
import { type Row, Skip } from './row.ts';
import { runRows } from './runner.ts';
import { Session } from './session.ts';

const session = new Session('http://127.0.0.1:9', { tenantId: 't', clientId: 'c', clientSecret: 's' });
const run = { session, other: undefined, slow: false, progress: () => {} };
const row = (id: string, check: Row['run'], pace?: Row['pace']): Row => ({
  id,
  title: id,
  pins: '',
  run: check,
  ...(pace && { pace }),
});

test('results keep the order of the rows and tell passed, failed and skipped apart', async () => {
  const results = await runRows(
    [
      row('alone', async () => {}, 'alone'),
      row('passes', async () => {}),
      row('fails', async () => {
        throw new Mismatch('a', 'b');
      }),
      row('breaks', async () => {
        throw new TypeError('fetch failed', { cause: new Error('connection refused') });
      }),
      row('cannot', async () => {
        throw new Skip('not here');
      }),
      row('needs-two', async ({ other }) => void other()),
      row('slow', async () => {}, 'slow'),
    ],
    run,
  );
  expect(results.map(({ id, status, detail }) => [id, status, detail])).toEqual([
    ['alone', 'passed', ''],
    ['passes', 'passed', ''],
    ['fails', 'failed', 'expected a; saw b'],
    ['breaks', 'failed', 'could not be checked: fetch failed (connection refused)'],
    ['cannot', 'skipped', 'not here'],
    ['needs-two', 'skipped', expect.stringContaining('--other-tenant')],
    ['slow', 'skipped', 'runs with --slow'],
  ]);
});

test('rows that use up the rate limit start after all others have ended', async () => {
  const seen: string[] = [];
  const note = (id: string) => async () => {
    seen.push(`${id} starts`);
    // Whatever could start meanwhile has started when the event loop has gone round a few times.
    for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${id} ends`);
  };
  await runRows([row('alone', note('alone'), 'alone'), row('fast', note('fast'))], run);
  expect(seen).toEqual(['fast starts', 'fast ends', 'alone starts', 'alone ends']);
});
