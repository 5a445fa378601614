// Access tokens by client credentials. Kept until shortly before they expire; concurrent callers share one fetch.
import { type Sender, sendCall } from './send.ts';

export type TokenOptions = {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
};

/** `refusedToken` is a token that the service did not take: return another one, or the same if there is no other. */
export type GetToken = (context?: { readonly refusedToken?: string }) => Promise<string>;

const PATH = '/v1/oauth/token';
const RENEW_BEFORE_MS = 30_000;

export function createTokenSource(sender: Pick<Sender, 'fetch' | 'hooks'>, options: TokenOptions): GetToken {
  let current: { token: Promise<string>; value?: string; renewAtMs: number } | undefined;

  async function request(): Promise<{ token: string; lifetimeMs: number }> {
    const basic = btoa(`${encodeURIComponent(options.clientId)}:${encodeURIComponent(options.clientSecret)}`);
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    const { text } = await sendCall(
      { ...sender, authorize: async () => `Basic ${basic}` },
      {
        info: { method: 'POST', path: PATH, idempotencyKey: undefined },
        // A second token beside a lost first one does no harm.
        effect: 'read',
        url: options.baseUrl + PATH,
        headers,
        body: 'grant_type=client_credentials',
        credentials: 'omit',
      },
      // Without the caller's signal: other callers wait for the same token.
      options,
    );
    const body = JSON.parse(text) as { access_token: string; expires_in: number };
    return { token: body.access_token, lifetimeMs: body.expires_in * 1_000 };
  }

  function start() {
    const mine: NonNullable<typeof current> = { token: Promise.resolve(''), renewAtMs: Number.POSITIVE_INFINITY };
    mine.token = request().then(
      ({ token, lifetimeMs }) => {
        mine.value = token;
        mine.renewAtMs = Date.now() + lifetimeMs - RENEW_BEFORE_MS;
        return token;
      },
      (error: unknown) => {
        // A failed request must not be cached as the token.
        if (current === mine) current = undefined;
        throw error;
      },
    );
    return mine;
  }

  return ({ refusedToken } = {}) => {
    // Only the token that was refused: another caller may have renewed it already.
    const isRefused = refusedToken !== undefined && current?.value === refusedToken;
    if (!current || isRefused || current.renewAtMs <= Date.now()) current = start();
    return current.token;
  };
}
