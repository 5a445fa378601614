// Access tokens by client credentials. Kept until shortly before they expire; concurrent callers share one fetch.
import { TrefoilError } from './error.ts';

export type TokenOptions = {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

const RENEW_BEFORE_MS = 30_000;

export function createTokenSource({ baseUrl, clientId, clientSecret }: TokenOptions): () => Promise<string> {
  let current: { token: Promise<string>; renewAtMs: number } | undefined;

  async function request(): Promise<string> {
    const basic = btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
    const response = await fetch(`${baseUrl}/v1/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    if (!response.ok) throw await TrefoilError.from(response);
    const body = (await response.json()) as { access_token: string; expires_in: number };
    if (current) current.renewAtMs = Date.now() + body.expires_in * 1_000 - RENEW_BEFORE_MS;
    return body.access_token;
  }

  return () => {
    if (!current || current.renewAtMs <= Date.now()) {
      const token = request();
      const mine = { token, renewAtMs: Number.POSITIVE_INFINITY };
      current = mine;
      // A failed request must not be cached as the token.
      token.catch(() => {
        if (current === mine) current = undefined;
      });
    }
    return current.token;
  };
}
