// A command's own connections, closed when it is done.
import type { Config } from '../config.ts';
import { type Database, openDatabase } from '../lib/postgres/database.ts';

export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  // One connection is enough, and a broken idle one need not be reported to an operator who waits for one answer.
  const database = openDatabase({ ...config.database, systemConnections: 1, onConnectionError: () => undefined });
  try {
    return await work(database.jobs);
  } finally {
    await database.close();
  }
}
