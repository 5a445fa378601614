// The screening provider as an HTTP server: its wire, the endpoints for tests, the log.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Behaviours, QUIET, UnknownBehaviour } from '../behaviours.ts';
import { BadRule, Control } from '../control.ts';
import { CREDENTIALS } from '../credentials.ts';
import { send } from '../send.ts';
import { type Answer, type HttpCall, plain, type Reply } from '../wire.ts';
import { answerScreening, type Provider } from './wire.ts';

export type ScreeningOptions = {
  /** 0 for any free port. */
  readonly port: number;
  readonly host?: string;
  /** How long an undisturbed response takes. */
  readonly latencyMs?: number;
  /** Behaviours of every request. */
  readonly always?: Behaviours;
};

export type RunningScreening = { readonly url: string; close(): Promise<void> };

const BODY_MAX = 1_000_000;

export async function startScreening(options: ScreeningOptions): Promise<RunningScreening> {
  const { host = '127.0.0.1', latencyMs = 2, always = QUIET } = options;
  const provider: Provider = { ...CREDENTIALS.screening, control: new Control(), always };
  const server = createServer((request, response) => {
    serve(request, response, { provider, latencyMs }).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
      console.error(error);
    });
  });
  // This side must not end a dripping or hanging response.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Serving = { readonly provider: Provider; readonly latencyMs: number };

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { provider, latencyMs }: Serving,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return send(response, quiet(plain(413, 'too large')), { format: 'json', latencyMs: 0 });
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]));
  const call: HttpCall = { method: request.method ?? 'GET', path: pathname, headers, body };
  const forTests = answerForTests(call, provider.control);
  const answer = forTests ? quiet(forTests) : answerOnWire(call, provider);
  await send(response, answer, { format: 'json', latencyMs: forTests ? 0 : latencyMs, held: provider.control.held });
}

function answerOnWire(call: HttpCall, provider: Provider): Answer {
  try {
    return answerScreening(call, provider);
  } catch (error) {
    if (error instanceof UnknownBehaviour) return quiet(plain(400, error.message));
    throw error;
  }
}

/** The same endpoints as a bureau's, so that one test client serves all simulators. */
function answerForTests({ method, path, body }: HttpCall, control: Control): Reply | undefined {
  if (path === '/control/enquiries' && method === 'GET') return json(200, { enquiries: control.enquiries() });
  if (path !== '/control') return undefined;
  if (method === 'GET') return json(200, { rules: control.rules() });
  if (method === 'DELETE') {
    control.clear();
    return { ...json(204, null), body: '' };
  }
  if (method !== 'POST') return undefined;
  try {
    return json(201, control.add(JSON.parse(body)));
  } catch (error) {
    if (error instanceof BadRule || error instanceof UnknownBehaviour || error instanceof SyntaxError) {
      return json(400, { error: error.message });
    }
    throw error;
  }
}

const quiet = (reply: Reply): Answer => ({ reply, behaviours: QUIET });

const json = (status: number, value: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

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
