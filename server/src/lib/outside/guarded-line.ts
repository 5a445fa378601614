// Sends one request to a URL of a tenant's choice, so that it reaches public addresses and nothing inside
// (docs/decisions/0201-nothing-inside-is-reachable.md). The name is resolved here, every address is checked, and the caller learns
// which one it is before anything is sent. The connection goes to exactly that address: a name that changes in between changes
// nothing. No redirect, no proxy of
// the environment, no compression, no retry; of the answer only the first kilobyte is read, and what comes before its status
// is limited (docs/decisions/0269-what-comes-before-the-status.md).
import dns from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { createNetworkMatcher } from '../values/ip-address.ts';
import { hostOf, judgeOutsideUrl, portOf, type UrlRules } from './outside-url.ts';
import { blockOf, canonicalAddress, isPublicAddress } from './public-address.ts';

export const ANSWER_BYTES_MAX = 1_024;
/** After the status has arrived, the rest of the answer gets this long: the status alone decides. */
const ANSWER_MS = 2_000;
const CONNECT_MS = 8_000;
const DNS_MS = 2_500;
const DNS_TRIES = 2;
const IDLE_MS = 2_000;
/** How long the addresses of a name are believed, unless told, and how many names at most. */
const NAME_MS = 2_000;
const NAMES_MAX = 10_000;
const HEADER_BYTES_MAX = 16 * 1_024;
/** Informational answers (1xx) before the status. */
const INFORMATIONAL_MAX = 10;
/** After so many bytes of an answer no more are read. */
const WIRE_BYTES_MAX = 32 * 1_024;

/** A URL that something may be sent to, with an address that it leads to now. Only `locate` makes one. */
export type Located = {
  readonly url: URL;
  readonly address: string;
  /** The address and the port. */
  readonly place: string;
  /** What one receiver holds of addresses. */
  readonly block: string;
};

export type GuardedCall = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  /** Asked once the receiver is connected: a connection may take seconds. Unless it is true, nothing is sent. */
  readonly isWanted: () => Promise<boolean>;
};

/**
 * `host` covers a name without an address, an address that is not allowed, and a URL that is not: telling them apart would
 * tell a tenant which names exist inside.
 */
export type UnreachedReason = 'host' | 'timeout' | 'connection' | 'tls' | 'protocol' | 'excess';

export type GuardedReply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      /** The first kilobyte, as text. */
      readonly answer: string;
    }
  | { readonly kind: 'unreached'; readonly reason: UnreachedReason }
  | { readonly kind: 'unwanted' };

export interface GuardedLine {
  /** Every address that it leads to now; none when nothing may be sent to it. */
  locate(url: string, signal?: AbortSignal): Promise<readonly Located[]>;
  post(where: Located, call: GuardedCall, signal?: AbortSignal): Promise<GuardedReply>;
  readonly rules: UrlRules;
  close(): Promise<void>;
}

class HostRefused extends Error {
  constructor() {
    super('the host has no address that may be connected to');
    this.name = 'HostRefused';
  }
}

class AnswerExcess extends Error {
  constructor() {
    super('too much came before the status');
    this.name = 'AnswerExcess';
  }
}

class Unwanted extends Error {
  constructor() {
    super('nobody wants it to be sent any more');
    this.name = 'Unwanted';
  }
}

/** Undici reads it once it is connected, and sends the head of the request with the first piece. */
function bodyIfWanted({ body, isWanted }: GuardedCall): Readable {
  async function* pieces() {
    if (!(await isWanted())) throw new Unwanted();
    yield Buffer.from(body);
  }
  return Readable.from(pieces(), { objectMode: false });
}

/**
 * Undici limits neither blank lines nor the text beside the status. Bytes count from the last request on: on a connection that
 * is kept, every answer has the same limit. After the status this only ends what nobody reads: the answer's first kilobyte
 * is in the bytes before.
 */
function limitAnswers(socket: Socket): void {
  const { read, write } = socket;
  let size = 0;
  socket.write = (...given: unknown[]) => {
    size = 0;
    return Reflect.apply(write, socket, given);
  };
  socket.read = (asked) => {
    if (size > WIRE_BYTES_MAX) {
      socket.destroy(new AnswerExcess());
      return null;
    }
    const chunk = read.call(socket, asked);
    size += chunk?.length ?? 0;
    return chunk;
  };
}

/** All addresses of a name, by DNS alone: files of this machine and search domains have names of the inside. */
async function resolveAll(name: string): Promise<string[]> {
  const resolver = new dns.promises.Resolver({ timeout: DNS_MS, tries: DNS_TRIES });
  resolver.setServers(dns.getServers());
  // However many servers there are to ask.
  const late = setTimeout(() => resolver.cancel(), DNS_MS * DNS_TRIES);
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(late);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

/** The addresses of this machine: its own public address leads inside too. */
const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => canonicalAddress(address)));

type Gate = { readonly isAllowed: (address: string) => boolean };

/** None unless every address of the host may be connected to. */
async function findAddresses(host: string, isPlain: boolean, { isAllowed }: Gate): Promise<readonly string[]> {
  // A developer's receiver is often called so, and no DNS server has to know it; where nothing inside is allowed it is refused.
  const addresses = host === 'localhost' ? ['127.0.0.1'] : isIP(host) === 0 ? await resolveAll(host) : [host];
  const own = ownAddresses();
  // One bad address spoils the name: a list with a public and a private address is how rebinding begins.
  const isFit = (address: string) =>
    isAllowed(address) || (!isPlain && isPublicAddress(address) && !own.includes(canonicalAddress(address)));
  // IPv4 comes first: not every installation has IPv6.
  return addresses.every(isFit) ? addresses : [];
}

/** Whoever stops does not wait for it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Remembers for a moment: many messages to one receiver ask once. */
function createFinder(gate: Gate, nameMs: number): (host: string, isPlain: boolean) => Promise<readonly string[]> {
  const known = new Map<string, { readonly addresses: Promise<readonly string[]>; readonly untilMs: number }>();
  return (host, isPlain) => {
    const key = `${isPlain} ${host}`;
    const nowMs = performance.now();
    const found = known.get(key);
    if (found && found.untilMs > nowMs) return found.addresses;
    // The oldest are at the front.
    for (const [old, { untilMs }] of known) {
      if (untilMs > nowMs && known.size < NAMES_MAX) break;
      known.delete(old);
    }
    const addresses = findAddresses(host, isPlain, gate).catch(() => []);
    known.delete(key);
    known.set(key, { addresses, untilMs: nowMs + nameMs });
    return addresses;
  };
}

/** Connects to one address, whatever the name says meanwhile. */
function createConnect(address: string): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, timeout: CONNECT_MS, maxCachedSessions: 0 });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
    // The certificate must be that of the name, although the connection goes to an address.
    const name = options.protocol === 'https:' && isIP(host) === 0 ? { servername: host } : {};
    const { servername: _, ...rest } = options;
    connect({ ...rest, ...name, hostname: address } as buildConnector.Options, (error, socket) => {
      if (error) return callback(error, null);
      // The kernel's own word on where the connection went.
      if (canonicalAddress(socket.remoteAddress ?? '') !== canonicalAddress(address)) {
        socket.destroy();
        return callback(new HostRefused(), null);
      }
      limitAnswers(socket);
      callback(null, socket);
    });
  };
}

/** The connections to each address; without calls they are closed, and so is what belongs to them. */
function createAgents() {
  const agents = new Map<string, { readonly agent: Agent; calls: number; idle?: NodeJS.Timeout }>();
  return {
    async use<T>(address: string, call: (agent: Agent) => Promise<T>): Promise<T> {
      const kept = agents.get(address) ?? {
        agent: new Agent({
          connect: createConnect(address),
          pipelining: 1,
          keepAliveTimeout: IDLE_MS,
          keepAliveMaxTimeout: IDLE_MS,
          maxHeaderSize: HEADER_BYTES_MAX,
        }),
        calls: 0,
      };
      agents.set(address, kept);
      clearTimeout(kept.idle);
      kept.calls += 1;
      try {
        return await call(kept.agent);
      } finally {
        kept.calls -= 1;
        if (kept.calls === 0) {
          const end = () => {
            agents.delete(address);
            kept.agent.destroy().catch(() => undefined);
          };
          kept.idle = setTimeout(end, IDLE_MS).unref();
        }
      }
    },
    async close() {
      for (const { agent, idle } of agents.values()) {
        clearTimeout(idle);
        await agent.destroy();
      }
    },
  };
}

export type LineOptions = { readonly allowedNetworks: readonly string[]; readonly nameMs?: number | undefined };

export function openGuardedLine({ allowedNetworks, nameMs = NAME_MS }: LineOptions): GuardedLine {
  const isAllowed = createNetworkMatcher(allowedNetworks);
  const rules: UrlRules = { isAllowed, isPlainAllowed: allowedNetworks.length > 0 };
  const find = createFinder(rules, nameMs);
  const agents = createAgents();

  async function locate(text: string, signal?: AbortSignal): Promise<readonly Located[]> {
    // Judged again although it was judged when it was stored: the rules may have become stricter since.
    const judged = judgeOutsideUrl(text, rules);
    if ('fault' in judged) return [];
    const { url } = judged;
    const addresses = await orAborted(find(hostOf(url), url.protocol !== 'https:'), signal);
    return addresses.map((address) => ({
      ...{ url, address, block: blockOf(address) },
      place: `${canonicalAddress(address)} ${portOf(url)}`,
    }));
  }

  async function post({ url, address }: Located, call: GuardedCall, stopping?: AbortSignal): Promise<GuardedReply> {
    const { headers, body, timeoutMs } = call;
    const deadline = AbortSignal.timeout(timeoutMs);
    let informational = 0;
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      body: bodyIfWanted(call),
      // The caller decides about another attempt.
      idempotent: false,
      signal: stopping ? AbortSignal.any([deadline, stopping]) : deadline,
      headersTimeout: timeoutMs + 1_000,
      bodyTimeout: timeoutMs + 1_000,
      // Undici closes the connection of a request whose listener throws.
      onInfo() {
        informational += 1;
        if (informational > INFORMATIONAL_MAX) throw new AnswerExcess();
      },
    } as const;
    try {
      return await agents.use(address, async (agent) => {
        const response = await agent.request(request);
        const answer = await readAnswer(response);
        const retryAfter = response.headers['retry-after'];
        return {
          kind: 'answered',
          status: response.statusCode,
          retryAfter: typeof retryAfter === 'string' ? retryAfter.slice(0, 100) : undefined,
          answer,
        };
      });
    } catch (error) {
      if (stopping?.aborted) throw error;
      if (error instanceof Unwanted) return { kind: 'unwanted' };
      return { kind: 'unreached', reason: deadline.aborted ? 'timeout' : reasonOf(error) };
    }
  }

  return { locate, post, rules, close: agents.close };
}

/** The start of the answer. Whatever happens to the rest, the status has arrived. */
async function readAnswer({ body }: Dispatcher.ResponseData): Promise<string> {
  // Without this listener, an error after we abandon the body would be unhandled.
  body.on('error', () => {});
  const timer = setTimeout(() => body.destroy(), ANSWER_MS);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.byteLength;
      // Leaving the loop closes the connection: to keep it, we would have to read the hundred megabytes.
      if (size > ANSWER_BYTES_MAX) break;
    }
  } catch {
    // Cut off or too slow: what has arrived is the answer.
  } finally {
    clearTimeout(timer);
  }
  const bytes = Buffer.concat(chunks, Math.min(size, ANSWER_BYTES_MAX));
  // PostgreSQL's text cannot hold NUL.
  return new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');
}

function reasonOf(error: unknown): UnreachedReason {
  if (error instanceof HostRefused) return 'host';
  if (error instanceof AnswerExcess) return 'excess';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  if (/TLS|SSL|CERT|SIGNATURE|ISSUER|SELF_SIGNED/.test(code)) return 'tls';
  return /^(HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_))/.test(code) ? 'protocol' : 'connection';
}
