// A key service as an HTTP server: its wire, the endpoints for tests, the log.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Behaviours, QUIET, UnknownBehaviour } from '../behaviours.ts';
import { BadRule } from '../control.ts';
import { send } from '../send.ts';
import { type Answer, plain, type Reply } from '../wire.ts';
import { KeyControl } from './control.ts';
import { json, type KeyCall, type KeyWire } from './wire.ts';

export type KeyServerOptions = {
  /** 0 for any free port. */
  readonly port: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** How long an undisturbed response takes. */
  readonly latencyMs?: number;
};

export type RunningKeyServer = { readonly url: string; close(): Promise<void> };

const BODY_MAX = 1_000_000;

export async function startKeyServer(wire: KeyWire, options: KeyServerOptions): Promise<RunningKeyServer> {
  const { port, host = '127.0.0.1', latencyMs = 2 } = options;
  const control = new KeyControl();
  const server = createServer((request, response) => {
    serve(request, response, { wire, control, latencyMs }).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
      console.error(error);
    });
  });
  // This side must not end a dripping or hanging response.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Serving = { readonly wire: KeyWire; readonly control: KeyControl; readonly latencyMs: number };

async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { wire, control, latencyMs } = serving;
  const body = await readBody(request);
  if (body === undefined) return send(response, quiet(plain(413, 'too large')), { format: 'json', latencyMs: 0 });
  const call = readCall(request, body);
  if (call.path === '/control' || call.path.startsWith('/control/')) {
    const reply = answerForTests(call, serving) ?? plain(404, 'not here; see simulators/WIRE.md');
    return send(response, quiet(reply), { format: 'json', latencyMs: 0 });
  }
  const seen = wire.see(call);
  const behaviours: Behaviours = control.take(seen);
  const reply = wire.answer(call, behaviours);
  control.record(seen, behaviours, reply.status);
  await send(response, { reply, behaviours }, { format: 'json', latencyMs });
}

function readCall(request: IncomingMessage, body: Buffer): KeyCall {
  const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s, 2);
  const { rawHeaders, method = 'GET' } = request;
  const headerList = Array.from(
    { length: rawHeaders.length / 2 },
    (_, place) => [rawHeaders[2 * place] ?? '', rawHeaders[2 * place + 1] ?? ''] as const,
  );
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]));
  return { method, path, query, headerList, headers, body };
}

function answerForTests(call: KeyCall, { wire, control }: Serving): Reply | undefined {
  try {
    switch (`${call.method} ${call.path}`) {
      case 'GET /control':
        return json(200, { rules: control.rules() });
      case 'POST /control':
        return json(201, control.add(JSON.parse(call.body.toString('utf8'))));
      case 'DELETE /control':
        control.clear();
        return json(204, null);
      case 'GET /control/calls':
        return json(200, { calls: control.calls() });
      default:
        return wire.answerForTests(call);
    }
  } catch (error) {
    if (error instanceof BadRule || error instanceof UnknownBehaviour || error instanceof SyntaxError) {
      return json(400, { error: error.message });
    }
    throw error;
  }
}

const quiet = (reply: Reply): Answer => ({ reply, behaviours: QUIET });

/** Undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= BODY_MAX) chunks.push(chunk);
  }
  return length > BODY_MAX ? undefined : Buffer.concat(chunks);
}
