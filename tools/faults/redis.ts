// The scenario's own Redis, behind a proxy: it can be killed and started again without affecting other users.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../dev/free-port.ts';
import { type FaultProxy, openProxy } from './proxy.ts';

export type OwnRedis = {
  /** Through the proxy. */
  readonly url: string;
  readonly proxy: FaultProxy;
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

const START_MS_MAX = 10_000;
const LOOK_MS = 50;

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}

export async function openRedis(): Promise<OwnRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    child = spawn('redis-server', settings, { stdio: 'ignore', detached: true });
    const failed = once(child, 'error').then(([error]) => {
      throw error;
    });
    failed.catch(() => undefined);
    const startedMs = performance.now();
    while (!(await Promise.race([isListening(port), failed]))) {
      if (performance.now() - startedMs > START_MS_MAX) throw new Error('redis-server did not start');
      await sleep(LOOK_MS);
    }
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  await start();
  const proxy = await openProxy(port);
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    proxy,
    kill,
    start,
    async close() {
      await proxy.close();
      await kill();
    },
  };
}
