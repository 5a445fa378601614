// HTTP without the manners of a client library: any method, path, header or bytes, and the answer as it came.
import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http';
import { connect } from 'node:net';
import { ERRORS, type ErrorCode } from '@trefoil/contract';

export type WireRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
};

export type Reply = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** The server may answer and hang up before it has read all of a request; such a reset is retried once. */
export async function send(baseUrl: string, request: WireRequest): Promise<Reply> {
  try {
    return await sendOnce(baseUrl, request, agent);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ECONNRESET' && (error as { code?: string }).code !== 'EPIPE')
      throw error;
    return sendOnce(baseUrl, request, new Agent());
  }
}

function sendOnce(baseUrl: string, { method, path, headers, body }: WireRequest, through: Agent): Promise<Reply> {
  const { hostname, port } = new URL(baseUrl);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    // An answer may quote what was sent, in a redirect for one, and escape it on the way.
    const maxHeaderSize = 128 * 1024;
    const options = { agent: through, hostname, port, method, path, headers: { ...length, ...headers }, maxHeaderSize };
    const outgoing = openRequest(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export type Ending = {
  /** Resets the connection as soon as the bytes are out. */
  readonly hangUp?: boolean;
  /**
   * Ends its side after this much silence, stops of the machine not counted: a server that waits for more bytes then learns that none
   * come. Node drops the answers that it has not written by then, so whole requests end with `Connection: close` instead.
   */
  readonly patienceMs?: number;
};

const TICK_MS = 50;

/** Writes the bytes and returns all that the server says until the connection closes. */
export function sendBytes(baseUrl: string, bytes: string | Buffer, ending: Ending = {}): Promise<Buffer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let leftMs = ending.patienceMs ?? Number.POSITIVE_INFINITY;
    let counting: NodeJS.Timeout | undefined;
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes, () => ending.hangUp && socket.resetAndDestroy());
      counting = setInterval(() => {
        leftMs -= TICK_MS;
        if (leftMs <= 0) socket.end();
      }, TICK_MS);
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      leftMs = ending.patienceMs ?? leftMs;
    });
    // A reset is an answer too: what came before it counts.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(counting);
      resolve(Buffer.concat(chunks));
    });
  });
}

export type ErrorObject = { readonly code: ErrorCode; readonly message: string; readonly requestId: string } & Record<
  string,
  unknown
>;

const ERROR_KEYS = new Set(['code', 'message', 'requestId', 'details', 'required', 'available', 'limit', 'docs']);
/** The token endpoint adds the two fields of RFC 6749 (docs/decisions/0021-token-errors.md). */
const TOKEN_ERROR_KEYS = new Set([...ERROR_KEYS, 'error', 'error_description']);

/** Throws unless the reply is an error of the published catalogue in the published shape. */
export function readError(reply: Reply, path = ''): ErrorObject {
  let body: ErrorObject;
  try {
    body = JSON.parse(reply.text);
  } catch {
    assert.fail(`${reply.status}: the error body is not JSON: ${JSON.stringify(reply.text.slice(0, 200))}`);
  }
  const seen = `${reply.status} ${reply.text.slice(0, 300)}`;
  assert.ok(Object.hasOwn(ERRORS, body.code), `the code is not in the catalogue: ${seen}`);
  assert.equal(reply.status, ERRORS[body.code].status, `the status is not the code's: ${seen}`);
  assert.ok(typeof body.message === 'string' && body.message.length > 0, `no message: ${seen}`);
  assert.match(body.requestId, /^[0-9a-f-]{36}$/, `no requestId: ${seen}`);
  assert.equal(reply.headers['x-request-id'], body.requestId, `X-Request-Id differs: ${seen}`);
  const known = path.startsWith('/v1/oauth/') ? TOKEN_ERROR_KEYS : ERROR_KEYS;
  const extra = Object.keys(body).filter((key) => !known.has(key));
  assert.deepEqual(extra, [], `unpublished keys: ${seen}`);
  return body;
}

/** The body without what is new in every answer. */
export function withoutRequestId(reply: Reply): object {
  const { requestId: _, ...rest } = readError(reply);
  return rest;
}
