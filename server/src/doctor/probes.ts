// Reaches what is outside, without asking anything: connections that are closed again, a readiness probe, a PING, a greeting.
// Every probe ends with its signal. An error has a code; its message may quote an address with a password.
import { lookup as askSystem } from 'node:dns';
import { connect as connectPlain, type LookupFunction } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Redis } from 'ioredis';
import { clockOffsetMs } from '../lib/clock-watch.ts';
import type { Turns } from '../lib/limits/turns.ts';
import { parseJson } from '../lib/settings.ts';
import type { Line, ReadyAnswer } from './rules/outside.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

function lineOf(socket: TLSSocket): Line {
  const fault = socket.authorizationError as unknown as { code?: string } | string | null | undefined;
  const code = typeof fault === 'string' ? fault : fault?.code;
  return { kind: 'tls', validTo: new Date(socket.getPeerCertificate().valid_to), fault: code };
}

const tooLate = () => Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' });

/**
 * Looks names up in turn. A look-up that hangs holds one of the four threads on which every name of this process is looked
 * up, that of the database too.
 */
export const lookUpInTurn =
  (turns: Turns, signal: AbortSignal, lookUp: LookupFunction = askSystem): LookupFunction =>
  (hostname, options, callback) => {
    void turns.take().then(() => {
      if (signal.aborted) {
        turns.give();
        callback(tooLate(), []);
        return;
      }
      lookUp(hostname, options, (...answer) => {
        turns.give();
        callback(...answer);
      });
    });
  };

/** Connects and, for https, shakes hands. It sends no request. A certificate that is not trusted is told, not refused. */
export function connectTo(address: string, signal: AbortSignal, lookup: LookupFunction = askSystem): Promise<Line> {
  const { protocol, hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const place = { host, port: port ? Number(port) : (DEFAULT_PORTS[protocol] ?? 443), lookup };
  const { promise, resolve, reject } = Promise.withResolvers<Line>();
  const isTls = protocol === 'https:';
  // Nothing is sent over it, so the certificate may be looked at before it is trusted.
  const socket = isTls
    ? connectTls({
        ...place,
        rejectUnauthorized: false,
        ...(/[a-z]/i.test(host) && !host.includes(':') && { servername: host }),
      })
    : connectPlain(place);
  const stop = () => socket.destroy(tooLate());
  signal.addEventListener('abort', stop, { once: true });
  socket.once(isTls ? 'secureConnect' : 'connect', () =>
    resolve(isTls ? lineOf(socket as TLSSocket) : { kind: 'plain' }),
  );
  socket.once('error', reject);
  socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  return promise.finally(() => {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  });
}

export type Ready = ReadyAnswer & {
  /** How far this machine's clock is ahead of the answer's date, a node's or a proxy's; undefined where it has none. */
  readonly aheadMs: number | undefined;
};

/** The header `Date` has whole seconds. */
const DATE_MS = 999;

const READY = ['ready', 'not-ready'];

/** As a load balancer asks, through everything that stands in front of the nodes. */
export async function askReady(baseUrl: string, signal: AbortSignal): Promise<Ready> {
  const askedMs = Date.now();
  const response = await fetch(new URL('/readyz', baseUrl), { signal, redirect: 'manual' });
  const answeredMs = Date.now();
  const length = Number(response.headers.get('content-length') ?? 0);
  // A node's answer is a few bytes: a page of something else need not be read.
  const text = length < 1_000 ? await response.text() : '';
  const { status } = (parseJson(text) ?? {}) as { status?: unknown };
  const dateMs = Date.parse(response.headers.get('date') ?? '');
  return {
    status: response.status,
    isOurs: READY.some((word) => word === status),
    aheadMs: Number.isNaN(dateMs) ? undefined : clockOffsetMs(askedMs - DATE_MS, dateMs, answeredMs),
  };
}

/** How long a PING took. */
export async function pingRedis(redisUrl: string, limitMs: number): Promise<number> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: limitMs,
    commandTimeout: limitMs,
  });
  // The client wraps what went wrong into a sentence; this event has the cause.
  let cause: unknown;
  redis.on('error', (error: unknown) => {
    cause ??= error;
  });
  try {
    await redis.connect();
    const askedMs = performance.now();
    await redis.ping();
    return performance.now() - askedMs;
  } catch (error) {
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}
