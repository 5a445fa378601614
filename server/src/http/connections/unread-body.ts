// A response may be sent before the request's body has been read: 401, 404, 413 and many others. The rest of the body
// precedes the next request on the connection. So a small rest is read and discarded, and where the rest may be large the
// response says `connection: close` (docs/decisions/0145-unread-bodies.md).
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** What a client may have in transit before our refusal reaches it, and how long we wait for it. */
const DRAIN_BYTES_MAX = 1024 * 1024;
const DRAIN_MS = 1_000;

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? Number.NaN);

const hasBody = (request: IncomingMessage) =>
  request.headers['transfer-encoding'] !== undefined || lengthOf(request) > 0;

/** True once the body has arrived, or while the rest is known to be small. The size of a chunked body is never known. */
const endsSoon = (request: IncomingMessage, bytesMax: number) => request.complete || lengthOf(request) <= bytesMax;

/** Reads and discards the rest, within bounds. A client that is cut off while it sends may never see the response. */
function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(stop, DRAIN_MS);
    function count(chunk: Buffer): void {
      bytes += chunk.length;
      if (bytes > DRAIN_BYTES_MAX) stop();
    }
    function stop(): void {
      clearTimeout(timer);
      request.off('data', count).off('end', stop).off('close', stop).pause();
      resolve();
    }
    request.on('data', count).once('end', stop).once('close', stop);
  });
}

export function settleUnreadBodies(app: FastifyInstance, bytesMax: number): void {
  app.addHook('onSend', async ({ raw, scope }) => {
    if (!hasBody(raw) || endsSoon(raw, bytesMax) || raw.destroyed || lengthOf(raw) > DRAIN_BYTES_MAX) return;
    // At its deadline the request would be answered a second time while this response waits.
    if (performance.now() + DRAIN_MS < scope.deadlineMs) await drain(raw);
  });
  // On the server itself, because the OAuth library's responses pass no hook.
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
    // Decided when the head is written, the last moment to add the header.
    response.writeHead = (...head: unknown[]) => {
      if (!endsSoon(request, bytesMax)) response.shouldKeepAlive = false;
      return writeHead(...head);
    };
    // Node discards a body that nothing has read. A partly read body would wait for its reader for ever.
    response.once('finish', () => request.resume());
  });
}
