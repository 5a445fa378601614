// Three machines with etcd, Patroni and PostgreSQL each, and HAProxy before them, as processes of Debian's packages. Starts,
// kills and mends them; says who is primary and whether the cluster is whole.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../dev/free-port.ts';
import { judgeHealth, type MemberStatus, type Whole } from './health.ts';
import { kill, listProcesses, openNetwork, postmasterOf } from './network.ts';
import {
  addressOf,
  etcdArguments,
  FOLDER,
  MACHINES,
  MARK,
  type MachineNumber,
  memberOf,
  namespaceOf,
  PATRONI_PORT,
  patroniConfiguration,
  proxyConfiguration,
  type Timing,
} from './settings.ts';

export type Cluster = {
  /** Of the superuser, through HAProxy. */
  readonly adminUrl: string;
  /** Resolves when one primary has two streaming standbys on its timeline, one of them synchronous where that is set. */
  waitUntilWhole(patienceMs: number): Promise<Whole>;
  startMachine(machine: MachineNumber): void;
  startPatroni(machine: MachineNumber): void;
  startEtcd(machine: MachineNumber): void;
  /** Every process of the machine, PostgreSQL's children included: they outlive their postmaster and could still commit. */
  killMachine(machine: MachineNumber): Promise<void>;
  killPatroni(machine: MachineNumber): void;
  killPostmaster(machine: MachineNumber): void;
  killEtcd(machine: MachineNumber): void;
  switchOver(from: MachineNumber, to: MachineNumber): Promise<void>;
};

export type ClusterOptions = { readonly timing: Timing; readonly isSynchronous: boolean };

const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const START_MS_MAX = 180_000;
const ASK_MS_MAX = 1_000;
const LOOK_MS = 200;
const SWITCHOVER_MS_MAX = 60_000;
/** One machine stands for five: without this, load and servers would starve etcd of the processor. */
const PRIORITY = '-10';

function idOf(option: '-u' | '-g'): number {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
}

function findBinaries(): string {
  const [newest] = readdirSync(POSTGRES_VERSIONS).toSorted((left, right) => Number(right) - Number(left));
  return join(POSTGRES_VERSIONS, newest ?? '', 'bin');
}

function prepareFolders(options: ClusterOptions): void {
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  const binaries = findBinaries();
  chmodSync(FOLDER, 0o755);
  mkdirSync(join(FOLDER, 'log'), { recursive: true });
  for (const machine of MACHINES) {
    for (const path of [join(FOLDER, `pg${machine}`), join(FOLDER, `etcd${machine}`)]) {
      mkdirSync(path, { mode: 0o700 });
      chownSync(path, uid, gid);
    }
    const configuration = JSON.stringify(patroniConfiguration(machine, { ...options, binaries }));
    writeFileSync(join(FOLDER, `patroni${machine}.yml`), configuration);
  }
}

function environment() {
  return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', [MARK.name]: MARK.value };
}

/** In a process group of its own: Ctrl-C is for the run, which then ends its processes itself. */
function start(file: string, args: readonly string[], logName: string): ChildProcess {
  const log = openSync(join(FOLDER, 'log', `${logName}.log`), 'a');
  const child = spawn(file, args, { cwd: FOLDER, env: environment(), stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  // A program that cannot be started shows in a cluster that does not become whole.
  child.on('error', () => undefined);
  return child;
}

/** Each of these programs replaces itself by the next, so the child is the last one. */
function startOn(machine: MachineNumber, command: readonly string[], logName: string): ChildProcess {
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', '--'];
  const words = ['netns', 'exec', namespaceOf(machine), 'nice', '-n', PRIORITY, ...asPostgres, ...command];
  return start('ip', words, logName);
}

async function ask<T>(machine: MachineNumber): Promise<T | undefined> {
  try {
    const response = await fetch(`http://${addressOf(machine)}:${PATRONI_PORT}/patroni`, {
      signal: AbortSignal.timeout(ASK_MS_MAX),
    });
    return (await response.json()) as T;
  } catch {
    return undefined;
  }
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  prepareFolders(options);
  openNetwork();
  const etcds = new Map<MachineNumber, ChildProcess>();
  const patronis = new Map<MachineNumber, ChildProcess>();
  const startEtcd = (machine: MachineNumber) =>
    void etcds.set(machine, startOn(machine, ['etcd', ...etcdArguments(machine)], `etcd${machine}`));
  const startPatroni = (machine: MachineNumber) =>
    void patronis.set(
      machine,
      startOn(machine, ['patroni', join(FOLDER, `patroni${machine}.yml`)], `patroni${machine}`),
    );

  async function waitUntilWhole(patienceMs: number): Promise<Whole> {
    const endMs = performance.now() + patienceMs;
    for (;;) {
      const answers = await Promise.all(MACHINES.map((machine) => ask<MemberStatus>(machine)));
      const health = judgeHealth(answers, options.isSynchronous);
      if (health.isWhole) return health;
      if (performance.now() > endMs) {
        throw new Error(`the cluster is not whole after ${Math.round(patienceMs / 1_000)} s: ${health.reason}`);
      }
      await sleep(LOOK_MS);
    }
  }

  MACHINES.forEach(startEtcd);
  MACHINES.forEach(startPatroni);
  const port = await freePort();
  const proxyFile = join(FOLDER, 'haproxy.cfg');
  writeFileSync(proxyFile, proxyConfiguration(port));
  start('haproxy', ['-db', '-f', proxyFile], 'haproxy');
  await waitUntilWhole(START_MS_MAX);
  return {
    adminUrl: `postgres://postgres@127.0.0.1:${port}/postgres`,
    ...{ waitUntilWhole, startEtcd, startPatroni },
    startMachine(machine) {
      startEtcd(machine);
      startPatroni(machine);
    },
    async killMachine(machine) {
      for (let pids = listProcesses(machine); pids.length > 0; pids = listProcesses(machine)) {
        for (const pid of pids) kill(pid);
        await sleep(10);
      }
    },
    killPatroni: (machine) => void patronis.get(machine)?.kill('SIGKILL'),
    killPostmaster(machine) {
      const pid = postmasterOf(machine);
      if (pid === undefined) throw new Error(`${memberOf(machine)} has no postmaster`);
      kill(pid);
    },
    killEtcd: (machine) => void etcds.get(machine)?.kill('SIGKILL'),
    async switchOver(from, to) {
      const response = await fetch(`http://${addressOf(from)}:${PATRONI_PORT}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: memberOf(from), candidate: memberOf(to) }),
        signal: AbortSignal.timeout(SWITCHOVER_MS_MAX),
      });
      if (!response.ok) throw new Error(`the switchover was refused: ${response.status} ${await response.text()}`);
    },
  };
}
