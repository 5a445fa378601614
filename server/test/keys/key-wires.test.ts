// The adapters of AWS KMS and of Vault's Transit engine against simulators that another author wrote: what each answer means,
// and that no answer is mistaken for a destroyed key.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAwsKms } from '../../../simulators/src/aws-kms/server.ts';
import { CREDENTIALS } from '../../../simulators/src/credentials.ts';
import { startVaultTransit } from '../../../simulators/src/vault-transit/server.ts';
import { expectSince } from '../../../tools/testing/expect-since.ts';
import { type AwsKmsSettings, createAwsKms } from '../../src/keys/aws-kms.ts';
import type { KeyAnswer, KeyService } from '../../src/keys/port.ts';
import { createVaultTransit, type VaultTransitSettings } from '../../src/keys/vault-transit.ts';

type Simulator = { readonly url: string; close(): Promise<void> };
let kms: Simulator;
let transit: Simulator;
const opened: KeyService[] = [];
beforeAll(async () => {
  [kms, transit] = await Promise.all([startAwsKms({ port: 0 }), startVaultTransit({ port: 0 })]);
});
afterAll(() => Promise.all([kms, transit].map((each) => each.close())));
beforeEach(async () => {
  await Promise.all([kms, transit].map(({ url }) => fetch(`${url}/control`, { method: 'DELETE' })));
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

function openKms(changes: Partial<AwsKmsSettings> = {}, now?: () => Date): KeyService {
  const settings = {
    kind: 'aws-kms',
    ...CREDENTIALS['aws-kms'],
    endpoint: kms.url,
    timeoutMs: 30_000,
    ...changes,
  } as const;
  const service = createAwsKms(settings, now);
  opened.push(service);
  return service;
}

function openTransit(changes: Partial<VaultTransitSettings> = {}): KeyService {
  const { token } = CREDENTIALS['vault-transit'];
  const service = createVaultTransit({
    kind: 'vault-transit',
    address: transit.url,
    token,
    timeoutMs: 30_000,
    ...changes,
  });
  opened.push(service);
  return service;
}

type Opening = (changes?: { timeoutMs: number }) => KeyService;
const SERVICES: readonly (readonly [string, Opening, () => Simulator])[] = [
  ['aws-kms', openKms, () => kms],
  ['vault-transit', openTransit, () => transit],
];

function value<T>(answer: KeyAnswer<T>): T {
  if (answer.kind !== 'done') throw new Error(answer.kind === 'away' ? answer.cause.message : answer.kind);
  return answer.value;
}
const meaningOf = (answer: KeyAnswer<unknown>) => (answer.kind === 'away' ? answer.cause.reason : answer.kind);
const tell = ({ url }: Simulator, rule: object) =>
  fetch(`${url}/control`, { method: 'POST', body: JSON.stringify({ match: { any: true }, ...rule }) });

let months = 0;
/** A month that no other test uses. */
const nextMonth = () => `${2030 + Math.floor(months / 12)}-${String((months++ % 12) + 1).padStart(2, '0')}`;

describe.each(SERVICES)('%s', (kind, open, simulator) => {
  test('a working key is made, unwrapped, re-wrapped and destroyed', async () => {
    const month = nextMonth();
    const service = open();
    // The services tell whole seconds.
    const beforeMs = Math.floor(Date.now() / 1_000) * 1_000;
    expect(await service.describe(month)).toEqual({ kind: 'gone' });
    const { key, wrappedKey } = value(await service.createWorkingKey(month));
    expect(key).toHaveLength(32);
    expect(wrappedKey.includes(key)).toBe(false);
    expect(value(await service.unwrap(month, wrappedKey))).toEqual(key);
    const again = value(await service.rewrap(month, wrappedKey));
    expect(again).not.toEqual(wrappedKey);
    expect(value(await service.unwrap(month, again))).toEqual(key);
    expectSince(beforeMs, value(await service.describe(month)).createdAt);
    const { until } = value(await service.destroy(month));
    expect(until === undefined).toBe(kind === 'vault-transit');
    expect(await service.unwrap(month, again)).toEqual({ kind: 'gone' });
    expect(await service.unwrap(month, wrappedKey)).toEqual({ kind: 'gone' });
    expect(await service.rewrap(month, again)).toEqual({ kind: 'gone' });
    expect(await service.describe(month)).toEqual({ kind: 'gone' });
    expect((await service.destroy(month)).kind).toBe('done');
  });

  test('ten nodes that begin a month at once share its key', async () => {
    const month = nextMonth();
    const made = await Promise.all(Array.from({ length: 10 }, () => open().createWorkingKey(month)));
    const service = open();
    for (const each of made) {
      const { key, wrappedKey } = value(each);
      expect(value(await service.unwrap(month, wrappedKey))).toEqual(key);
    }
  });

  test('a month does not unwrap what another wrapped', async () => {
    const [first, second] = [nextMonth(), nextMonth()];
    const service = open();
    const { wrappedKey } = value(await service.createWorkingKey(first));
    await service.createWorkingKey(second);
    expect(meaningOf(await service.unwrap(second, wrappedKey))).toBe('refused');
  });

  const BEHAVIOURS: readonly (readonly [string, string])[] = [
    ['error', 'refused'],
    ['throttle', 'throttled'],
    ['denied', 'refused'],
    ['maintenance', 'refused'],
    ['hang', 'timeout'],
    ['reset', 'connection'],
    ['garbage', 'unintelligible'],
    ['half', 'connection'],
    ['huge=2', 'too-large'],
    ['error=502', 'refused'],
    ['lie', 'unintelligible'],
    ['lie=type', 'unintelligible'],
    ['lie=empty', 'unintelligible'],
  ];
  test.each(BEHAVIOURS)('%s: away (%s), never gone', async (behaviour, meaning) => {
    const month = nextMonth();
    const service = open();
    const { wrappedKey } = value(await service.createWorkingKey(month));
    await tell(simulator(), { behaviour });
    // What hangs never answers: there is nothing to be patient for.
    const asked = behaviour === 'hang' ? open({ timeoutMs: 300 }) : service;
    const answer = await asked.unwrap(month, wrappedKey);
    expect([answer.kind, meaningOf(answer)]).toEqual(['away', meaning]);
    // Not a word of the reply is in the error.
    if (answer.kind === 'away') expect(answer.cause.message.length).toBeLessThan(80);
    if (!behaviour.startsWith('lie')) expect((await asked.destroy(month)).kind).toBe('away');
    await fetch(`${simulator().url}/control`, { method: 'DELETE' });
    expect((await open().unwrap(month, wrappedKey)).kind).toBe('done');
  });

  test('after five failures the breaker answers at once, without a call', async () => {
    const month = nextMonth();
    const service = open();
    const { wrappedKey } = value(await service.createWorkingKey(month));
    await tell(simulator(), { behaviour: 'reset' });
    for (let count = 0; count < 5; count += 1) await service.unwrap(month, wrappedKey);
    expect(meaningOf(await service.unwrap(month, wrappedKey))).toBe('breaker-open');
  });
});

describe('aws-kms', () => {
  test.each([
    ['another secret', { secretAccessKey: 'another' }],
    ['another access key', { accessKeyId: 'AKIDANOTHER' }],
    ['another region', { region: 'us-east-1' }],
    ['a session token that nobody asked for', { sessionToken: 'token' }],
  ])('%s: refused, not gone', async (_what, changes) => {
    expect(meaningOf(await openKms(changes).describe(nextMonth()))).toBe('refused');
  });

  test('a clock ten minutes off: refused', async () => {
    const late = openKms({}, () => new Date(Date.now() - 600_000));
    expect(meaningOf(await late.describe(nextMonth()))).toBe('refused');
  });

  test('temporary credentials are signed with their token', async () => {
    const credentials = { ...CREDENTIALS['aws-kms'], sessionToken: 'FQoGZXIvYXdzEXAMPLE' };
    const other = await startAwsKms({ port: 0, credentials });
    try {
      const service = openKms({ endpoint: other.url, sessionToken: credentials.sessionToken });
      expect((await service.createWorkingKey(nextMonth())).kind).toBe('done');
      const without = openKms({ endpoint: other.url });
      expect(meaningOf(await without.describe(nextMonth()))).toBe('refused');
    } finally {
      await other.close();
    }
  });

  test('of two keys made at once the unused one is scheduled for deletion', async () => {
    const month = nextMonth();
    await Promise.all(Array.from({ length: 6 }, () => openKms().createWorkingKey(month)));
    const listed = (await (await fetch(`${kms.url}/control/keys`)).json()) as { keys: Record<string, unknown>[] };
    const made = listed.keys.filter(({ Description }) => String(Description).endsWith(month));
    expect(made.filter(({ KeyState }) => KeyState === 'Enabled')).toHaveLength(1);
    expect(made.filter(({ KeyState }) => KeyState !== 'Enabled' && KeyState !== 'PendingDeletion')).toEqual([]);
  });

  test('a key that may get no alias is scheduled for deletion', async () => {
    const month = nextMonth();
    await tell(kms, { match: { action: 'CreateAlias' }, behaviour: 'denied' });
    expect(meaningOf(await openKms().createWorkingKey(month))).toBe('refused');
    const listed = (await (await fetch(`${kms.url}/control/keys`)).json()) as { keys: Record<string, unknown>[] };
    const made = listed.keys.filter(({ Description }) => String(Description).endsWith(month));
    expect(made.map(({ KeyState }) => KeyState)).toEqual(['PendingDeletion']);
  });

  test('until KMS has deleted the key it says when, and afterwards it is gone', async () => {
    const month = nextMonth();
    const service = openKms({ pendingDays: 9 });
    const { wrappedKey } = value(await service.createWorkingKey(month));
    const { until } = value(await service.destroy(month));
    expect(Math.round(((until?.getTime() ?? 0) - Date.now()) / 86_400_000)).toBe(9);
    expect(value(await service.destroy(month)).until).toEqual(until);
    await fetch(`${kms.url}/control/deletions`, { method: 'POST', body: '{}' });
    expect(await service.unwrap(month, wrappedKey)).toEqual({ kind: 'gone' });
    expect(value(await service.destroy(month)).until).toBeUndefined();
  });
});

describe('vault-transit', () => {
  const { roleId, secretId } = CREDENTIALS['vault-transit'];
  const byRole = (changes: object = {}): VaultTransitSettings => ({
    ...{ kind: 'vault-transit', address: transit.url, timeoutMs: 30_000 },
    appRole: { roleId, secretId },
    ...changes,
  });
  const openByRole = (changes: object = {}) => {
    const service = createVaultTransit(byRole(changes));
    opened.push(service);
    return service;
  };

  test('a role signs in once, and again when its token has ended', async () => {
    const month = nextMonth();
    const service = openByRole();
    const { wrappedKey } = value(await service.createWorkingKey(month));
    expect((await service.unwrap(month, wrappedKey)).kind).toBe('done');
    await fetch(`${transit.url}/control/tokens`, { method: 'DELETE' });
    expect((await service.unwrap(month, wrappedKey)).kind).toBe('done');
    const { calls } = (await (await fetch(`${transit.url}/control/calls`)).json()) as { calls: { action: string }[] };
    expect(calls.filter(({ action }) => action === 'login')).toHaveLength(2);
  });

  test.each([
    ['a wrong secret', { appRole: { roleId, secretId: 'wrong' } }],
    ['a wrong token', { appRole: undefined, token: 'wrong' }],
    ['a wrong mount', { mount: 'elsewhere' }],
  ])('%s: refused, and nothing counts as gone or destroyed', async (_what, changes) => {
    const month = nextMonth();
    await openByRole().createWorkingKey(month);
    const service = openByRole(changes);
    expect(meaningOf(await service.describe(month))).toBe('refused');
    expect(meaningOf(await service.destroy(month))).toBe('refused');
    expect((await openByRole().describe(month)).kind).toBe('done');
  });

  test('sealed: away', async () => {
    const month = nextMonth();
    const service = openByRole();
    const { wrappedKey } = value(await service.createWorkingKey(month));
    await tell(transit, { behaviour: 'sealed' });
    expect(meaningOf(await service.unwrap(month, wrappedKey))).toBe('refused');
  });

  test('a re-wrapped key is under the newest version, and old versions may then be forbidden', async () => {
    const month = nextMonth();
    const service = openByRole();
    const { key, wrappedKey } = value(await service.createWorkingKey(month));
    const { token } = CREDENTIALS['vault-transit'];
    const admin = (path: string, body: object) =>
      fetch(`${transit.url}/v1/transit/keys/trefoil-${month}${path}`, {
        ...{ method: 'POST', headers: { 'x-vault-token': token }, body: JSON.stringify(body) },
      });
    await admin('/rotate', {});
    const again = value(await service.rewrap(month, wrappedKey));
    expect([wrappedKey.toString().slice(0, 9), again.toString().slice(0, 9)]).toEqual(['vault:v1:', 'vault:v2:']);
    expect(value(await service.describe(month)).version).toBe(2);
    await admin('/config', { min_decryption_version: 2 });
    expect(value(await service.unwrap(month, again))).toEqual(key);
    expect(meaningOf(await service.unwrap(month, wrappedKey))).toBe('refused');
  });
});
