// A node whose clock is far from the database's: the start refuses it; a clock that goes wrong later is told and stops
// nothing (docs/decisions/0149-the-clock.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { clockJob } from '../../src/lib/clock-watch.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const shifted = (seconds: number) => () => new Date(Date.now() + seconds * 1_000);

async function start(now: () => Date) {
  const port = await freePort();
  const config = loadConfig({ ...server.environment, TREFOIL_PORT: String(port) });
  const node = await createApp(config, { now, logDestination: { write: () => undefined } });
  return { node, address: `http://127.0.0.1:${port}` };
}

// Well beyond 30 s: what a slow answer of the database leaves open counts for the node.
test.each([
  [300, 'ahead of'],
  [-300, 'behind'],
])('a start at %d s is refused: %s the database', async (seconds, words) => {
  const { node } = await start(shifted(seconds));
  try {
    await expect(node.listen()).rejects.toThrow(words);
    await expect(node.work()).rejects.toThrow(words);
  } finally {
    await node.close();
  }
});

test.each([0, 20, -20])('a start at %d s is a start', async (seconds) => {
  const { node, address } = await start(shifted(seconds));
  try {
    await node.listen();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  } finally {
    await node.close();
  }
});

test('a clock that jumps later stops nothing, and is told by log and metric', async () => {
  let offset = 0;
  const now = () => shifted(offset)();
  const { node, address } = await start(now);
  const lines: string[] = [];
  const metrics = createMetrics();
  const log = createLog('error', { write: (line) => lines.push(line) });
  const job = clockJob({ database: server.database, now, metrics, log });
  try {
    await node.listen();
    await job.run();
    expect(lines).toEqual([]);
    offset = 600;
    await job.run();
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(lines.join('')).toContain('the clock differs from that of the database');
    const text = await metrics.registry.metrics();
    expect(Number(/^trefoil_clock_offset_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(500);
    expect(text).toContain('trefoil_alarms_total{alarm="clock"} 1');
  } finally {
    await node.close();
  }
});
