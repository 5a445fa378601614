// A live server with a second node on its database, for what two nodes must agree on. The books are looked at in the end.
import { afterAll, beforeAll } from 'vitest';
import { expectBooksToBalance } from './books.ts';
import { type LiveServer, startLiveServer } from './live.ts';

export type SecondNode = { readonly baseUrl: string; close(): Promise<void> };

/** Told of both before the first test of the file. */
export function useTwoNodes(onStarted: (server: LiveServer, secondNode: SecondNode) => void): void {
  let server: LiveServer;
  let secondNode: SecondNode;
  beforeAll(async () => {
    server = await startLiveServer({ isWide: true });
    secondNode = await server.startNode();
    onStarted(server, secondNode);
  });
  afterAll(async () => {
    await secondNode.close();
    try {
      await expectBooksToBalance(server);
    } finally {
      await server.close();
    }
  });
}
