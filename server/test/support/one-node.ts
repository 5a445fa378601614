// A live server of a test file's own. The books are looked at in the end.
import { afterAll, beforeAll } from 'vitest';
import { expectBooksToBalance } from './books.ts';
import { type LiveServer, type LiveServerOptions, startLiveServer } from './live.ts';

/** `onStarted` has the server before the first test of the file. */
export function useLiveServer(onStarted: (server: LiveServer) => void, options: LiveServerOptions = {}): void {
  let server: LiveServer;
  beforeAll(async () => {
    server = await startLiveServer(options);
    onStarted(server);
  });
  afterAll(async () => {
    try {
      await expectBooksToBalance(server);
    } finally {
      await server.close();
    }
  });
}
