// Access tokens by client credentials. Kept until shortly before they expire; concurrent callers share one fetch.
import { type Answer, TrefoilError } from './error.ts';
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
    const answer = await sendCall(
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
    const { access_token: token, expires_in: seconds } = readToken(answer);
    // Without a lifetime the token is used until the service refuses it.
    return { token, lifetimeMs: typeof seconds === 'number' ? seconds * 1_000 : Number.POSITIVE_INFINITY };
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

/** Something else may answer 200 to everything: a start page of a proxy, or another program at a wrong address. */
function readToken(answer: Answer): { readonly access_token: string; readonly expires_in?: unknown } {
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    throw new TrefoilError(answer);
  }
  const token = (body as { access_token?: unknown } | null)?.access_token;
  if (typeof token !== 'string' || token === '') throw new TrefoilError(answer);
  return body as { access_token: string };
}
