// For tests: a real HTTP server that treats each request as told, and remembers what it was asked. Not published.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTrefoil } from './index.ts';

export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
};
type Fate = (response: ServerResponse, asked: Asked) => void;

export const tenantId = '01998a00-0000-7000-8000-000000000001';
const TOKEN_PATH = '/v1/oauth/token';

export const answer =
  (body: object | string = { meta: {}, data: {} }, status = 200, headers: Record<string, string> = {}): Fate =>
  (response) => {
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/csv' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  };
export const refuse = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}): Fate =>
  answer({ code, message: 'No.', requestId: 'r', docs: `https://docs/errors/${code}`, ...more }, status, headers);
/** The connection breaks before the answer. */
export const hangUp: Fate = (response) => response.destroy();
/** The connection breaks in the middle of the answer. */
export const breakOff: Fate = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"meta":', () => response.destroy());
};
/** No answer ever comes. */
export const hang: Fate = () => undefined;

export async function startFailingServer() {
  let asked: Asked[] = [];
  let tokens = 0;
  const state = {
    /** What the server does with the next requests, in order; when the list is empty it answers them. */
    fates: [] as Fate[],
    /** The same for requests for a token. */
    tokenFates: [] as Fate[],
    otherwise: answer() as Fate,
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body, atMs: performance.now() };
      if (url === TOKEN_PATH) {
        tokens += 1;
        const issue = answer({ access_token: `token-${tokens}`, token_type: 'Bearer', expires_in: 900 });
        (state.tokenFates.shift() ?? issue)(response, one);
        return;
      }
      asked.push(one);
      (state.fates.shift() ?? state.otherwise)(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    tokens: () => tokens,
    keys: () => asked.map(({ headers }) => headers['idempotency-key']),
    reset() {
      asked = [];
      tokens = 0;
      Object.assign(state, { fates: [], tokenFates: [], otherwise: answer() });
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A server, and a client with a token of its own. */
export async function startFailingClient() {
  const server = await startFailingServer();
  return { server, trefoil: createTrefoil({ baseUrl: server.baseUrl, tenantId, getToken: async () => 't' }) };
}
