// One bureau as an HTTP server on 127.0.0.1: its wire, the endpoints for tests, the log.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAlbion } from './albion/wire.ts';
import { createBeacon } from './beacon/wire.ts';
import { type Behaviours, QUIET, UnknownBehaviour } from './behaviours.ts';
import { BadRule } from './control.ts';
import { CREDENTIALS } from './credentials.ts';
import { createCygnet } from './cygnet/wire.ts';
import { EnquiryHandler } from './enquiry-handler.ts';
import { describeLenders, describePerson, describeTruth } from './people/describe.ts';
import { numberOfId, PEOPLE_MAX } from './people/identity.ts';
import type { BureauName } from './people/lenders.ts';
import { send } from './send.ts';
import { type Answer, type HttpCall, plain, type Reply, type Wire } from './wire.ts';

export type BureauOptions = {
  readonly bureau: BureauName;
  readonly port: number;
  readonly seed: string;
  readonly asOf: string;
  readonly latencyMs: number;
  readonly isRealistic: boolean;
  readonly always: Behaviours;
};

export type RunningBureau = { readonly url: string; close(): Promise<void> };

const BODY_MAX = 1_000_000;

export async function startBureau(options: BureauOptions): Promise<RunningBureau> {
  const wire = createWire(options.bureau);
  const handler = new EnquiryHandler(options);
  const server = createServer((request, response) => {
    serve(request, response, { wire, handler, latencyMs: options.latencyMs }).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
      console.error(error);
    });
  });
  // This side must not end a dripping or hanging response.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createWire(bureau: BureauName): Wire {
  switch (bureau) {
    case 'albion':
      return createAlbion(CREDENTIALS.albion);
    case 'beacon':
      return createBeacon(CREDENTIALS.beacon);
    case 'cygnet':
      return createCygnet(CREDENTIALS.cygnet);
  }
}

type Serving = { wire: Wire; handler: EnquiryHandler; latencyMs: number };

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { wire, handler, latencyMs }: Serving,
): Promise<void> {
  const body = await readBody(request);
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const { method = 'GET' } = request;
  if (body === undefined) return send(response, quiet(plain(413, 'too large')), { format: wire.format, latencyMs: 0 });
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]));
  const call: HttpCall = { method, path: url.pathname, headers, body };
  const forTests = answerForTests(call, url.searchParams, handler);
  const answer = forTests ? quiet(forTests) : answerOnWire(call, wire, handler);
  await send(response, answer, {
    format: wire.format,
    latencyMs: forTests ? 0 : latencyMs,
    held: handler.control.held,
  });
}

function answerOnWire(call: HttpCall, wire: Wire, handler: EnquiryHandler): Answer {
  try {
    return wire.answer(call, handler) ?? quiet(wire.notHere(404));
  } catch (error) {
    if (error instanceof UnknownBehaviour) return quiet(plain(400, error.message));
    throw error;
  }
}

const quiet = (reply: Reply): Answer => ({ reply, behaviours: QUIET });

const json = (status: number, value: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: status === 204 ? '' : JSON.stringify(value),
});

function answerForTests(
  { method, path, body }: HttpCall,
  query: URLSearchParams,
  handler: EnquiryHandler,
): Reply | undefined {
  if (path === '/control/enquiries' && method === 'GET') return json(200, { enquiries: handler.control.enquiries() });
  if (path === '/control') return answerControl(method, body, handler);
  if (method !== 'GET') return undefined;
  if (path === '/lenders') return json(200, { lenders: describeLenders() });
  if (path === '/people') return json(200, { people: listPeople(query, handler) });
  const [, id, truth] = /^\/people\/([^/]+)(\/truth)?$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  const number = numberOfId(id);
  if (number === undefined) return json(404, { error: `no ${id}: people are person-0001 to person-${PEOPLE_MAX}` });
  return json(200, truth ? describeTruth(handler.options, number) : describePerson(handler.options, number));
}

function answerControl(method: string, body: string, handler: EnquiryHandler): Reply | undefined {
  if (method === 'GET') return json(200, { rules: handler.control.rules() });
  if (method === 'DELETE') {
    handler.control.clear();
    return json(204, null);
  }
  if (method !== 'POST') return undefined;
  try {
    return json(201, handler.control.add(JSON.parse(body)));
  } catch (error) {
    if (error instanceof BadRule || error instanceof UnknownBehaviour || error instanceof SyntaxError) {
      return json(400, { error: error.message });
    }
    throw error;
  }
}

function listPeople(query: URLSearchParams, { options }: EnquiryHandler): readonly object[] {
  const whole = (name: string, usual: number, max: number) =>
    Math.min(max, Math.max(1, Math.trunc(Number(query.get(name) ?? usual)) || usual));
  const from = whole('from', 1, PEOPLE_MAX);
  const count = Math.min(whole('count', 20, 1000), PEOPLE_MAX - from + 1);
  return Array.from({ length: count }, (_, place) => describePerson(options, from + place));
}

/** Undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= BODY_MAX) chunks.push(chunk);
  }
  return length > BODY_MAX ? undefined : Buffer.concat(chunks).toString('utf8');
}
