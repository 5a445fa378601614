// New connections while the event loop is busy: each event-loop tick accepts one from each listening socket, so one socket
// alone would keep the others waiting for seconds (docs/decisions/0180-listening-sockets.md).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../../src/http/connections/listen.ts';
import { createHttpMetrics } from '../../src/http/http-metrics.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { createLog } from '../../src/lib/log.ts';

const CONNECTIONS = 100;
const TURN_MS = 40;

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

function create() {
  const app = createHttpServer({
    log: createLog('silent'),
    metrics: createHttpMetrics(new Registry()),
    now: () => new Date(),
    connections: { perAddress: 1_000, inAll: 1_000 },
    trustedProxies: [],
    hstsSeconds: 0,
    baseUrl: 'http://127.0.0.1',
    isKnownOrigin: async () => false,
  });
  app.get('/livez', async () => ({ status: 'alive' }));
  closings.push(() => app.close());
  return app;
}

async function start(app = create()): Promise<number> {
  return Number(new URL(await listen(app, { host: '127.0.0.1', port: 0 })).port);
}

/** A process of its own asks over as many connections, once it hears a line, and says when the last answer has come. */
const ASK = `
  const { connect } = require('node:net');
  process.stdin.once('data', () => {
    let left = ${CONNECTIONS};
    for (let number = 0; number < ${CONNECTIONS}; number += 1) {
      const socket = connect(Number(process.argv[1]), '127.0.0.1', () => socket.write('GET /livez HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n'));
      socket.resume().once('close', () => {
        left -= 1;
        if (left === 0) { console.log('done'); process.exit(); }
      });
    }
  });
  console.log('ready');`;

function spendTurns(): { stop(): number } {
  let turns = 0;
  let isStopped = false;
  const spend = () => {
    const endMs = performance.now() + TURN_MS;
    while (performance.now() < endMs);
    turns += 1;
    if (!isStopped) setImmediate(spend);
  };
  setImmediate(spend);
  return {
    stop() {
      isStopped = true;
      return turns;
    },
  };
}

const firstLine = (child: ReturnType<typeof spawn>) => once(child.stdout as NodeJS.ReadableStream, 'data');

test('a hundred new connections are answered within a few turns of a busy loop', async () => {
  const port = await start();
  const child = spawn(process.execPath, ['-e', ASK, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  await firstLine(child);
  const busy = spendTurns();
  child.stdin?.write('go\n');
  await firstLine(child);
  // With one socket it is one turn for each connection.
  expect(busy.stop()).toBeLessThan(CONNECTIONS / 2);
});

test('a port that somebody listens on is refused, not shared', async () => {
  const port = await start();
  await expect(listen(create(), { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('closing waits for the requests under way, whichever socket they came by', async () => {
  const app = create();
  const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let waiting = 0;
  app.get('/held', async () => {
    waiting += 1;
    if (waiting === 64) begun.resolve();
    await held.promise;
    return {};
  });
  const port = await start(app);
  const asked = Promise.all(
    Array.from({ length: 64 }, async () => (await fetch(`http://127.0.0.1:${port}/held`)).status),
  );
  await begun.promise;
  const closing = app.close();
  // Nothing tells that it goes on waiting but that it does.
  expect(await Promise.race([closing, setTimeout(300, 'waits')])).toBe('waits');
  held.resolve();
  expect(new Set(await asked)).toEqual(new Set([200]));
  await closing;
});
