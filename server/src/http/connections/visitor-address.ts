// Finds the client's address: the socket's or, behind trusted proxies, the one in X-Forwarded-For
// (docs/decisions/0029-client-ip.md, 0183-told-addresses.md). Only the routes of the fingerprint script trust tenants' own
// proxies too. Fastify's own `ip` is the socket's address as the system writes it; no code reads it.
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createNetworkMatcher, readAddress } from '../../lib/values/ip-address.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address, behind trusted proxies. */
    readonly clientAddress: string;
  }
}

/** The parts of a request that say where it comes from. */
type AddressSource = {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
};

export type AddressOf = (request: FastifyRequest) => string;

/**
 * The nearest address that is not a trusted proxy's. `hops` begins with the socket's address; each hop is reported by the
 * one before it. If an entry is not an address, the proxy that wrote it counts instead, and so all that it forwards.
 */
export function nearestStranger(
  hops: readonly string[],
  isTrusted: (address: string) => boolean,
  onNoAddress: () => void = () => undefined,
): string {
  const [first = '', ...others] = hops;
  let nearest = readAddress(first) ?? first;
  for (const hop of others) {
    if (!isTrusted(nearest)) break;
    const address = readAddress(hop);
    if (address === undefined) {
      onNoAddress();
      break;
    }
    nearest = address;
  }
  return nearest;
}

/** Calls `onNoAddress` once: the operator should know, and any client can cause it as often as it likes. */
export function createVisitorAddress(
  proxies: readonly string[],
  onNoAddress?: () => void,
): (request: AddressSource) => string {
  const isTrusted = createNetworkMatcher(proxies);
  let warn = onNoAddress;
  const warnOnce = () => {
    warn?.();
    warn = undefined;
  };
  return ({ socket, headers }) => {
    const own = socket.remoteAddress ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return readAddress(own) ?? own;
    // Each proxy appends the address of its own client.
    const told = String(forwarded)
      .split(',')
      .map((hop) => hop.trim())
      .filter(Boolean);
    return nearestStranger([own, ...told.toReversed()], isTrusted, warnOnce);
  };
}

export function tellClientAddress(app: FastifyInstance, addressOf: AddressOf): void {
  app.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this);
    },
  });
}
