// A port on which no process listens.
import { createServer } from 'node:net';

/** Below the ephemeral ports: no outgoing connection takes one between this question and its use, or while its process is down. */
const FIRST = 20_000;
const COUNT = 12_000;
/** Workers of a test run ask at the same moment: each has a share of its own, and so has everything else. */
const SHARES = 6;

const size = COUNT / SHARES;
const first = FIRST + (Number(process.env['VITEST_POOL_ID'] ?? 0) % SHARES) * size;
/** One after another, so that no port is given twice; from anywhere, since processes that this one starts share with it. */
let next = Math.floor(Math.random() * size);

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < size; tries += 1) {
    const port = first + (next % size);
    next += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}
