// The Transit engine of HashiCorp Vault (and of OpenBao) by its HTTP interface: one named key a month. The service signs in
// with a token, or with a role whose token it renews by signing in again.
import { type Static, Type } from 'typebox';
import { type HttpReply, openHttpLine } from '../lib/outside/http-line.ts';
import { OutsideFault } from '../lib/outside/outside-fault.ts';
import { isObject, type JsonObject, own } from '../lib/outside/strict-json.ts';
import { closed, HttpUrl, SettingText } from '../lib/setting-schema.ts';
import {
  done,
  GONE,
  guardKeyService,
  KEY_CALLS_MAX,
  KEY_PREFIX,
  KEY_REPLY_BYTES_MAX,
  KEY_SERVICE_MS,
  KEY_SERVICE_SETTINGS,
  KeyPrefix,
  readKey,
  readObject,
  readText,
} from './key-answers.ts';
import type { KeyAnswer, KeyService } from './port.ts';

const Mount = Type.String({
  pattern: '^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$',
  description: 'the path of a mount, such as transit',
});

export const VaultTransitSettings = closed(
  {
    kind: Type.Literal('vault-transit'),
    address: HttpUrl,
    token: Type.Optional(SettingText),
    appRole: Type.Optional(closed({ roleId: SettingText, secretId: SettingText, mount: Type.Optional(Mount) })),
    namespace: Type.Optional(SettingText),
    mount: Type.Optional(Mount),
    keyPrefix: Type.Optional(KeyPrefix),
    ...KEY_SERVICE_SETTINGS,
  },
  { anyOf: [{ required: ['token'] }, { required: ['appRole'] }], 'x-message': ' needs token or appRole' },
);
export type VaultTransitSettings = Static<typeof VaultTransitSettings>;

/** A token of a role is replaced when this part of its life is over. */
const TOKEN_LIFE = 0.8;

type TransitReply = {
  readonly status: number;
  readonly data: JsonObject;
  readonly errors: readonly string[] | undefined;
};

/**
 * Vault says by a sentence, and not by a code, that a key does not exist; to a look-up by 404 with an empty list of sentences. Any
 * other 404 is a path that is not there, such as that of a wrong mount or of another server: no key is gone.
 */
const isMissing = ({ status, errors }: TransitReply) =>
  status === 404
    ? errors?.length === 0
    : status === 400 &&
      errors?.some((error) => /key not found|no existing key named|could not delete key; not found/i.test(error)) ===
        true;

function readReply({ status, bytes }: HttpReply): TransitReply {
  // Whatever a proxy or a failing server writes there is no answer of Vault.
  if (status >= 500) throw new OutsideFault('refused', `status ${status}`);
  // An empty body with 204 says that it was done.
  const body = bytes.length === 0 ? {} : readObject(bytes);
  const data = own(body, 'data');
  const errors = own(body, 'errors');
  return {
    status,
    data: isObject(data) ? data : {},
    errors: Array.isArray(errors) ? errors.filter((each) => typeof each === 'string') : undefined,
  };
}

/** A reply that must have worked. */
function requireDone(reply: TransitReply): JsonObject {
  const { status, data } = reply;
  if (status === 200 || status === 204) return data;
  if (status === 429) throw new OutsideFault('throttled', '429');
  // 307 and 472 to 473: a standby that does not pass calls on. None of it is about this call.
  if (status < 400 || status === 472 || status === 473) {
    throw new OutsideFault('refused', `status ${status}`);
  }
  throw new OutsideFault('refused', `status ${status}`, 'request');
}

export function createVaultTransit(settings: VaultTransitSettings): KeyService {
  const { address, appRole, namespace, mount = 'transit', keyPrefix = KEY_PREFIX } = settings;
  const { timeoutMs = KEY_SERVICE_MS } = settings;
  const line = openHttpLine({
    ...{ baseUrl: address, timeoutMs, connections: KEY_CALLS_MAX, replyBytesMax: KEY_REPLY_BYTES_MAX },
  });
  const guard = guardKeyService({ timeoutMs });
  const nameOf = (month: string) => `${keyPrefix}${month}`;
  const headers = {
    'content-type': 'application/json',
    'x-vault-request': 'true',
    ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
  };
  let held: { readonly token: string; readonly untilMs: number } | undefined =
    settings.token === undefined ? undefined : { token: settings.token, untilMs: Number.POSITIVE_INFINITY };

  async function signIn(signal: AbortSignal): Promise<string> {
    if (held && performance.now() < held.untilMs) return held.token;
    if (!appRole) throw new OutsideFault('refused', 'no token', 'request');
    const { roleId, secretId, mount: authMount = 'approle' } = appRole;
    const body = JSON.stringify({ role_id: roleId, secret_id: secretId });
    const path = `/v1/auth/${authMount}/login`;
    const reply = await line.call({ method: 'POST', path, headers, body }, signal);
    requireDone(readReply(reply));
    const auth = own(readObject(reply.bytes), 'auth');
    if (!isObject(auth)) throw new OutsideFault('unintelligible', 'a sign-in without a token');
    const seconds = own(auth, 'lease_duration');
    // A token without an end has a duration of 0.
    const lifeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 * TOKEN_LIFE : Number.POSITIVE_INFINITY;
    held = { token: readText(auth, 'client_token'), untilMs: performance.now() + lifeMs };
    return held.token;
  }

  async function ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    parameters: object | undefined,
    signal: AbortSignal,
  ): Promise<TransitReply> {
    const send = async () => {
      const token = await signIn(signal);
      const call = { method, path: `/v1/${mount}/${path}`, headers: { ...headers, 'x-vault-token': token } };
      return readReply(await line.call(parameters ? { ...call, body: JSON.stringify(parameters) } : call, signal));
    };
    const reply = await send();
    // The token of a role may have been revoked before its end: one new one is worth a try.
    if (reply.status !== 403 || !appRole) return reply;
    held = undefined;
    return send();
  }

  const usable = <T>(reply: TransitReply, read: (data: JsonObject) => T): KeyAnswer<T> =>
    isMissing(reply) ? GONE : done(read(requireDone(reply)));

  const generate = (month: string, signal: AbortSignal) =>
    ask('POST', `datakey/plaintext/${nameOf(month)}`, { bits: 256 }, signal);

  return {
    kind: 'vault-transit',
    createWorkingKey: (month) =>
      guard(async (signal) => {
        let reply = await generate(month, signal);
        if (isMissing(reply)) {
          // Makes nothing where another node was first.
          requireDone(await ask('POST', `keys/${nameOf(month)}`, { type: 'aes256-gcm96' }, signal));
          reply = await generate(month, signal);
        }
        return usable(reply, (data) => ({
          key: readKey(readText(data, 'plaintext')),
          wrappedKey: Buffer.from(readText(data, 'ciphertext')),
        }));
      }),
    unwrap: (month, wrappedKey) =>
      guard(async (signal) =>
        usable(await ask('POST', `decrypt/${nameOf(month)}`, { ciphertext: wrappedKey.toString() }, signal), (data) =>
          readKey(readText(data, 'plaintext')),
        ),
      ),
    rewrap: (month, wrappedKey) =>
      guard(async (signal) =>
        usable(await ask('POST', `rewrap/${nameOf(month)}`, { ciphertext: wrappedKey.toString() }, signal), (data) =>
          Buffer.from(readText(data, 'ciphertext')),
        ),
      ),
    destroy: (month) =>
      guard(async (signal) => {
        // Vault deletes no key unless the key itself says that it may be deleted.
        const allowed = await ask('POST', `keys/${nameOf(month)}/config`, { deletion_allowed: true }, signal);
        if (isMissing(allowed)) return done({ until: undefined });
        requireDone(allowed);
        const deleted = await ask('DELETE', `keys/${nameOf(month)}`, undefined, signal);
        if (!isMissing(deleted)) requireDone(deleted);
        return done({ until: undefined });
      }),
    describe: (month) =>
      guard(async (signal) =>
        usable(await ask('GET', `keys/${nameOf(month)}`, undefined, signal), (data) => {
          const version = own(data, 'latest_version');
          const versions = own(data, 'keys');
          const seconds = isObject(versions) ? own(versions, String(version)) : undefined;
          return {
            version: typeof version === 'number' ? version : undefined,
            createdAt: typeof seconds === 'number' ? new Date(seconds * 1_000) : undefined,
          };
        }),
      ),
    close: () => line.close(),
  };
}
