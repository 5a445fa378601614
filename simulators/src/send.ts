// Writes a reply to the socket, well or badly: every damage that a network or a broken bureau can do to bytes.
import type { ServerResponse } from 'node:http';
import { amountOf, type Behaviours } from './behaviours.ts';
import type { Held } from './held.ts';
import { randomFor } from './random.ts';
import { sleep } from './sleep.ts';
import type { Answer, Reply } from './wire.ts';

export type SendOptions = {
  readonly format: 'xml' | 'json';
  readonly latencyMs: number;
  readonly held?: Held;
};

const DRIP_EVERY_MS = 1000;
const MEGABYTE = 1_000_000;

export async function send(
  response: ServerResponse,
  { reply, behaviours }: Answer,
  options: SendOptions,
): Promise<void> {
  const { format, latencyMs, held } = options;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    // Waits from here on, in the same turn of the event loop that took the rule: no release comes in between.
    const word = behaviours.get('held');
    if (word !== undefined) await held?.until(word, gone.signal);
    await sleep(amountOf(behaviours, 'slow', 2000) ?? latencyMs, gone.signal);
    // It never ends by itself: only the caller's timeout or the end of the process ends it.
    if (behaviours.has('hang')) return;
    if (behaviours.has('reset') && behaviours.get('reset') !== 'body') {
      response.socket?.resetAndDestroy();
      return;
    }
    await put(response, spoil(reply, behaviours, format), { behaviours, format, signal: gone.signal });
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

/** Damage to the text itself. */
function spoil(reply: Reply, behaviours: Behaviours, format: 'xml' | 'json'): Reply {
  const headers = { ...reply.headers };
  if (behaviours.has('wrong-type')) headers['content-type'] = 'text/plain';
  const levels = amountOf(behaviours, 'deep', 10_000);
  let body = reply.body;
  if (levels !== undefined) body = insert(body, format, deep(format, levels));
  const garbage = behaviours.get('garbage');
  if (garbage === undefined) return { ...reply, headers, body };
  return { ...reply, status: 200, headers, body: garbageOf(garbage, body, format) };
}

function garbageOf(kind: string, body: string, format: 'xml' | 'json'): string {
  switch (kind) {
    case 'html':
      return '<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>It works!<br></body></html>\n';
    case 'binary':
      return Array.from({ length: 512 }, (_, index) =>
        String.fromCharCode(randomFor('binary', index).int(1, 255)),
      ).join('');
    case 'empty':
      return '';
    default:
      return insert(body, format, format === 'xml' ? '<acct ref="A-1" ty=HP><<&' : '"acc":[{"k":"B1",,},');
  }
}

const deep = (format: 'xml' | 'json', levels: number) =>
  format === 'xml'
    ? '<d>'.repeat(levels) + '</d>'.repeat(levels)
    : `"deep":${'['.repeat(levels)}${']'.repeat(levels)},`;

/** Where text can be inserted without breaking the format: before the file's end (XML), after the first brace (JSON). */
function insertionPoint(body: string, format: 'xml' | 'json'): number {
  return format === 'json' ? Math.min(1, body.length) : Math.max(0, body.lastIndexOf('</rpt:Enquiry>'));
}

function insert(body: string, format: 'xml' | 'json', text: string): string {
  const point = insertionPoint(body, format);
  return body.slice(0, point) + text + body.slice(point);
}

type PutOptions = { behaviours: Behaviours; format: 'xml' | 'json'; signal: AbortSignal };

/** Damage to the bytes on their way. */
async function put(response: ServerResponse, reply: Reply, { behaviours, format, signal }: PutOptions): Promise<void> {
  const bytes = Buffer.from(reply.body, behaviours.get('garbage') === 'binary' ? 'latin1' : 'utf8');
  const megabytes = amountOf(behaviours, 'huge', 100);
  if (megabytes !== undefined) return putHuge(response, reply, { format, signal, megabytes });
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (behaviours.get('half') === 'clean') {
    response.writeHead(reply.status, { ...reply.headers, 'content-length': half.length });
    response.end(half);
    return;
  }
  response.writeHead(reply.status, { ...reply.headers, 'content-length': bytes.length });
  const isHalf = behaviours.has('half');
  if (isHalf || behaviours.get('reset') === 'body') {
    await new Promise<void>((done) => response.write(half, () => done()));
    if (isHalf) response.socket?.end();
    else response.socket?.resetAndDestroy();
    return;
  }
  const step = amountOf(behaviours, 'drip', 1);
  if (step === undefined) {
    response.end(bytes);
    return;
  }
  response.flushHeaders();
  for (let from = 0; from < bytes.length; from += Math.max(1, step)) {
    response.write(bytes.subarray(from, from + Math.max(1, step)));
    await sleep(DRIP_EVERY_MS, signal);
  }
  response.end();
}

type HugeOptions = { format: 'xml' | 'json'; signal: AbortSignal; megabytes: number };

async function putHuge(
  response: ServerResponse,
  reply: Reply,
  { format, signal, megabytes }: HugeOptions,
): Promise<void> {
  const point = insertionPoint(reply.body, format);
  const filler = 'X'.repeat(980);
  const unit = format === 'xml' ? `<note t="${filler}"/>\n` : `"note":"${filler}",\n`;
  const chunk = Buffer.from(unit.repeat(64));
  response.writeHead(reply.status, reply.headers);
  response.write(reply.body.slice(0, point));
  for (let sent = 0; sent < megabytes * MEGABYTE && !signal.aborted; sent += chunk.length) {
    // Waits for the reader: a hundred megabytes must not accumulate here.
    if (!response.write(chunk)) await drained(response, signal);
  }
  response.end(reply.body.slice(point));
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const go = () => {
      response.off('drain', go);
      signal.removeEventListener('abort', go);
      resolve();
    };
    response.once('drain', go);
    signal.addEventListener('abort', go);
  });
}
