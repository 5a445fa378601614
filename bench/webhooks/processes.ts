// The two processes of the webhooks benchmark beside the one that writes events: a worker of the service, and the receivers.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Noted } from './receivers.ts';

const RECEIVERS = fileURLToPath(new URL('./receivers.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const ONE_GROUP = new URL('./one-group.ts', import.meta.url).href;

export type Receivers = {
  readonly healthyPort: number;
  readonly hangingPort: number;
  readonly refusingPort: number;
  count(): Promise<number>;
  /** What came since the last time. */
  take(): Promise<Noted>;
  /** Two of the three answer no more from now on: one hangs and one refuses. */
  die(): Promise<void>;
  stop(): void;
};

async function ask<Answer>(child: ChildProcess, question: 'count' | 'take' | 'die'): Promise<Answer> {
  const answered = once(child, 'message') as Promise<[Answer]>;
  child.send(question);
  return (await answered)[0];
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork(RECEIVERS, { execArgv: [], env: {} });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the receivers have ended')));
  ended.catch(() => undefined);
  const [ports] = (await Promise.race([once(child, 'message'), ended])) as [
    Pick<Receivers, 'healthyPort' | 'hangingPort' | 'refusingPort'>,
  ];
  return {
    ...ports,
    count: async () => (await Promise.race([ask<{ count: number }>(child, 'count'), ended])).count,
    take: () => Promise.race([ask<Noted>(child, 'take'), ended]),
    die: () => Promise.race([ask<void>(child, 'die'), ended]),
    stop: () => child.disconnect(),
  };
}

export async function startWorker(
  environment: Record<string, string>,
  { isControl }: { readonly isControl: boolean },
): Promise<{ stop(): Promise<void> }> {
  const control = isControl ? ['--import', ONE_GROUP] : [];
  const child = spawn(process.execPath, [...process.execArgv, ...control, MAIN, 'worker'], {
    env: { ...environment, TREFOIL_LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const onExit = () => child.kill('SIGKILL');
  // A benchmark that is stopped leaves no worker behind.
  process.once('exit', onExit);
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"working"')) break;
  if (child.exitCode !== null) throw new Error('the worker did not start');
  child.stdout.resume();
  return {
    async stop() {
      process.off('exit', onExit);
      child.kill('SIGTERM');
      await exited;
    },
  };
}
