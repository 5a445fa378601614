// Raw keep-alive connections to one server, as many as are needed at once: a request is prepared bytes, an answer its
// status, head and body. The machine's cores are for the measured service. Every request ends within its timeout.
import { connect, type Socket } from 'node:net';

export type Reply = {
  /** 0 when no answer came in time, or the connection broke. */
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  readonly ms: number;
};

export type Wires = {
  ask(request: Buffer, patienceMs: number): Promise<Reply>;
  close(): void;
};

const END_OF_HEAD = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);
const NO_CONTENT = 204;

type Whole = Omit<Reply, 'ms'> & { readonly bytes: number };

/** The first complete answer of the received bytes; undefined while there is none. */
function readAnswer(pending: Buffer): Whole | undefined {
  const end = pending.indexOf(END_OF_HEAD);
  if (end === -1) return undefined;
  const head = pending.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const length = status === NO_CONTENT ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
  if (Number.isNaN(length)) throw new Error(`an answer without a length: ${head}`);
  const from = end + END_OF_HEAD.length;
  if (pending.length < from + length) return undefined;
  return { status, head, body: pending.subarray(from, from + length), bytes: from + length };
}

type Wire = { readonly socket: Socket; pending: Buffer; answered: ((reply: Omit<Reply, 'ms'>) => void) | undefined };

export function openWires(port: number): Wires {
  const all = new Set<Wire>();
  const free: Wire[] = [];

  function end(wire: Wire): void {
    all.delete(wire);
    const place = free.indexOf(wire);
    if (place !== -1) free.splice(place, 1);
    wire.socket.destroy();
    wire.answered?.({ status: 0, head: '', body: NOTHING });
  }

  function openWire(): Wire {
    const socket = connect(port, '127.0.0.1');
    const wire: Wire = { socket, pending: NOTHING, answered: undefined };
    all.add(wire);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => end(wire));
    socket.on('data', (chunk) => {
      wire.pending = wire.pending.length === 0 ? chunk : Buffer.concat([wire.pending, chunk]);
      const whole = readAnswer(wire.pending);
      if (!whole) return;
      wire.pending = wire.pending.subarray(whole.bytes);
      const { answered } = wire;
      wire.answered = undefined;
      if (/^connection: close/im.test(whole.head)) end(wire);
      else free.push(wire);
      answered?.(whole);
    });
    return wire;
  }

  return {
    ask: (request, patienceMs) =>
      new Promise((resolve) => {
        const startedMs = performance.now();
        const wire = free.pop() ?? openWire();
        const timer = setTimeout(() => end(wire), patienceMs);
        wire.answered = ({ status, head, body }) => {
          clearTimeout(timer);
          resolve({ status, head, body, ms: performance.now() - startedMs });
        };
        wire.socket.write(request);
      }),
    close() {
      for (const wire of all) end(wire);
    },
  };
}
