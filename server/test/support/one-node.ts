// A live server of a test file's own. The books are looked at in the end.
import { afterAll, beforeAll } from 'vitest';
import { expectBooksToBalance } from './books.ts';
import { type LiveServer, type LiveServerOptions, startLiveServer } from './live.ts';

/** For tests that wait for a sweep: in production it rests for seconds, and takes no lease in its first ten. */
export const RESTS = { jobMs: 200, reachableMs: 1_000 } as const;

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
