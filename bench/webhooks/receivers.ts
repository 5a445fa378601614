// The receivers of the webhooks benchmark, in their own process. Each answers at once and notes how late every event is, until two of them
// die when they are told to: one takes every message and never answers, one refuses connections. Started by processes.ts; ends with the
// process that started it.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Noted = {
  /** When each event was inserted, and how long after that it arrived, in order of arrival: the commit is a little after the insert. */
  readonly arrivals: readonly { readonly createdMs: number; readonly ms: number }[];
  /** Messages whose id had come before. */
  readonly repeated: number;
};

let arrivals: { createdMs: number; ms: number }[] = [];
let repeated = 0;
/** Of the whole benchmark: a message of an earlier run that comes again is not one of this run. */
const ids = new Set<string>();

async function readEvent(request: IncomingMessage): Promise<{ id: string; createdAt: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as { id: string; createdAt: string };
}

let areDead = false;

const note: RequestListener = (request, response) => {
  const atMs = Date.now();
  readEvent(request).then(
    ({ id, createdAt }) => {
      response.writeHead(204).end();
      const createdMs = Date.parse(createdAt);
      if (ids.has(id)) repeated += 1;
      else arrivals.push({ createdMs, ms: atMs - createdMs });
      ids.add(id);
    },
    () => response.destroy(),
  );
};
const healthy = createServer(note);
const hanging = createServer((request, response) => (areDead ? void request.resume() : note(request, response)));
const refusing = createServer(note);
for (const server of [healthy, hanging, refusing]) await once(server.listen(0, '127.0.0.1'), 'listening');
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

process.on('message', (question) => {
  if (question === 'die') {
    areDead = true;
    refusing.close(() => process.send?.({}));
    return refusing.closeAllConnections();
  }
  if (question === 'count') return process.send?.({ count: arrivals.length });
  const noted: Noted = { arrivals, repeated };
  [arrivals, repeated] = [[], 0];
  return process.send?.(noted);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ healthyPort: portOf(healthy), hangingPort: portOf(hanging), refusingPort: portOf(refusing) });
