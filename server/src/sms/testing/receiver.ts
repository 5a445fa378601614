// The service's side of receipts in a test: takes every request as it comes and keeps it unread. Tests only.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import type { ReceiptRequest } from '../port.ts';

export type Receiver = {
  readonly url: string;
  /** Those whose address names this send, once there are so many. */
  receipts(sendId: string, count: number): Promise<readonly ReceiptRequest[]>;
  all(): readonly ReceiptRequest[];
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: ReceiptRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, `${value}`]));
      received.push({ url: request.url ?? '', contentType: request.headers['content-type'], body, headers });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const about = (sendId: string) => received.filter(({ url }) => url.includes(sendId));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async receipts(sendId, count) {
      await vi.waitFor(
        () => {
          if (about(sendId).length < count) throw new Error(`${about(sendId).length} of ${count} receipts came`);
        },
        { timeout: 5_000, interval: 10 },
      );
      return about(sendId);
    },
    all: () => received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
