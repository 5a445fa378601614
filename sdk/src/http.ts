// The operations of openapi.json as typed calls: fills in the path, sends, and returns the body of a 200.
import { type Call, toAnswered, toCall } from './call.ts';
import { type Answer, TrefoilError } from './error.ts';
import type { paths } from './openapi-types.ts';
import { type CallOptions, type Effect, type Sender, sendCall } from './send.ts';

type Method = 'get' | 'post' | 'patch' | 'delete';
type Operation<Path extends keyof paths, M extends Method> = NonNullable<paths[Path][M]>;
type PathsWith<M extends Method> = {
  [Path in keyof paths]: Operation<Path, M> extends never ? never : Path;
}[keyof paths];
/** The whole answer, as JSON. */
export type BodyOf<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { responses: { 200: { content: { 'application/json': infer Body } } } }
    ? Body
    : Operation<Path, M> extends { responses: { 201: { content: { 'application/json': infer Body } } } }
      ? Body
      : never;
export type QueryOf<Path extends keyof paths, M extends Method = 'get'> =
  Operation<Path, M> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

type PathParameters<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { parameters: { path: infer Parameters } } ? Omit<Parameters, 'tenantId'> : object;
type PathInput<Parameters> = keyof Parameters extends never
  ? { readonly path?: Record<string, never> }
  : { readonly path: Parameters };
type QueryInput<Query> = [Query] extends [never] ? { readonly query?: never } : { readonly query?: Query };
type RequestBody<Path extends keyof paths, M extends Method> =
  Operation<Path, M> extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { readonly body: Body }
    : Operation<Path, M> extends { requestBody?: { content: { 'application/json': infer Body } } }
      ? { readonly body?: Body }
      : { readonly body?: never };

/** What an operation needs, without the tenant, which is the same in every call of a client. */
export type Input<Path extends keyof paths, M extends Method> = PathInput<PathParameters<Path, M>> &
  QueryInput<QueryOf<Path, M>> &
  RequestBody<Path, M>;

/** Options of a call that has an idempotency key. */
export type KeyedCallOptions = CallOptions & {
  /**
   * Makes a retry safe: the same key with the same request returns the first answer again. Use one key per attempt,
   * created before the first send (with the form, for example), so that a double click shares it; not one per order.
   * Without it, each call gets its own key, which only the library's own retries of that call share.
   */
  readonly idempotencyKey?: string | undefined;
};

export type HttpOptions = {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly sender: Sender;
  readonly withCookies: boolean;
  readonly defaults: CallOptions;
};

type Raw = { readonly path?: object; readonly query?: object; readonly body?: unknown; readonly accept?: string };

export type Http = ReturnType<typeof createHttp>;

export function createHttp({ baseUrl, tenantId, sender, withCookies, defaults }: HttpOptions) {
  async function send(method: string, effect: Effect, path: string, input: Raw, call: KeyedCallOptions = {}) {
    // Made once for the call: every send of it has this key. An empty key is none.
    const idempotencyKey = effect === 'keyed' ? call.idempotencyKey || crypto.randomUUID() : undefined;
    const headers = readHeaders(call.headers);
    headers.set('accept', input.accept ?? 'application/json');
    if (idempotencyKey !== undefined) setKey(headers, idempotencyKey);
    if (input.body !== undefined) headers.set('content-type', 'application/json');
    const outgoing = {
      info: { method, path, idempotencyKey },
      effect,
      url: baseUrl + fillPath(path, { tenantId, ...input.path }) + toQuery(input.query),
      headers,
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      credentials: withCookies ? 'same-origin' : 'omit',
    } as const;
    const options = {
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? defaults.timeoutMs,
      maxRetries: call.maxRetries ?? defaults.maxRetries,
    };
    const run = () => sendCall(sender, outgoing, options);
    return sender.hooks.call ? sender.hooks.call(outgoing.info, run) : run();
  }

  const answered = <Body>(read: (answer: Answer) => Body, ...parameters: Parameters<typeof send>): Call<Body> =>
    toCall(send(...parameters).then((answer) => toAnswered(answer, read(answer))));
  const json = <Body>(...parameters: Parameters<typeof send>) => answered(readJson<Body>, ...parameters);

  return {
    get: <Path extends PathsWith<'get'>>(path: Path, input: Input<Path, 'get'>, call?: CallOptions) =>
      json<BodyOf<Path, 'get'>>('GET', 'read', path, input, call),
    /** A POST that takes an idempotency key. */
    keyed: <Path extends PathsWith<'post'>>(path: Path, input: Input<Path, 'post'>, call?: KeyedCallOptions) =>
      json<BodyOf<Path, 'post'>>('POST', 'keyed', path, input, call),
    /** A POST that changes nothing, and can be repeated as a GET can. */
    ask: <Path extends PathsWith<'post'>>(path: Path, input: Input<Path, 'post'>, call?: CallOptions) =>
      json<BodyOf<Path, 'post'>>('POST', 'read', path, input, call),
    post: <Path extends PathsWith<'post'>>(path: Path, input: Input<Path, 'post'>, call?: CallOptions) =>
      json<BodyOf<Path, 'post'>>('POST', 'once', path, input, call),
    patch: <Path extends PathsWith<'patch'>>(path: Path, input: Input<Path, 'patch'>, call?: CallOptions) =>
      json<BodyOf<Path, 'patch'>>('PATCH', 'once', path, input, call),
    delete: <Path extends PathsWith<'delete'>>(path: Path, input: Input<Path, 'delete'>, call?: CallOptions) =>
      json<BodyOf<Path, 'delete'>>('DELETE', 'once', path, input, call),
    /** An answer that is not JSON. */
    raw: <Path extends PathsWith<'get'>, Body>(
      path: Path,
      input: Input<Path, 'get'> & { readonly accept: string },
      read: (answer: Answer) => Body,
      call?: CallOptions,
    ) => answered(read, 'GET', 'read', path, input, call),
    /** The same for a POST that changes nothing. */
    rawAsk: <Path extends PathsWith<'post'>, Body>(
      path: Path,
      input: Input<Path, 'post'> & { readonly accept: string },
      read: (answer: Answer) => Body,
      call?: CallOptions,
    ) => answered(read, 'POST', 'read', path, input, call),
  };
}

export const bytesOf = ({ bytes }: Answer): Uint8Array<ArrayBuffer> => bytes;

function readJson<Body>(answer: Answer): Body {
  try {
    return JSON.parse(answer.text) as Body;
  } catch {
    throw new TrefoilError(answer);
  }
}

/** A caller's value for one of these would be lost without a word. */
const OWN_HEADERS = ['accept', 'authorization', 'content-type', 'idempotency-key'];

function readHeaders(given: CallOptions['headers']): Headers {
  const headers = new Headers(given);
  const own = OWN_HEADERS.find((name) => headers.has(name));
  if (own !== undefined) {
    throw new TypeError(`headers has ${own}, which the library sets itself. For a key, pass idempotencyKey.`);
  }
  return headers;
}

/** A missing id would become the word "undefined" in the address, and the service would only say "not found". */
function fillPath(template: string, parameters: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${name} is ${value === '' ? 'empty' : String(value)}: pass the id as a string.`);
    }
    return encodeURIComponent(value);
  });
}

function toQuery(query: object = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
}

function setKey(headers: Headers, key: string): void {
  try {
    headers.set('idempotency-key', key);
  } catch (cause) {
    throw new TypeError('idempotencyKey has characters that a header cannot carry. Use crypto.randomUUID().', {
      cause,
    });
  }
}
