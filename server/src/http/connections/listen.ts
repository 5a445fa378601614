// Accepts new connections quickly even when the event loop is busy. Node accepts one connection per listening socket in each
// event-loop tick: under load, with ticks of 50 ms, that is twenty a second, and the twenty-first waits without even a 503.
// Several sockets on one port are all accepted from in the same tick (docs/decisions/0180-listening-sockets.md).
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { FastifyInstance, FastifyListenOptions } from 'fastify';

type Place = { readonly host: string; readonly port: number };

const SOCKETS = 32;

/** Linux spreads connections over the sockets of a port; other systems get one socket. */
const CAN_SHARE = process.platform === 'linux';

/** A shared port silently takes connections from the process that shares it, so we first bind the port exclusively. */
async function requireFree(place: Place): Promise<void> {
  const probe = createServer().listen({ ...place, exclusive: true });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

async function openSocket(place: Place, onConnection: (socket: Socket) => void): Promise<Server> {
  // The same options as Node's own HTTP server.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, onConnection);
  server.listen({ ...place, reusePort: true, exclusive: true });
  await once(server, 'listening');
  return server;
}

/** Resolves to the address as a URL. The sockets opened here close with the app. */
export async function listen(app: FastifyInstance, { host, port }: Place): Promise<string> {
  if (!CAN_SHARE) return app.listen({ host, port });
  if (port !== 0) await requireFree({ host, port });
  const others: Server[] = [];
  let closings: Promise<unknown>[] = [];
  app.addHook('preClose', async () => {
    closings = others.map((server) => once(server.close(), 'close'));
  });
  // The app's own server waits only for the connections of its own socket.
  app.addHook('onClose', async () => {
    await Promise.all(closings);
  });
  // Fastify passes it on to Node; its type does not have this option yet.
  const options: FastifyListenOptions & { reusePort: true } = { host, port, reusePort: true };
  const url = await app.listen(options);
  const hand = (socket: Socket) => void app.server.emit('connection', socket);
  for (const { address, port: bound } of app.addresses() as AddressInfo[]) {
    const places = Array.from({ length: SOCKETS - 1 }, () => ({ host: address, port: bound }));
    others.push(...(await Promise.all(places.map((place) => openSocket(place, hand)))));
  }
  return url;
}
