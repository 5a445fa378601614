// A port on which no process listens at this moment.
import { createServer } from 'node:net';

/** Undefined when it is taken. */
async function probe(port: number): Promise<number | undefined> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isListening) return undefined;
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : undefined;
}

export async function freePort(): Promise<number> {
  const port = await probe(0);
  if (port === undefined) throw new Error('no port is free');
  return port;
}

/** Below the ephemeral ports. */
const LASTING = { first: 20_000, count: 12_000, tries: 100 };

/** For a process that will be down for a while: no outgoing connection takes its port in the meantime. */
export async function freeLastingPort(): Promise<number> {
  for (let tries = 0; tries < LASTING.tries; tries += 1) {
    const port = await probe(LASTING.first + Math.floor(Math.random() * LASTING.count));
    if (port !== undefined) return port;
  }
  throw new Error('no port is free');
}
