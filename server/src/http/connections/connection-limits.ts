// Limits a node's connections, per network and in all, and the requests in progress on one connection. A new connection
// beyond a limit replaces the connection that has been idle longest, since it opened or since its last response. If none is
// idle, it replaces the one whose client has left its response unread longest. So neither kind can lock out new clients,
// however many there are. If all are busy, the new connection is closed (docs/decisions/0147-connections.md,
// 0181-unread-answers.md).
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describeError, type Log } from '../../lib/log.ts';
import { createNetworkMatcher, networkOf } from '../../lib/values/ip-address.ts';
import type { HttpMetrics } from '../http-metrics.ts';

export type ConnectionCaps = { readonly perAddress: number; readonly inAll: number };

/** Connections that are counted together: one network's, or all. */
type Group = {
  readonly network: string | undefined;
  readonly max: number;
  count: number;
  /** Connections without a request, longest idle first. */
  readonly idle: Set<Socket>;
  /** Connections whose client does not read its response, longest unread first. */
  readonly unread: Set<Socket>;
};

type Seat = {
  readonly groups: readonly Group[];
  requests: number;
  /** The bytes written at the last change, and when we saw it; undefined while nothing waits to be read. */
  written: { readonly bytes: number; readonly sinceMs: number } | undefined;
};

export type ConnectionLimits = {
  readonly caps: ConnectionCaps;
  /** Their connections count in the total and not by address, since many clients are behind them. */
  readonly trustedProxies: readonly string[];
  readonly metrics: HttpMetrics;
  readonly log: Log;
  /** How long a response may stay unread before another connection may replace this one. */
  readonly unreadMs: number;
  /** How often to look for unread responses: one timer for all connections. */
  readonly checkMs: number;
};

/**
 * Per connection. Browsers and client libraries have one request in progress; only a client that sends without waiting has
 * more. Node parses all requests of a chunk, some thousands, before we can stop it, so each is counted as it arrives.
 */
const REQUESTS_MAX = 16;

/** False when the request must be ignored: its connection is being closed. */
export type AdmitRequest = (request: IncomingMessage, response: ServerResponse) => boolean;

export function limitConnections(server: Server, options: ConnectionLimits): AdmitRequest {
  const { caps, trustedProxies, metrics, log, unreadMs, checkMs } = options;
  const isProxy = createNetworkMatcher(trustedProxies);
  const newGroup = (max: number, network?: string): Group => ({
    ...{ network, max, count: 0 },
    ...{ idle: new Set(), unread: new Set() },
  });
  const all = newGroup(caps.inAll);
  const byNetwork = new Map<string, Group>();
  const seats = new Map<Socket, Seat>();
  metrics.watchConnections(() => all.count);

  function groupsOf(address: string): readonly Group[] {
    if (isProxy(address)) return [all];
    const network = networkOf(address);
    return [byNetwork.get(network) ?? newGroup(caps.perAddress, network), all];
  }

  function enter(socket: Socket, groups: readonly Group[]): void {
    seats.set(socket, { groups, requests: 0, written: undefined });
    for (const group of groups) {
      group.count += 1;
      group.idle.add(socket);
      if (group.network !== undefined) byNetwork.set(group.network, group);
    }
  }

  function leave(socket: Socket): void {
    const groups = seats.get(socket)?.groups ?? [];
    seats.delete(socket);
    for (const group of groups) {
      group.count -= 1;
      group.idle.delete(socket);
      group.unread.delete(socket);
      // Keeping an entry for every network ever seen would be a leak.
      if (group.network !== undefined && group.count === 0) byNetwork.delete(group.network);
    }
  }

  /** False when every connection of the group is busy. */
  function makeRoom({ network, count, idle, unread, max }: Group): boolean {
    if (count < max) return true;
    const [longestIdle] = idle;
    const [longestUnread] = unread;
    const limit = network === undefined ? 'all' : 'address';
    metrics.connectionsClosed.inc({ limit, closed: longestIdle ? 'idle' : longestUnread ? 'unread' : 'new' });
    const displaced = longestIdle ?? longestUnread;
    if (!displaced) return false;
    leave(displaced);
    drop(displaced);
    return true;
  }

  function takeSeat(socket: Socket): void {
    const groups = groupsOf(socket.remoteAddress ?? '');
    if (!groups.every(makeRoom)) {
      socket.destroy();
      return;
    }
    enter(socket, groups);
    socket.once('close', () => leave(socket));
  }

  /** A client does not read when bytes wait and none were written since the last check. */
  function findUnread(): void {
    const nowMs = performance.now();
    for (const [socket, seat] of seats) {
      const bytes = socket.writableLength > 0 ? socket.bytesWritten : undefined;
      if (bytes === undefined || bytes !== seat.written?.bytes) {
        seat.written = bytes === undefined ? undefined : { bytes, sinceMs: nowMs };
        for (const { unread } of seat.groups) unread.delete(socket);
      } else if (nowMs - seat.written.sinceMs >= unreadMs) {
        for (const { unread } of seat.groups) unread.add(socket);
      }
    }
  }

  server.once('listening', () => {
    const looking = setInterval(findUnread, checkMs).unref();
    server.once('close', () => clearInterval(looking));
  });

  server.on('connection', (socket: Socket) => {
    // An exception here would end the process; taking a place needs only the remote address.
    try {
      takeSeat(socket);
    } catch (error) {
      log.error('connection refused', describeError(error));
      socket.destroy();
    }
  });

  // A connection that waits for its next request or for its reader: Node emits this after `server.timeout` of silence.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) metrics.connectionsClosed.inc({ limit: 'time', closed: 'unread' });
    drop(socket);
  });

  return ({ socket }, response) => {
    const seat = seats.get(socket);
    if (socket.destroyed || !seat) return false;
    if (seat.requests === REQUESTS_MAX) {
      metrics.connectionsClosed.inc({ limit: 'requests', closed: 'busy' });
      stopParser(socket);
      drop(socket);
      return false;
    }
    seat.requests += 1;
    for (const { idle } of seat.groups) idle.delete(socket);
    response.once('close', () => {
      seat.requests -= 1;
      if (seat.requests > 0 || !seats.has(socket)) return;
      for (const { idle } of seat.groups) idle.add(socket);
    });
    return true;
  };
}

/**
 * Node would parse to the end of the chunk even after the socket is destroyed: some thousands of requests, fifty times the
 * time. Returning 2 tells the parser that the rest is not HTTP, and it stops. This is private to Node: a test guards it
 * against upgrades, and without it the requests are dropped one by one.
 */
function stopParser(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: { onIncoming?: unknown } | null };
  if (typeof parser?.onIncoming === 'function') parser.onIncoming = () => 2;
}

/** Discards what the client has not read: the kernel would otherwise keep megabytes of it for minutes. */
function drop(socket: Socket): void {
  if (socket.writableLength > 0) socket.resetAndDestroy();
  else socket.destroy();
}
