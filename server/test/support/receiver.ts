// A receiver of webhooks: a real HTTP server that keeps what it got and answers as it is told. Signatures are checked with
// the independent library of the specification.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type ReceivedEvent = {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  /** A test message has none. */
  readonly sequence?: number;
  readonly tenantId: string;
  readonly test: boolean;
  readonly data: Readonly<Record<string, unknown>>;
};

export type Received = {
  readonly webhookId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly event: ReceivedEvent;
  readonly path: string;
  readonly atMs: number;
};

/** Answers one request; `count` is how many came before it. */
export type Behaviour = (response: ServerResponse, received: Received, count: number) => void;

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Connections that are open now. */
  connections(): Promise<number>;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Where it listens: on 127.0.0.1 and any free port unless told. */
type Place = { readonly host?: string; readonly port?: number };

export async function startReceiver(
  first: Behaviour = answer(204),
  { host = '127.0.0.1', port: asked = 0 }: Place = {},
): Promise<Receiver> {
  let behaviour = first;
  const received: Received[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    const headers = request.headers as Record<string, string>;
    const message = {
      ...{ webhookId: headers['webhook-id'] ?? '', headers, text, path: request.url ?? '', atMs: Date.now() },
      event: JSON.parse(text) as ReceivedEvent,
    };
    received.push(message);
    behaviour(response, message, received.length - 1);
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    take(request, response).catch(() => response.destroy());
  });
  await once(server.listen(asked, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hook`,
    received,
    connections: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    behave(next) {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Throws unless the library accepts the message with this secret. */
export function verify(secret: string, { text, headers }: Received): void {
  new Webhook(secret).verify(text, headers);
}
