// A collector of traces: a real HTTP server that takes OTLP in JSON, keeps every byte and answers as it is told.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type OtlpAttribute = { readonly key: string; readonly value: { stringValue?: string; intValue?: string } };

export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: number };
};

type Payload = {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
};

export type Collecting = (response: ServerResponse, request: IncomingMessage) => void;

export const accept: Collecting = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
};
export const refuse =
  (status: number, headers: Record<string, string> = {}): Collecting =>
  (response) => {
    response.writeHead(status, headers).end();
  };
/** Takes the request and never answers. */
export const hang: Collecting = () => undefined;

export type Collector = {
  readonly url: string;
  /** Requests as they came, headers included. */
  readonly bytes: string[];
  spans(): CollectedSpan[];
  behave(next: Collecting): void;
  close(): Promise<void>;
};

export const attributesOf = (span: CollectedSpan): Record<string, string> =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));

export async function startCollector(first: Collecting = accept): Promise<Collector> {
  let behaviour = first;
  const bytes: string[] = [];
  const accepted: CollectedSpan[] = [];
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    bytes.push(`${request.method} ${request.url}\n${JSON.stringify(request.headers)}\n${text}`);
    if (behaviour === accept) {
      const { resourceSpans } = JSON.parse(text) as Payload;
      accepted.push(...resourceSpans.flatMap((each) => each.scopeSpans.flatMap(({ spans }) => spans)));
    }
    behaviour(response, request);
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    take(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bytes,
    spans: () => accepted,
    behave(next) {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
