// Cygnet's access token: requested once, kept until shortly before it expires, shared by every enquiry. A token request
// is not an enquiry and leaves no trace on a consumer's file.
import { isObject, own, parseStrictJson } from '../../lib/outside/strict-json.ts';
import { BureauFault, toUnavailable, unintelligible } from '../bureau-fault.ts';
import { type BureauLine, type BureauReply, isContentType } from '../call-bureau.ts';
import { type CygnetCredentials, writeTokenRequest } from './request.ts';

const TOKEN_MS_MAX = 5_000;
/** Renewed this long before its end, so that no enquiry starts with a token that expires on the way. */
const MARGIN_MS = 30_000;
const LIFETIME_SECONDS_MAX = 86_400;

export interface CygnetTokens {
  /** Rejects when no token can be obtained, or when the signal aborts. */
  get(signal: AbortSignal): Promise<string>;
  /** Called after the bureau refused it. */
  drop(token: string): void;
}

type Token = { readonly value: string; readonly renewAtMs: number };

export function createTokens(line: BureauLine, credentials: CygnetCredentials): CygnetTokens {
  let current: Token | undefined;
  let coming: Promise<Token> | undefined;

  async function request(): Promise<Token> {
    // Not the first caller's signal: other callers wait for the same token and have their own deadlines.
    const signal = AbortSignal.timeout(TOKEN_MS_MAX);
    try {
      current = readToken(await line.call(writeTokenRequest(credentials), signal), performance.now());
      return current;
    } catch (error) {
      throw toUnavailable(error, signal).cause;
    } finally {
      coming = undefined;
    }
  }

  return {
    async get(signal) {
      if (current && performance.now() < current.renewAtMs) return current.value;
      coming ??= request();
      return (await orAborted(coming, signal)).value;
    },
    drop(token) {
      // Only if it has not been renewed in the meantime.
      if (current?.value === token) current = undefined;
    },
  };
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new BureauFault('timeout', 'no token before the deadline'));
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
  });
}

export function readToken({ status, contentType, bytes }: BureauReply, nowMs: number): Token {
  if (status === 429) throw new BureauFault('throttled', 'token: HTTP 429');
  if (status >= 400) throw new BureauFault('refused', `token: HTTP ${status}`);
  if (status !== 200 || !isContentType(contentType, 'application/json')) unintelligible('token: not a reply');
  const body = parseStrictJson(bytes);
  const [value, type, seconds] = isObject(body)
    ? [own(body, 'access_token'), own(body, 'token_type'), own(body, 'expires_in')]
    : [];
  // It goes into a header, so it may have only the characters of a token (RFC 6750).
  if (typeof value !== 'string' || !/^[A-Za-z0-9._~+/=-]{1,4096}$/.test(value)) return unintelligible('token: none');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') unintelligible('token: not a bearer token');
  const lifetimeMs = Math.min(typeof seconds === 'number' && seconds > 0 ? seconds : 0, LIFETIME_SECONDS_MAX) * 1_000;
  // Half its lifetime for a token that lives little longer than the margin.
  return { value, renewAtMs: nowMs + Math.max(lifetimeMs - MARGIN_MS, Math.floor(lifetimeMs / 2)) };
}
