// A TCP proxy in front of PostgreSQL or Redis that misbehaves on command. It takes the place of the network: the server
// behind it and the process in front of it are the real ones and do not know of it.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

export type FaultProxy = {
  readonly port: number;
  /**
   * The open connections go silent: no answer, no end and no reset, as when a host loses power. Their far ends are
   * closed, so that the server releases their locks; connections opened later work.
   */
  silence(): void;
  /** Nothing passes in either direction, on old and new connections, until `resume`. Data sent meanwhile is kept. */
  stall(): void;
  resume(): void;
  /** Cuts every connection and refuses new ones until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** From now on all data arrives this much later, in both directions. */
  delay(ms: number): void;
  close(): Promise<void>;
};

type Pair = { readonly near: Socket; readonly far: Socket; isSilent: boolean };

/** Below the ephemeral ports: an outgoing connection could take the port while the proxy is away. */
const PORTS = { first: 20_000, last: 31_999 };

async function listen(server: Server, port: number): Promise<boolean> {
  server.listen(port, '127.0.0.1');
  const [error] = await Promise.race([once(server, 'listening').then(() => []), once(server, 'error')]);
  return error === undefined;
}

function forward(from: Socket, to: Socket, delayMs: () => number): void {
  from.on('data', (data) => {
    // Nothing is written to the far end of a silent connection, which is closed.
    const pass = () => to.writable && to.write(data);
    const ms = delayMs();
    // Timers of one length fire in the order they were set, so the data stays in order.
    if (ms === 0) pass();
    else setTimeout(pass, ms);
  });
}

export async function openProxy(targetPort: number): Promise<FaultProxy> {
  const pairs = new Set<Pair>();
  let isStalled = false;
  let delayMs = 0;

  function accept(near: Socket): void {
    const far = connect(targetPort, '127.0.0.1');
    const pair: Pair = { near, far, isSilent: false };
    pairs.add(pair);
    forward(near, far, () => delayMs);
    forward(far, near, () => delayMs);
    near.setNoDelay(true);
    far.setNoDelay(true);
    near.on('close', () => {
      pairs.delete(pair);
      far.destroy();
    });
    far.on('close', () => {
      if (!pair.isSilent) near.destroy();
    });
    for (const socket of [near, far]) {
      socket.on('error', () => undefined);
      if (isStalled) socket.pause();
    }
  }

  const cut = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };
  let port = 0;
  let server = createServer(accept);
  for (;;) {
    port = PORTS.first + Math.floor(Math.random() * (PORTS.last - PORTS.first + 1));
    if (await listen(server, port)) break;
  }
  const stopListening = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    port,
    silence() {
      for (const pair of pairs) {
        pair.isSilent = true;
        pair.far.destroy();
      }
    },
    stall() {
      isStalled = true;
      for (const { near, far } of pairs) {
        near.pause();
        far.pause();
      }
    },
    resume() {
      isStalled = false;
      for (const { near, far } of pairs) {
        near.resume();
        far.resume();
      }
    },
    async goAway() {
      const stopped = stopListening();
      cut();
      await stopped;
    },
    async comeBack() {
      server = createServer(accept);
      if (!(await listen(server, port))) throw new Error(`port ${port} of the proxy was taken while it was away`);
    },
    delay(ms) {
      delayMs = ms;
    },
    async close() {
      const stopped = server.listening ? stopListening() : undefined;
      cut();
      await stopped;
    },
  };
}
