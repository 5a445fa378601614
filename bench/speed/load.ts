// A load generator that costs little: raw keep-alive connections, requests written as prepared bytes, answers only
// looked at for their status and length. The machine's cores belong to what is measured.
import { connect, type Socket } from 'node:net';

export type LoadResult = {
  readonly answered: number;
  readonly refused: number;
  readonly seconds: number;
  readonly latenciesMs: Float64Array;
};

export type LoadOptions = {
  /** Connections are spread evenly over the nodes that listen there. */
  readonly ports: readonly number[];
  readonly requests: readonly Buffer[];
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second over all connections; as fast as answers come unless told. */
  readonly rate?: number;
  /** What a good answer begins with, and holds near the beginning of its body; a complete report unless told. */
  readonly good?: { readonly status: string; readonly part: string };
};

type Wire = { socket: Socket; isBusy: boolean; startedMs: number };

const COMPLETE = { status: 'HTTP/1.1 200', part: '"status":"complete"' };
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Calls back for every whole answer on the socket. */
function onAnswer(socket: Socket, good: typeof COMPLETE, answered: (isOk: boolean) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const end = pending.indexOf(END_OF_HEAD);
      if (end === -1) return;
      const head = pending.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (Number.isNaN(length)) throw new Error(`an answer without a length: ${head}`);
      const total = end + END_OF_HEAD.length + length;
      if (pending.length < total) return;
      // The status stands near the beginning of the body, before the report.
      const isOk = head.startsWith(good.status) && pending.toString('latin1', end, end + 400).includes(good.part);
      pending = pending.subarray(total);
      answered(isOk);
    }
  });
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { ports, requests, connections, seconds, rate, good = COMPLETE } = options;
  const latencies: number[] = [];
  let [answered, refused] = [0, 0];
  // Somewhere in the list: runs after one another ask for other people.
  let next = Math.floor(Math.random() * requests.length);
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  const wires: Wire[] = [];
  const due: number[] = [];

  function send(wire: Wire, startedMs: number): void {
    wire.isBusy = true;
    wire.startedMs = startedMs;
    wire.socket.write(requests[next++ % requests.length] ?? Buffer.alloc(0));
  }

  const done = new Promise<void>((resolve, reject) => {
    const finish = () => {
      if (wires.every(({ isBusy }) => !isBusy)) resolve();
    };
    for (let count = 0; count < connections; count += 1) {
      const socket = connect(ports[count % ports.length] ?? 0, '127.0.0.1');
      socket.setNoDelay(true);
      const wire: Wire = { socket, isBusy: false, startedMs: 0 };
      wires.push(wire);
      socket.on('error', reject);
      onAnswer(socket, good, (isOk) => {
        const nowMs = performance.now();
        latencies.push(nowMs - wire.startedMs);
        if (isOk) answered += 1;
        else refused += 1;
        wire.isBusy = false;
        if (nowMs >= endMs) finish();
        else if (rate === undefined) send(wire, nowMs);
        else {
          const waiting = due.shift();
          if (waiting !== undefined) send(wire, waiting);
        }
      });
      if (rate === undefined) socket.once('connect', () => send(wire, performance.now()));
    }
    if (rate !== undefined) pace(finish);
  });

  /** An open loop: a request is due when it is due, and one that finds no free wire has begun to wait all the same. */
  function pace(finish: () => void): void {
    let issued = 0;
    const timer = setInterval(() => {
      const nowMs = performance.now();
      if (nowMs >= endMs) {
        clearInterval(timer);
        finish();
        return;
      }
      const target = Math.floor(((nowMs - startMs) / 1_000) * (rate ?? 0));
      for (; issued < target; issued += 1) {
        const free = wires.find(({ isBusy }) => !isBusy);
        if (free) send(free, nowMs);
        else due.push(nowMs);
      }
    }, 1);
  }

  await done;
  for (const { socket } of wires) socket.destroy();
  const tookSeconds = (performance.now() - startMs) / 1_000;
  return { answered, refused, seconds: tookSeconds, latenciesMs: Float64Array.from(latencies).sort() };
}

export function requestBytes(tenant: { tenantId: string; token: string }, body: object): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `POST /${tenant.tenantId}/v1/credit-reports HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${tenant.token}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
