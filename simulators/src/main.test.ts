// The process: one line when ready, flags, a friendly refusal, a clean end.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../tools/testing/eventually.ts';
import { parseOptions, portsFrom } from './options.ts';
import { describePerson } from './people/describe.ts';
import { ASK, BUREAUS, enquiriesOf, person, runMain, startSimulators } from './testing.ts';

/** For what must happen: a stopped or busy machine does not fail a test. */

function personWith(...flags: string[]) {
  const parsed = parseOptions(flags);
  if (parsed.kind !== 'run') throw new Error('the flags are wrong');
  return describePerson(parsed.options, 1);
}

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
  const enquiryId = randomUUID();
  const who = await person(sims.beacon, 'person-0001');
  const hanging = ASK.beacon(sims, who, { enquiryId }).catch(() => 'ended');
  await eventually(async () => expect(await enquiriesOf(sims.beacon, enquiryId)).toHaveLength(1));
  expect(await sims.stop()).toBe(0);
  expect(await hanging).toBe('ended');
});

test('by default all eight start, and the line tells addresses, credentials and the inbox', async () => {
  const { process: _, stop, ...printed } = await startSimulators();
  const { credentials, inbox, smtp, mailInbox, ...addresses } = printed as typeof printed & Record<string, string>;
  expect(await person(addresses.albion, 'person-0001')).toEqual(personWith());
  expect(await stop()).toBe(0);
  const names = ['albion', 'beacon', 'cygnet', 'screening', 'carrier', 'mail', 'aws-kms', 'vault-transit'];
  expect(Object.keys(addresses)).toEqual(names);
  expect(Object.keys(credentials)).toEqual(names);
  for (const url of Object.values(addresses)) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(inbox).toBe(`${(addresses as Record<string, string>)['carrier']}/inbox`);
  expect(mailInbox).toBe(`${(addresses as Record<string, string>)['mail']}/inbox`);
  expect(smtp).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
});

test('--until-eof: it ends with its standard input, without a signal', async () => {
  // Its standard input is empty.
  expect((await outputOf('--bureau', 'screening', '--until-eof')).code).toBe(0);
});

test('several can be chosen, and each of them answers', async () => {
  const { process: _, stop, ...printed } = await startSimulators('--bureau', 'carrier,screening');
  const { screening, carrier } = printed as unknown as Record<string, string>;
  expect(Object.keys(printed)).toEqual(['screening', 'carrier', 'inbox', 'credentials']);
  for (const url of [screening, carrier]) expect((await fetch(`${url}/control`)).status).toBe(200);
  expect(await stop()).toBe(0);
});

test('ports are consecutive, and mail takes two', () => {
  expect(portsFrom(4000, ['carrier', 'mail', 'aws-kms', 'vault-transit'])).toEqual([4000, 4001, 4003, 4004]);
  expect(portsFrom(0, ['mail', 'aws-kms'])).toEqual([0, 0]);
});

test('--keep takes the keys into the next run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulators-'));
  const namesFound = async () => {
    const flags = ['--bureau', 'aws-kms,vault-transit', '--keep', join(folder, 'keys')];
    const { process: _, stop, ...printed } = await startSimulators(...flags);
    const { 'vault-transit': vault } = printed as unknown as Record<string, string>;
    const { keys } = (await (await fetch(`${vault}/control/keys`)).json()) as { keys: { name: string }[] };
    await fetch(`${vault}/control/keys`, { method: 'POST', body: '{"name":"kept"}' });
    expect(await stop()).toBe(0);
    return keys.map(({ name }) => name);
  };
  expect(await namesFound()).toEqual([]);
  expect(await namesFound()).toEqual(['kept']);
  rmSync(folder, { recursive: true });
});

test('a port that is taken ends the process with 1, also when others had started', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  const child = runMain('--bureau', 'screening,carrier', '--port', String(port - 1));
  const [code] = await once(child, 'exit');
  taken.close();
  expect(code).toBe(1);
});

test('another seed gives other people, the same seed the same', async () => {
  const sims = await startSimulators('--bureau', 'albion', '--seed', 'clover');
  const found = await person(sims.albion, 'person-0001');
  await sims.stop();
  expect(found).toEqual(personWith('--seed', 'clover'));
  expect(found).not.toEqual(personWith());
  expect(personWith('--seed', 'trefoil')).toEqual(personWith());
});

test('--realistic still answers, late', async () => {
  const sims = await startSimulators('--bureau', BUREAUS.join(), '--realistic', '--seed', 'breeze');
  const who = await person(sims.albion, 'person-0001');
  const signal = AbortSignal.timeout(30_000);
  const statuses = await Promise.all(BUREAUS.map(async (bureau) => (await ASK[bureau](sims, who, { signal })).status));
  await sims.stop();
  for (const status of statuses) expect([200, 202, 404]).toContain(status);
});

test('--help explains and ends with 0; a wrong flag is refused with 2', async () => {
  const help = await outputOf('--help');
  expect(help.code).toBe(0);
  expect(help.text).toContain('--bureau');
  expect((await outputOf('--bureau', 'delta')).code).toBe(2);
});

test('flags that make no sense are refused with a sentence', () => {
  for (const args of [
    ['--port', 'x'],
    ['--port', '65530'],
    ['--bureau', 'carrier,delta'],
    ['--bureau', ''],
    ['--as-of', '2026-02-30'],
    ['--latency', '-1'],
    ['--keep', ''],
    ['--simulate', 'fly'],
    ['--fly'],
  ]) {
    expect(parseOptions(args)).toMatchObject({ kind: 'wrong', problem: expect.stringMatching(/\w+ \w+/) });
  }
});
