// The cluster as data: names, addresses, and the configuration of Patroni, etcd and HAProxy. Pure; docs/operate/high-availability.md
// gives the reason for each setting, and decision 0256 for the choice of programs.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One name for everything, so that a run finds what a killed run left behind. */
export const NAME = 'trefoil-ha';
export const FOLDER = join(tmpdir(), NAME);
/** Every process outside a namespace has this variable, by which a later run finds it. */
export const MARK = { name: 'HA_RUN', value: NAME } as const;

export const MACHINES = [1, 2, 3] as const;
export type MachineNumber = (typeof MACHINES)[number];

const NETWORK = '10.213.77';
export const SUBNET = `${NETWORK}.0/24`;
export const HOST_ADDRESS = `${NETWORK}.254`;
export const addressOf = (machine: MachineNumber) => `${NETWORK}.${10 + machine}`;
export const namespaceOf = (machine: MachineNumber) => `${NAME}-${machine}`;
export const HUB = `${NAME}-hub`;
/** The one interface that this machine itself gets. */
export const HOST_LINK = 'trefoilha0';

export const memberOf = (machine: MachineNumber) => `pg${machine}`;
export const machineOf = (member: string) => MACHINES.find((machine) => memberOf(machine) === member);

export const POSTGRES_PORT = 5432;
export const PATRONI_PORT = 8008;
const ETCD_PORT = 2379;
const ETCD_PEER_PORT = 2380;

export type Timing = { readonly ttl: number; readonly loopWait: number; readonly retryTimeout: number };

export const TTL_MIN = 5;
export const TTL_MAX = 60;

/** Patroni's own rule: loop_wait + 2 × retry_timeout must fit in ttl, or the primary loses its lock while it retries. */
export function timingFor(ttl: number): Timing {
  const quarter = Math.floor(ttl / 4);
  return { ttl, loopWait: Math.max(1, quarter), retryTimeout: Math.max(2, quarter) };
}

/** The longest time without an acknowledged write that a run accepts, and until all members stream again. */
export type Limits = { readonly gapMs: number; readonly rejoinMs: number };

/** The findings about these limits. */
export const GAP = 'no write gap above the limit';
export const REJOIN = 'all members stream within the limit';

/**
 * In a short run they only notice a cluster that does not come back: how long it takes depends on the machine, and a
 * short run must not fail because that is busy. Losses and double charges count all the same.
 */
export function limitsFor(ttl: number, isShort: boolean): Limits {
  if (isShort) return { gapMs: 40_000, rejoinMs: 60_000 };
  return { gapMs: ttl <= TTL_MIN ? 12_000 : (ttl + 10) * 1_000, rejoinMs: 30_000 };
}

export const dataFolderOf = (machine: MachineNumber) => join(FOLDER, `pg${machine}`, 'data');

export type MemberOptions = {
  readonly timing: Timing;
  /** False only for the control, which must lose commits. */
  readonly isSynchronous: boolean;
  /** The folder of PostgreSQL's programs. */
  readonly binaries: string;
};

const POSTGRES_PARAMETERS = {
  max_connections: 200,
  shared_buffers: '64MB',
  wal_level: 'replica',
  hot_standby: 'on',
  wal_log_hints: 'on',
  max_wal_senders: 10,
  max_replication_slots: 10,
  wal_keep_size: '64MB',
  max_wal_size: '256MB',
  synchronous_commit: 'on',
  wal_receiver_status_interval: '1s',
  wal_receiver_timeout: '5s',
  wal_sender_timeout: '5s',
  wal_retrieve_retry_interval: '500ms',
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 1,
  tcp_keepalives_count: 3,
} as const;

/** As an object: JSON is YAML, so it is written as JSON. */
export function patroniConfiguration(machine: MachineNumber, { timing, isSynchronous, binaries }: MemberOptions) {
  const own = join(FOLDER, `pg${machine}`);
  const address = addressOf(machine);
  return {
    scope: NAME,
    name: memberOf(machine),
    log: { level: 'INFO' },
    restapi: { listen: `${address}:${PATRONI_PORT}`, connect_address: `${address}:${PATRONI_PORT}` },
    // The v2 interface: with `etcd3`, Patroni 3.0.2 overwrites the leader key after a partition and commits are lost.
    etcd: { hosts: MACHINES.map((each) => `${addressOf(each)}:${ETCD_PORT}`) },
    bootstrap: {
      dcs: {
        ttl: timing.ttl,
        loop_wait: timing.loopWait,
        retry_timeout: timing.retryTimeout,
        // The control's standby is far behind, and must be promoted all the same.
        maximum_lag_on_failover: isSynchronous ? 1_048_576 : 1_073_741_824,
        primary_start_timeout: 0,
        primary_stop_timeout: 3,
        synchronous_mode: isSynchronous,
        synchronous_mode_strict: isSynchronous,
        synchronous_node_count: 1,
        failsafe_mode: true,
        check_timeline: true,
        postgresql: {
          use_pg_rewind: true,
          // A new primary has no slots until its next loop, and no standby until then: in a partition that cost four seconds of
          // writes. `wal_keep_size` keeps the WAL that a standby needs instead.
          use_slots: false,
          remove_data_directory_on_rewind_failure: true,
          remove_data_directory_on_diverged_timelines: true,
          parameters: POSTGRES_PARAMETERS,
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      // Without passwords: only this machine reaches the namespaces.
      pg_hba: ['local all all trust', `host replication replicator ${SUBNET} trust`, `host all all ${SUBNET} trust`],
    },
    postgresql: {
      listen: `${address}:${POSTGRES_PORT}`,
      connect_address: `${address}:${POSTGRES_PORT}`,
      data_dir: dataFolderOf(machine),
      bin_dir: binaries,
      pgpass: join(own, 'pgpass'),
      use_unix_socket: true,
      authentication: {
        superuser: { username: 'postgres', password: 'not-checked' },
        replication: { username: 'replicator', password: 'not-checked' },
        rewind: { username: 'rewinder', password: 'not-checked' },
      },
      parameters: { unix_socket_directories: own },
    },
    watchdog: { mode: 'off' },
  };
}

export function etcdArguments(machine: MachineNumber): string[] {
  const client = `http://${addressOf(machine)}:${ETCD_PORT}`;
  const peerOf = (each: MachineNumber) => `http://${addressOf(each)}:${ETCD_PEER_PORT}`;
  return [
    ...['--name', `etcd${machine}`, '--data-dir', join(FOLDER, `etcd${machine}`), '--enable-v2=true'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peerOf(machine), '--initial-advertise-peer-urls', peerOf(machine)],
    ...['--initial-cluster', MACHINES.map((each) => `etcd${each}=${peerOf(each)}`).join(',')],
    ...['--initial-cluster-state', 'new', '--initial-cluster-token', NAME],
    ...['--heartbeat-interval', '100', '--election-timeout', '1000', '--logger', 'zap', '--log-level', 'warn'],
  ];
}

/** Sends every connection to the primary, and ends connections to a machine as soon as it is not the primary. */
export function proxyConfiguration(port: number): string {
  const servers = MACHINES.map(
    (machine) => `  server ${memberOf(machine)} ${addressOf(machine)}:${POSTGRES_PORT} check port ${PATRONI_PORT}`,
  );
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 2s
  retries 0
frontend primary_in
  bind 127.0.0.1:${port}
  default_backend primary
backend primary
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fastinter 200ms downinter 300ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
