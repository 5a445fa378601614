// Three machines and a hub as network namespaces. The machines' interfaces meet at a bridge in the hub, so that no rule of this
// machine's own firewall applies between them; this machine itself has one interface on that bridge.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  addressOf,
  dataFolderOf,
  FOLDER,
  HOST_ADDRESS,
  HOST_LINK,
  HUB,
  MACHINES,
  MARK,
  type MachineNumber,
  NAME,
  namespaceOf,
  POSTGRES_PORT,
} from './settings.ts';

const NEEDED = ['ip', 'nft', 'nice', 'setpriv', 'etcd', 'patroni', 'haproxy'];
const PACKAGES = 'patroni etcd-server haproxy nftables iproute2';
const STOP_MS_MAX = 3_000;
const LOOK_MS = 20;

function run(file: string, args: readonly string[], input = ''): string {
  return execFileSync(file, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

const ip = (line: string) => run('ip', line.split(' '));
const nft = (machine: MachineNumber, rules: string) =>
  run('ip', ['netns', 'exec', namespaceOf(machine), 'nft', '-f', '-'], rules);

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** The reason why this machine cannot run a cluster; undefined if it can. Leaves nothing behind. */
export function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const missing = NEEDED.filter((program) => !succeeds(() => run('which', [program])));
  if (missing.length > 0) return `${missing.join(', ')} not installed (apt-get install ${PACKAGES})`;
  const probe = `${NAME}-try`;
  try {
    succeeds(() => ip(`netns del ${probe}`));
    ip(`netns add ${probe}`);
    ip(`-n ${probe} link add br0 type bridge`);
    ip(`-n ${probe} link add one type veth peer name two`);
    run('ip', ['netns', 'exec', probe, 'nft', '-f', '-'], 'table inet probe { }\n');
    return undefined;
  } catch {
    return 'this machine allows no network namespaces, virtual interfaces or packet filters';
  } finally {
    succeeds(() => ip(`netns del ${probe}`));
  }
}

export function openNetwork(): void {
  ip(`netns add ${HUB}`);
  ip(`-n ${HUB} link set lo up`);
  ip(`-n ${HUB} link add br0 type bridge`);
  ip(`-n ${HUB} link set br0 up`);
  for (const machine of MACHINES) {
    const namespace = namespaceOf(machine);
    ip(`netns add ${namespace}`);
    ip(`-n ${namespace} link set lo up`);
    ip(`-n ${HUB} link add v${machine} type veth peer name eth0 netns ${namespace}`);
    ip(`-n ${HUB} link set v${machine} master br0 up`);
    ip(`-n ${namespace} addr add ${addressOf(machine)}/24 dev eth0`);
    ip(`-n ${namespace} link set eth0 up`);
  }
  ip(`link add ${HOST_LINK} type veth peer name vhost netns ${HUB}`);
  ip(`-n ${HUB} link set vhost master br0 up`);
  ip(`addr add ${HOST_ADDRESS}/24 dev ${HOST_LINK}`);
  ip(`link set ${HOST_LINK} up`);
}

/** Nothing comes in or goes out; no connection is reset. What runs on the machine still reaches itself. */
export function isolate(machine: MachineNumber): void {
  nft(
    machine,
    `table inet part {
  chain in { type filter hook input priority 0; policy drop; iif lo accept; }
  chain out { type filter hook output priority 0; policy drop; oif lo accept; }
}
`,
  );
}

/** The machine's standbys hear nothing more of it; its clients and etcd do. */
export function cutReplication(machine: MachineNumber): void {
  const others = MACHINES.filter((each) => each !== machine).map(addressOf);
  nft(
    machine,
    `table inet part {
  chain out {
    type filter hook output priority 0; policy accept;
    tcp sport ${POSTGRES_PORT} ip daddr { ${others.join(', ')} } drop
  }
}
`,
  );
}

export function heal(machine: MachineNumber): void {
  nft(machine, 'delete table inet part\n');
}

/** The processes of a machine. */
export function listProcesses(machine: MachineNumber): number[] {
  try {
    return ip(`netns pids ${namespaceOf(machine)}`)
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
  } catch {
    return [];
  }
}

/** The first line of its file. A crashed postmaster leaves the file behind, so the process may be gone. */
export function postmasterOf(machine: MachineNumber): number | undefined {
  try {
    return Number(readFileSync(join(dataFolderOf(machine), 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  } catch {
    return undefined;
  }
}

export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  // It may have ended by itself.
  succeeds(() => process.kill(pid, signal));
}

/** The run's processes outside the namespaces: proxy, servers and simulators. */
function listMarked(): number[] {
  const mark = `${MARK.name}=${MARK.value}`;
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!(pid > 0) || pid === process.pid) return false;
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
      } catch {
        return false;
      }
    });
}

const rest = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** PostgreSQL is told to stop, because a killed postmaster leaves its shared memory behind; all else is killed. */
function stopProcesses(): void {
  const listAll = () => MACHINES.flatMap(listProcesses);
  const postmasters = MACHINES.map(postmasterOf);
  for (const pid of [...listMarked(), ...listAll()]) {
    let isPostgres = false;
    succeeds(() => {
      isPostgres = readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
    });
    if (!isPostgres) kill(pid);
    else if (postmasters.includes(pid)) kill(pid, 'SIGQUIT');
  }
  const endMs = performance.now() + STOP_MS_MAX;
  while (listAll().length > 0 && performance.now() < endMs) rest(LOOK_MS);
  for (const pid of listAll()) kill(pid);
}

/** Ends and removes everything of a run by name, also of one that was killed. Synchronous, so that it works on exit. */
export function sweep(): void {
  stopProcesses();
  for (const namespace of [...MACHINES.map(namespaceOf), HUB]) succeeds(() => ip(`netns del ${namespace}`));
  succeeds(() => ip(`link del ${HOST_LINK}`));
  rmSync(FOLDER, { recursive: true, force: true, maxRetries: 5 });
}
