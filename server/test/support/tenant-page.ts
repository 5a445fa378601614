// Pages of tenants: a web server of another origin whose pages load the fingerprint script, as a tenant's would.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TenantPage = { readonly html: string; readonly headers?: Readonly<Record<string, string>> };

export type TenantSite = {
  readonly origin: string;
  /** The page that this path shows from now on. */
  show(path: string, page: TenantPage): string;
  close(): Promise<void>;
};

/** The recipe of docs/guides/add-the-fingerprint-script.md: everything below this path is passed on. */
export const PROXY_PATH = '/assets/fp/';

async function passOn(request: IncomingMessage, response: ServerResponse, baseUrl: string): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = (request.url ?? '').slice(PROXY_PATH.length);
  const answer = await fetch(`${baseUrl}/v1/fingerprints/${path}`, {
    method: request.method ?? 'GET',
    headers: { 'content-type': request.headers['content-type'] ?? 'text/plain' },
    body: request.method === 'POST' ? Buffer.concat(chunks) : null,
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}

export async function openTenantSite(baseUrl: string): Promise<TenantSite> {
  const pages = new Map<string, TenantPage>();
  const site = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith(PROXY_PATH)) {
      passOn(request, response, baseUrl).catch(() => response.destroy());
      return;
    }
    const page = pages.get(path);
    response.writeHead(page ? 200 : 204, { 'content-type': 'text/html; charset=utf-8', ...page?.headers });
    response.end(page?.html ?? '');
  });
  await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve));
  const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
  return {
    origin,
    show(path, page) {
      pages.set(path, page);
      return origin + path;
    },
    close: () => new Promise((resolve) => site.close(() => resolve())),
  };
}
