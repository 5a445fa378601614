// Records when a credential was last used: at most once a minute per credential and node, some time after the response, and
// never in a request's own transaction. A crash loses at most a minute of a time that is shown to the minute.

import { describeError, type Log } from '../../lib/log.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { outsideScope } from '../../lib/request-scope.ts';
import { updateLastUsed } from './credential-store.ts';

export interface UseNotes {
  note(credentialId: string): void;
  /** Writes the uses that are still pending. */
  close(): Promise<void>;
}

const INTERVAL_MS = 60_000;
const DELAY_MS = 250;
const KNOWN_MAX = 10_000;

export function createUseNotes(database: Database, log: Log): UseNotes {
  const notedAt = new Map<string, number>();
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    timer = undefined;
    const ids = [...waiting];
    waiting.clear();
    if (ids.length === 0) return;
    await database
      .asSystem((tx) => updateLastUsed(tx, ids))
      .catch((error: unknown) => log.warn('last use not noted', describeError(error)));
  }

  return {
    note(credentialId) {
      const nowMs = Date.now();
      if (nowMs - (notedAt.get(credentialId) ?? 0) < INTERVAL_MS) return;
      // Clearing the map costs one extra write per credential and nothing else.
      if (notedAt.size >= KNOWN_MAX) notedAt.clear();
      notedAt.set(credentialId, nowMs);
      waiting.add(credentialId);
      // For all uses that are pending by then, and so for no single request.
      timer ??= outsideScope(() =>
        setTimeout(() => {
          writing = write();
        }, DELAY_MS),
      );
    },
    async close() {
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}
