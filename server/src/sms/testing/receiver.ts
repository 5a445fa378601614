// The service's side of receipts in a test: accepts every request and keeps it unparsed. Tests only.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../../tools/testing/eventually.ts';
import type { ReceiptRequest } from '../port.ts';

export type Receiver = {
  readonly url: string;
  /** The receipts whose address names this send, once there are this many. */
  receipts(sendId: string, count: number): Promise<readonly ReceiptRequest[]>;
  all(): readonly ReceiptRequest[];
  /** Answers the first requests whose address names this send with these statuses; accepts the others. */
  refuse(sendId: string, statuses: readonly number[]): void;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: ReceiptRequest[] = [];
  const refusals = new Map<string, number[]>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, `${value}`]));
      received.push({ url: request.url ?? '', contentType: request.headers['content-type'], body, headers });
      const sendId = new URL(request.url ?? '', 'http://localhost').searchParams.get('send') ?? '';
      response.writeHead(refusals.get(sendId)?.shift() ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const about = (sendId: string) => received.filter(({ url }) => url.includes(sendId));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async receipts(sendId, count) {
      await eventually(() => {
        if (about(sendId).length < count) throw new Error(`${about(sendId).length} of ${count} receipts came`);
      });
      return about(sendId);
    },
    all: () => received,
    refuse: (sendId, statuses) => void refusals.set(sendId, [...statuses]),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
