// Starts the DNS server of a test and lets this process ask it instead of the system's.
import { type ChildProcess, fork } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DnsRule } from './dns-process.ts';

const PROGRAM = fileURLToPath(new URL('dns-process.ts', import.meta.url));

export type TestDns = { set(rule: DnsRule): Promise<void>; stop(): Promise<void> };

export async function startDns(): Promise<TestDns> {
  const child: ChildProcess = fork(PROGRAM, { stdio: 'inherit' });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const before = dns.getServers();
  dns.setServers([`127.0.0.1:${port}`]);
  return {
    async set(rule) {
      const told = once(child, 'message');
      child.send(rule);
      await told;
    },
    async stop() {
      dns.setServers(before);
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
