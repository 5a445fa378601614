// Prometheus, Alertmanager and the exporter of PostgreSQL as Debian packs them, each a process with its own folder and port. They
// get the files of deploy/prometheus, with shorter times, and the addresses of this machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { freePort } from '../dev/free-port.ts';
import { type Group, readGroups } from '../monitoring/promtool.ts';
import { shorten } from './expressions.ts';

export type Sample = { readonly metric: Readonly<Record<string, string>>; readonly value: readonly [number, string] };
/** As Alertmanager tells it. */
type Told = { readonly labels: Readonly<Record<string, string>>; readonly status: string };

export type Watchers = {
  readonly groups: readonly Group[];
  /** The value of an expression now, or at that moment. */
  query(expr: string, atSeconds?: number): Promise<readonly Sample[]>;
  /** Names of targets that cannot be scraped. */
  listDown(): Promise<readonly string[]>;
  /** The labels of alerts that Alertmanager has handed on, oldest first. */
  readonly received: readonly Told['labels'][];
  /** Problems that a process logged. */
  readonly complaints: readonly string[];
  stop(): Promise<void>;
};

export type Watched = {
  readonly folder: string;
  readonly metricsPorts: { readonly api: readonly number[]; readonly worker: number };
  readonly databaseUrl: string;
  /** How long every window of a rule is. */
  readonly windowSeconds: number;
};

const PACKAGES: Readonly<Record<string, string>> = {
  prometheus: 'prometheus',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  'prometheus-postgres-exporter': 'prometheus-postgres-exporter',
};
const START_MS_MAX = 20_000;
const STOP_MS_MAX = 5_000;
const LOOK_MS = 100;
/** A rule's `for` is a tenth, so that one evaluation is not enough here either. */
const FOR_PART = 10;
const FOR_SECONDS_MAX = 6;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const RULES = ['trefoil-alerts.yml', 'trefoil-objectives.yml'];

function shortenFor(duration: string): string {
  const seconds = Number.parseInt(duration, 10) * (SECONDS[duration.slice(-1)] ?? 1);
  return `${Math.min(FOR_SECONDS_MAX, Math.ceil(seconds / FOR_PART))}s`;
}

async function writeRules({ folder, windowSeconds }: Watched): Promise<{ files: string[]; groups: readonly Group[] }> {
  const all: Group[] = [];
  const files: string[] = [];
  for (const name of RULES) {
    const groups = (await readGroups(`deploy/prometheus/${name}`)).map((group) => ({
      ...group,
      rules: group.rules.map((rule) => ({
        ...rule,
        expr: shorten(rule.expr, windowSeconds),
        ...(rule.for !== undefined && { for: shortenFor(rule.for) }),
      })),
    }));
    all.push(...groups);
    const file = join(folder, name);
    await writeFile(file, stringify({ groups }));
    files.push(file);
  }
  return { files, groups: all };
}

/** The example for operators, with this machine's addresses. Its own parts stay: a slip there fails the drill. */
async function writePrometheus(
  watched: Watched,
  rules: readonly string[],
  ports: { alertmanager: number; exporter: number },
) {
  const { folder, metricsPorts } = watched;
  const config = parse(await readFile('deploy/prometheus/prometheus.yml', 'utf8'));
  const at = (port: number) => `127.0.0.1:${port}`;
  Object.assign(config.global, { scrape_interval: '1s', evaluation_interval: '1s' });
  config.rule_files = rules;
  config.alerting.alertmanagers[0].static_configs[0].targets = [at(ports.alertmanager)];
  for (const { job_name: job, static_configs: targets } of config.scrape_configs) {
    if (job === 'trefoil') {
      targets[0].targets = metricsPorts.api.map(at);
      targets[1].targets = [at(metricsPorts.worker)];
    } else targets[0].targets = [at(ports.exporter)];
  }
  await writeFile(join(folder, 'prometheus.yml'), stringify(config));
}

async function writeAlertmanager(folder: string, receiverUrl: string): Promise<void> {
  const config = parse(await readFile('deploy/prometheus/alertmanager.yml', 'utf8'));
  Object.assign(config.route, { group_wait: '1s', group_interval: '1s' });
  for (const receiver of config.receivers) receiver.webhook_configs[0].url = `${receiverUrl}/${receiver.name}`;
  await writeFile(join(folder, 'alertmanager.yml'), stringify(config));
}

async function startReceiver() {
  const received: Told['labels'][] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { alerts } = JSON.parse(Buffer.concat(chunks).toString()) as { alerts: Told[] };
      // What has ended is told too.
      received.push(...alerts.filter(({ status }) => status === 'firing').map(({ labels }) => labels));
      response.writeHead(204).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function startWatchers(watched: Watched): Promise<Watchers> {
  const { folder } = watched;
  const children: ChildProcess[] = [];
  const complaints: string[] = [];
  const [prometheus, alertmanager, exporter] = [await freePort(), await freePort(), await freePort()];

  async function run(program: string, port: number, path: string, options: string[], env = {}): Promise<void> {
    const child = spawn(program, [`--web.listen-address=127.0.0.1:${port}`, '--log.level=warn', ...options], {
      env: { PATH: '/usr/bin:/bin', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In its own process group: Ctrl-C is for the run, which then stops it.
      detached: true,
    });
    children.push(child);
    let failure: Error | undefined;
    child.once('error', () => {
      failure = new Error(`${program} is missing. On Debian: apt-get install ${PACKAGES[program]}`);
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => complaints.push(`${program}: ${text.toString().trim()}`));
    const untilMs = performance.now() + START_MS_MAX;
    while (!failure && child.exitCode === null && performance.now() < untilMs) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(LOOK_MS);
    }
    throw failure ?? new Error(`${program} did not start: ${complaints.join('; ')}`);
  }

  const receiver = await startReceiver();
  const stop = async () => {
    for (const child of children) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([exited, sleep(STOP_MS_MAX, undefined, { ref: false }).then(() => child.kill('SIGKILL'))]);
      await exited;
    }
    receiver.server.closeAllConnections();
    receiver.server.close();
  };

  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${prometheus}/api/v1/${path}`);
    const { data, error } = (await response.json()) as { data: T; error?: string };
    if (error !== undefined) throw new Error(error);
    return data;
  }

  try {
    const { files, groups } = await writeRules(watched);
    await writePrometheus(watched, files, { alertmanager, exporter });
    await writeAlertmanager(folder, receiver.url);
    await run('prometheus-postgres-exporter', exporter, '/metrics', [], { DATA_SOURCE_NAME: watched.databaseUrl });
    await run('prometheus-alertmanager', alertmanager, '/-/ready', [
      ...[`--config.file=${join(folder, 'alertmanager.yml')}`, `--storage.path=${join(folder, 'alertmanager')}`],
      '--cluster.listen-address=',
    ]);
    await run('prometheus', prometheus, '/-/ready', [
      ...[`--config.file=${join(folder, 'prometheus.yml')}`, `--storage.tsdb.path=${join(folder, 'prometheus')}`],
    ]);
    return {
      ...{ groups, complaints, stop },
      received: receiver.received,
      query: async (expr, atSeconds = Date.now() / 1_000) =>
        (await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(expr)}&time=${atSeconds}`)).result,
      listDown: async () =>
        (await ask<{ activeTargets: { health: string; scrapeUrl: string }[] }>('targets')).activeTargets
          .filter(({ health }) => health !== 'up')
          .map(({ scrapeUrl }) => scrapeUrl),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
