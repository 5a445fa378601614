// A cheap load generator: raw keep-alive connections, requests written as prepared bytes, responses checked only
// for their status and length. The machine's cores are for the measured service.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The number of bad responses, by status line. */
export type Refusals = ReadonlyMap<string, number>;

export type LoadResult = {
  readonly answered: number;
  readonly refused: number;
  readonly refusals: Refusals;
  readonly seconds: number;
  readonly latenciesMs: Float64Array;
};

type Good = { readonly status: string; readonly part: string };

export type LoadOptions = {
  /** Connections are spread evenly over the nodes on these ports. */
  readonly ports: readonly number[];
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second over all connections; by default as fast as responses come. */
  readonly rate?: number;
  /** How a good response begins, and what the start of its body contains; by default a complete report. */
  readonly good?: Good;
};

const COMPLETE: Good = { status: 'HTTP/1.1 200', part: '"status":"complete"' };
/** The status line of a node that has no capacity. */
export const BUSY = 'HTTP/1.1 503 ';
/** A refused client waits before it asks again. */
const BUSY_REST_MS = 100;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

export const listRefusals = (refusals: Refusals): string =>
  [...refusals].map(([statusLine, count]) => `${count} × ${statusLine}`).join(', ') || 'none';

/**
 * When requests are due, in milliseconds from the start: at random, as from many independent clients (a Poisson
 * process). `pgbench -R` schedules its transactions the same way, and the two are compared.
 */
export function* dueTimesMs(rate: number, random: () => number = Math.random): Generator<number, never> {
  for (let dueMs = 0; ; ) {
    dueMs -= (Math.log(1 - random()) * 1_000) / rate;
    yield dueMs;
  }
}

/** Reads the response at the start of these bytes once it is complete: what is wrong with it, if anything. */
function readAnswer(bytes: Buffer, good: Good): { readonly refusal: string | undefined } | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end === -1) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error(`an answer came without a length: ${head}`);
  if (bytes.length < end + END_OF_HEAD.length + length) return undefined;
  const [statusLine = ''] = head.split('\r\n', 1);
  if (!head.startsWith(good.status)) return { refusal: statusLine };
  // The status is near the start of the body, before the report.
  const hasPart = bytes.toString('latin1', end, end + 400).includes(good.part);
  return { refusal: hasPart ? undefined : `${statusLine} without ${good.part}` };
}

type Wire = {
  /** One request at a time. Resolves to what is wrong with the response, if anything. */
  ask(request: Buffer): Promise<string | undefined>;
  close(): void;
};

/** Resolves when connected, so that the clock starts with all connections open, as pgbench's does. */
async function openWire(port: number, good: Good): Promise<Wire> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let pending = Buffer.alloc(0);
  let waiting: PromiseWithResolvers<string | undefined> | undefined;
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    try {
      const answer = readAnswer(pending, good);
      if (!answer) return;
      pending = Buffer.alloc(0);
      waiting?.resolve(answer.refusal);
    } catch (error) {
      waiting?.reject(error);
    }
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('a node closed the connection instead of answering')));
  return {
    ask(request) {
      waiting = Promise.withResolvers();
      if (socket.destroyed) waiting.reject(new Error('a node closed the connection'));
      else socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { ports, requests, connections, seconds, rate, good = COMPLETE } = options;
  const places = Array.from({ length: connections }, (_, place) => ports[place % ports.length] ?? 0);
  const wires = await Promise.all(places.map((port) => openWire(port, good)));
  const latencies: number[] = [];
  const refusals = new Map<string, number>();
  // A random position in the list: successive runs ask for different people.
  let next = Math.floor(Math.random() * requests.length);
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;

  async function ask(wire: Wire, startedMs: number): Promise<void> {
    const refusal = await wire.ask(requests[next++ % requests.length] ?? Buffer.alloc(0));
    latencies.push(performance.now() - startedMs);
    if (refusal === undefined) return;
    refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
    if (refusal.startsWith(BUSY)) await sleep(BUSY_REST_MS);
  }

  async function askAtOnce(wire: Wire): Promise<void> {
    for (let nowMs = startMs; nowMs < endMs; nowMs = performance.now()) await ask(wire, nowMs);
  }

  /** An open loop: a request's time starts when it is due, however long it waits for a free connection. */
  async function askWhenDue(wire: Wire, schedule: Generator<number, never>): Promise<void> {
    for (;;) {
      const dueMs = startMs + schedule.next().value;
      if (dueMs >= endMs) return;
      const earlyMs = dueMs - performance.now();
      if (earlyMs > 0) await sleep(Math.ceil(earlyMs));
      await ask(wire, dueMs);
    }
  }

  const schedule = rate === undefined ? undefined : dueTimesMs(rate);
  try {
    await Promise.all(wires.map((wire) => (schedule ? askWhenDue(wire, schedule) : askAtOnce(wire))));
  } catch (error) {
    const message = `${(error as Error).message}; refusals until then: ${listRefusals(refusals)}`;
    throw new Error(message, { cause: error });
  } finally {
    for (const wire of wires) wire.close();
  }
  const tookSeconds = (performance.now() - startMs) / 1_000;
  const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0);
  const latenciesMs = Float64Array.from(latencies).sort();
  return { answered: latencies.length - refused, refused, refusals, seconds: tookSeconds, latenciesMs };
}

export function requestBytes(tenant: { tenantId: string; token: string }, body: object): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `POST /${tenant.tenantId}/v1/credit-reports HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tenant.token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
