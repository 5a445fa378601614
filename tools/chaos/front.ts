// The servers' configured base address, where the carrier sends its receipts. Forwards each to a living node, repeats
// those that met a dying one, and some of the others too, and knows which receipts were acknowledged.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../bench/merge/random.ts';
import type { Fleet } from './fleet.ts';
import type { Tally } from './tally.ts';

export type Front = {
  readonly baseUrl: string;
  /** Starts forwarding receipts; before this the servers do not run. */
  open(fleet: Fleet): void;
  /** The states of each message that a node has acknowledged. */
  readonly acknowledged: ReadonlyMap<string, ReadonlySet<string>>;
  /** How many receipts arrived, not counting repetitions. */
  told(): number;
  waiting(): number;
  close(): Promise<void>;
};

type Receipt = { readonly path: string; readonly headers: Record<string, string>; readonly body: string };

const AGAIN_MS = 500;
const ANSWER_MS_MAX = 15_000;
const REPEATED_PERCENT = 5;

async function read(request: IncomingMessage): Promise<Receipt> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { 'content-type': contentType = '', 'x-twilio-signature': signature } = request.headers;
  return {
    path: request.url ?? '/',
    headers: { 'content-type': contentType, 'x-twilio-signature': String(signature) },
    body: Buffer.concat(chunks).toString(),
  };
}

export async function openFront(random: Random, tally: Tally): Promise<Front> {
  const acknowledged = new Map<string, Set<string>>();
  const waiting: Receipt[] = [];
  let fleet: Fleet | undefined;
  let told = 0;
  let isClosed = false;

  /** The status of the response; undefined when no node is there or the node died during it. */
  async function tell({ path, headers, body }: Receipt): Promise<number | undefined> {
    const node = fleet?.pick(['receipt']);
    if (!node) return undefined;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX);
      const response = await fetch(`${node.baseUrl}${path}`, { method: 'POST', headers, body, signal });
      await response.arrayBuffer();
      if (response.status !== 204 && response.status !== 503) {
        tally.find('receipts are taken', `a receipt was answered with ${response.status}`);
      }
      return response.status;
    } catch {
      return undefined;
    }
  }

  async function handOn(receipt: Receipt, isFirst: boolean): Promise<boolean> {
    const isTaken = (await tell(receipt)) === 204;
    if (!isTaken) {
      waiting.push(receipt);
      return false;
    }
    const sendId = new URL(receipt.path, 'http://front').searchParams.get('send') ?? '';
    const states = acknowledged.get(sendId) ?? new Set<string>();
    states.add(new URLSearchParams(receipt.body).get('MessageStatus') ?? '');
    acknowledged.set(sendId, states);
    if (isFirst && random.chance(REPEATED_PERCENT)) waiting.push(receipt);
    return true;
  }

  const server = createServer((request, response) => {
    void read(request)
      .then((receipt) => {
        told += 1;
        return handOn(receipt, true);
      })
      .then((isTaken) => response.writeHead(isTaken ? 204 : 503).end())
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tellingAgain = (async () => {
    while (!isClosed) {
      await sleep(AGAIN_MS);
      await Promise.all(waiting.splice(0).map((receipt) => handOn(receipt, false)));
    }
  })();

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    acknowledged,
    open(running) {
      fleet = running;
    },
    told: () => told,
    waiting: () => waiting.length,
    async close() {
      isClosed = true;
      server.close();
      server.closeAllConnections();
      await tellingAgain;
    },
  };
}
