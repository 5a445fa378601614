// One HTTP exchange with another company: own connections, no redirects, no compression, no retry, and a limit on the body
// while it arrives. The adapter interprets the bytes.
import { type Dispatcher, Pool } from 'undici';
import { traceHeaders } from '../traces/span.ts';
import { OutsideFault } from './outside-fault.ts';

const CONNECT_MS_MAX = 5_000;
/** Shorter than servers keep idle connections: a call sent into a closing one fails and must not be sent again. */
const IDLE_MS = 2_000;

export type HttpCall = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The status is the answer: a reply whose body cannot be read counts as one without a body. */
  readonly isBodyOptional?: boolean;
};

export type HttpReply = {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfterSeconds: number | undefined;
  readonly bytes: Uint8Array;
};

export interface HttpLine {
  /** Rejects with an OutsideFault or a network error; on abort, with any error the abort causes. */
  call(call: HttpCall, signal: AbortSignal): Promise<HttpReply>;
  close(): Promise<void>;
}

export type LineOptions = {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly connections: number;
  readonly replyBytesMax: number;
};

export function openHttpLine({ baseUrl, timeoutMs, connections, replyBytesMax }: LineOptions): HttpLine {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, {
    connections,
    // One exchange at a time per connection: other calls must not wait behind a slow reply.
    pipelining: 1,
    connect: { timeout: Math.min(timeoutMs, CONNECT_MS_MAX) },
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // The caller's signal is the deadline; these only protect a caller that has none.
    headersTimeout: timeoutMs + 1_000,
    bodyTimeout: timeoutMs + 1_000,
  });
  return {
    async call({ method, path, headers, body, isBodyOptional = false }, signal) {
      const response = await pool.request({
        method,
        path: `${prefix}${path}`,
        headers: { ...headers, ...traceHeaders() },
        body: body ?? null,
        // A POST must not be sent again after a broken connection, whatever the library's defaults.
        idempotent: method === 'GET',
        signal,
      });
      const reading = readBody(response, replyBytesMax);
      return {
        status: response.statusCode,
        contentType: headerOf(response.headers, 'content-type'),
        retryAfterSeconds: toSeconds(headerOf(response.headers, 'retry-after')),
        bytes: await (isBodyOptional ? reading.catch(() => new Uint8Array()) : reading),
      };
    },
    close: () => pool.destroy(),
  };
}

async function readBody({ headers, body }: Dispatcher.ResponseData, bytesMax: number): Promise<Uint8Array> {
  // Without this listener, an error after we abandon the body would be unhandled.
  body.on('error', () => {});
  const encoding = headerOf(headers, 'content-encoding');
  // None of the providers compresses, and decompression is how a small reply becomes a very large one.
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') {
    body.destroy();
    throw new OutsideFault('unintelligible', 'compressed reply');
  }
  if (Number(headerOf(headers, 'content-length')) > bytesMax) tooLarge(body, bytesMax);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bytesMax) tooLarge(body, bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Closes the connection too: to keep it, we would have to read the hundred megabytes. */
function tooLarge(body: Dispatcher.ResponseData['body'], bytesMax: number): never {
  body.destroy();
  throw new OutsideFault('too-large', `more than ${bytesMax} bytes`);
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string {
  const value = headers[name];
  // A repeated header becomes a text that matches no expected value.
  return (Array.isArray(value) ? value.join(', ') : (value ?? '')).slice(0, 200);
}

function toSeconds(text: string): number | undefined {
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/** Whether a content type is the one expected, in UTF-8. Parameters other than the character set do not matter. */
export function isContentType(contentType: string, expected: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  return type.trim() === expected && (charset === undefined || /^charset="?utf-8"?$/.test(charset));
}
