// The process: one line when ready, flags, a kind refusal, a clean end.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';
import { ASK, BUREAUS, person, runMain, startSimulators } from './testing.ts';

async function outputOf(...args: string[]): Promise<{ text: string; code: unknown }> {
  const child = runMain(...args);
  const ended = once(child, 'exit');
  let text = '';
  for await (const chunk of child.stdout ?? []) text += chunk;
  const [code] = await ended;
  return { text, code };
}

test('one bureau prints only its own part, and SIGTERM ends it with 0 even while a call hangs', async () => {
  const sims = await startSimulators('--bureau', 'beacon', '--simulate', 'hang');
  expect(Object.keys(sims)).not.toContain('albion');
  expect(Object.keys(sims.credentials)).toEqual(['beacon']);
  expect(sims.beacon).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const hanging = ASK.beacon(sims, await person(sims.beacon, 'person-0001')).catch(() => 'ended');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await sims.stop()).toBe(0);
  expect(await hanging).toBe('ended');
});

test('another seed gives other people, the same seed the same', async () => {
  const [usual, again, other] = await Promise.all([
    startSimulators('--bureau', 'albion'),
    startSimulators('--bureau', 'albion', '--seed', 'trefoil'),
    startSimulators('--bureau', 'albion', '--seed', 'clover'),
  ]);
  const [first, second, third] = await Promise.all(
    [usual, again, other].map(({ albion }) => person(albion, 'person-0001')),
  );
  await Promise.all([usual, again, other].map((each) => each.stop()));
  expect(second).toEqual(first);
  expect(third).not.toEqual(first);
});

test('--realistic still answers, late', async () => {
  const sims = await startSimulators('--realistic', '--seed', 'breeze');
  const who = await person(sims.albion, 'person-0001');
  const signal = AbortSignal.timeout(20_000);
  const statuses = await Promise.all(BUREAUS.map(async (bureau) => (await ASK[bureau](sims, who, { signal })).status));
  await sims.stop();
  for (const status of statuses) expect([200, 202, 404]).toContain(status);
}, 30_000);

test('--help explains and ends with 0; a wrong flag is refused with 2', async () => {
  const help = await outputOf('--help');
  expect(help.code).toBe(0);
  expect(help.text).toContain('--bureau');
  expect((await outputOf('--bureau', 'delta')).code).toBe(2);
});

test('flags that make no sense are refused with a sentence', () => {
  for (const args of [
    ['--port', 'x'],
    ['--as-of', '2026-02-30'],
    ['--latency', '-1'],
    ['--simulate', 'fly'],
    ['--fly'],
  ]) {
    expect(parseOptions(args)).toMatchObject({ kind: 'wrong', problem: expect.stringMatching(/\w+ \w+/) });
  }
});
