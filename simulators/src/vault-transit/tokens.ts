// The callers: one AppRole, whose log-ins give tokens that live for a while and can be renewed, and one token that
// neither ends nor can be renewed. In memory: a restart forgets the tokens of log-ins.
import { randomBytes, randomUUID } from 'node:crypto';
import { invalidToken, VaultError } from './errors.ts';

export type VaultCredentials = { readonly roleId: string; readonly secretId: string; readonly token: string };

export type TokenTimes = {
  /** How long a token lives after a log-in or a renewal. */
  readonly ttlSeconds: number;
  /** How long it lives at most, however often it is renewed. */
  readonly maxTtlSeconds: number;
};

type Token = { readonly token: string; readonly accessor: string; readonly maxAt: number; endsAt: number };

const POLICIES = ['default', 'transit-simulator'];

export class Tokens {
  readonly #credentials: VaultCredentials;
  readonly #times: TokenTimes;
  #tokens = new Map<string, Token>();

  constructor(credentials: VaultCredentials, times: TokenTimes) {
    this.#credentials = credentials;
    this.#times = times;
  }

  /** The `auth` part of the answer. */
  logIn(roleId: string, secretId: string): object {
    if (roleId === '') throw new VaultError(400, 'missing role_id');
    if (roleId === this.#credentials.roleId && secretId === '') throw new VaultError(400, 'missing secret_id');
    if (roleId !== this.#credentials.roleId || secretId !== this.#credentials.secretId)
      throw new VaultError(400, 'invalid role or secret ID');
    const now = Date.now();
    const { ttlSeconds, maxTtlSeconds } = this.#times;
    const token: Token = {
      ...{ token: `hvs.${randomBytes(24).toString('base64url')}`, accessor: randomBytes(18).toString('base64url') },
      ...{ maxAt: now + maxTtlSeconds * 1000, endsAt: now + Math.min(ttlSeconds, maxTtlSeconds) * 1000 },
    };
    this.#tokens.set(token.token, token);
    return describe(token, now);
  }

  renew(text: string, incrementSeconds: number | undefined): object {
    if (text === this.#credentials.token) throw new VaultError(400, 'lease is not renewable');
    const token = this.#tokens.get(text);
    const now = Date.now();
    if (token === undefined || token.endsAt <= now) throw invalidToken();
    token.endsAt = Math.min(now + (incrementSeconds ?? this.#times.ttlSeconds) * 1000, token.maxAt);
    return describe(token, now);
  }

  check(text: string | undefined): void {
    if (text === undefined || text === '') throw new VaultError(403, 'permission denied');
    if (text === this.#credentials.token) return;
    const token = this.#tokens.get(text);
    if (token === undefined || token.endsAt <= Date.now()) throw invalidToken();
  }

  /** Every token of a log-in ends now. */
  expireAll(): void {
    this.#tokens.clear();
  }
}

const describe = ({ token, accessor, endsAt }: Token, now: number): object => ({
  ...{ client_token: token, accessor, policies: POLICIES, token_policies: POLICIES },
  ...{ metadata: { role_name: 'simulator' }, lease_duration: Math.max(0, Math.floor((endsAt - now) / 1000)) },
  ...{ renewable: true, entity_id: randomUUID(), token_type: 'service', orphan: true },
  ...{ mfa_requirement: null, num_uses: 0 },
});
