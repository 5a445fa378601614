// Passes what our server knows of a request (its id, the client's address behind trusted proxies) around the OAuth
// library, which sees only the raw request.
import type { IncomingMessage } from 'node:http';

export type RequestOrigin = { readonly ip: string; readonly requestId: string };

const origins = new WeakMap<IncomingMessage, RequestOrigin>();

export function rememberOrigin(request: IncomingMessage, origin: RequestOrigin): void {
  origins.set(request, origin);
}

export function originOf(request: IncomingMessage): RequestOrigin {
  const origin = origins.get(request);
  if (!origin) throw new Error('a request reached the OAuth library without passing our routes');
  return origin;
}
