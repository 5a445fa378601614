// A second node of a test server whose event loop is measured: in a process of its own, so that nothing of the test runs
// on its thread.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../tools/dev/free-port.ts';
import type { TestServer } from '../harness.ts';
import { COMPILE_CACHE } from './command-line.ts';

const PROCESS = fileURLToPath(new URL('ticks-process.ts', import.meta.url));

export type MeasuredNode = {
  readonly baseUrl: string;
  /** What the worst event-loop tick cost since this was last asked, in the thread's own time. */
  takeWorstMs(): Promise<number>;
  /** Makes one turn cost this much. */
  block(ms: number): void;
  close(): Promise<void>;
};

export async function startMeasuredNode({ environment }: TestServer): Promise<MeasuredNode> {
  const port = await freePort();
  const child = fork(PROCESS, {
    execArgv: [],
    env: {
      PATH: '/usr/bin:/bin',
      ...COMPILE_CACHE,
      ...environment,
      TREFOIL_PORT: String(port),
      TREFOIL_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => Promise.reject(new Error(`the measured node ended with ${code}`))),
  ]);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async takeWorstMs() {
      const answer = once(child, 'message');
      child.send('take');
      const [{ worstMs }] = (await answer) as [{ worstMs: number }];
      return worstMs;
    },
    block: (ms) => child.send({ blockMs: ms }),
    async close() {
      child.disconnect();
      await exited;
    },
  };
}
