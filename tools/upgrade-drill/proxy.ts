// A real HAProxy in front of the nodes, with the settings that deploy/systemd/haproxy.cfg shows to operators: how often it asks
// /readyz, when it gives a node up, and that it repeats no request which reached a node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tally } from '../chaos/tally.ts';

const EXAMPLE = new URL('../../deploy/systemd/haproxy.cfg', import.meta.url);
const START_MS = 5_000;
const LOOK_MS = 50;

export type ProxyPlace = { readonly port: number; readonly socket: string; readonly nodePorts: readonly number[] };

function replaceOnce(text: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(text)) throw new Error(`deploy/systemd/haproxy.cfg has nothing like ${pattern}`);
  return text.replace(pattern, () => replacement);
}

/** The example without TLS, for the nodes of a drill, and with a socket that tells its figures. */
export function toLocalConfiguration(example: string, { port, socket, nodePorts }: ProxyPlace): string {
  const servers = nodePorts.map((nodePort, place) => `  server api-${place + 1} 127.0.0.1:${nodePort}\n`).join('');
  const edits: readonly (readonly [RegExp, string])[] = [
    [/^global\n/m, `global\n  stats socket ${socket} mode 600\n`],
    [/^ {2}log \/dev\/log .*\n/m, ''],
    [/^ {2}user .*\n {2}group .*\n/m, ''],
    [/(?:^ {2}bind .*\n)+/m, `  bind 127.0.0.1:${port}\n`],
    [/^ {2}http-request redirect .*\n/m, ''],
    [/(?:^ {2}server .*\n?)+/m, servers],
  ];
  return edits.reduce((text, [pattern, replacement]) => replaceOnce(text, pattern, replacement), example);
}

export type ProxyFigures = {
  readonly requests: number;
  /** Answers that a node began and did not end, or never began. */
  readonly cut: number;
  /** Connections that a node refused. Another node gets the request. */
  readonly refused: number;
};

/** From `show stat`: one line of names, then one line for each server and one for all of them. */
export function readFigures(csv: string): ProxyFigures {
  const [names = '', ...lines] = csv.trim().split('\n');
  const columns = names.replace(/^# /, '').split(',');
  const cells = lines.map((line) => line.split(',')).find(([, server]) => server === 'BACKEND') ?? [];
  const figure = (name: string) => Number(cells[columns.indexOf(name)] || Number.NaN);
  return { requests: figure('req_tot'), cut: figure('eresp'), refused: figure('econ') };
}

/** A figure that could not be read is NaN, which no comparison is true of: it is a fault of the run and not of the service. */
export function judgeFigures({ requests, cut, refused }: ProxyFigures, tally: Tally): void {
  const isRead = requests > 0 && cut >= 0 && refused >= 0;
  if (!isRead) tally.find('the proxy counts', `requests ${requests}, cut ${cut}, refused ${refused}`);
  if (cut > 0) tally.find('no answer is cut', `${cut} answers`);
  if (refused > 0) tally.find('no node that the proxy uses refuses a connection', `${refused} connections`);
}

export type HaProxy = {
  readonly baseUrl: string;
  read(): Promise<ProxyFigures>;
  close(): Promise<void>;
};

async function ask(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of connection) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export async function openProxy(folder: string, port: number, nodePorts: readonly number[]): Promise<HaProxy> {
  const [file, socket] = [join(folder, 'haproxy.cfg'), join(folder, 'haproxy.sock')];
  await writeFile(file, toLocalConfiguration(await readFile(EXAMPLE, 'utf8'), { port, socket, nodePorts }));
  const child = spawn('haproxy', ['-q', '-db', '-f', file], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  let fault: unknown;
  const ended = once(child, 'exit').catch((error) => {
    fault = error;
  });
  const read = async () => readFigures(await ask(socket, 'show stat'));
  const isReady = () =>
    read().then(
      () => true,
      () => false,
    );
  const limit = AbortSignal.timeout(START_MS);
  while (!(await isReady())) {
    if (fault !== undefined || child.exitCode !== null || limit.aborted) {
      throw new Error('HAProxy did not start. Is it installed? On Debian: apt-get install haproxy', { cause: fault });
    }
    await sleep(LOOK_MS);
  }
  return {
    ...{ baseUrl: `http://127.0.0.1:${port}`, read },
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
