// Cygnet's token endpoint: OAuth 2 client credentials, opaque tokens kept in memory.
import { randomBytes } from 'node:crypto';
import type { HttpCall, Reply } from '../wire.ts';

export type CygnetCredentials = { readonly clientId: string; readonly clientSecret: string };

const LIFETIME_S = 600;

export class Tokens {
  #expiries = new Map<string, number>();
  readonly #credentials: CygnetCredentials;

  constructor(credentials: CygnetCredentials) {
    this.#credentials = credentials;
  }

  issue(call: HttpCall): Reply {
    const form = new URLSearchParams(call.body);
    const { clientId, clientSecret } = clientOf(call.headers['authorization'], form);
    const isKnown = clientId === this.#credentials.clientId && clientSecret === this.#credentials.clientSecret;
    if (!isKnown) {
      const reply = json(401, { error: 'invalid_client' });
      return { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Basic realm="cygnet"' } };
    }
    if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
    const token = randomBytes(24).toString('base64url');
    this.#expiries.set(token, Date.now() + LIFETIME_S * 1000);
    return json(200, { access_token: token, token_type: 'Bearer', expires_in: LIFETIME_S, scope: 'enquiries' });
  }

  accepts(authorization: string | undefined): boolean {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    return (this.#expiries.get(token) ?? 0) > Date.now();
  }

  revokeAll(): void {
    this.#expiries.clear();
  }
}

function clientOf(authorization: string | undefined, form: URLSearchParams): Partial<CygnetCredentials> {
  const [, encoded] = /^Basic +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined)
    return { clientId: form.get('client_id') ?? '', clientSecret: form.get('client_secret') ?? '' };
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return { clientId: decoded(text.slice(0, colon)), clientSecret: decoded(text.slice(colon + 1)) };
}

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

const json = (status: number, value: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});
