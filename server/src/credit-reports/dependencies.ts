// What the operations on reports are given.
import type { Database } from '../lib/database.ts';
import type { KeyedHash } from '../lib/keyed-hash.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Vault } from '../lib/vault.ts';
import type { LiveDependencies } from './live.ts';

export type ReportDependencies = {
  readonly database: Database;
  readonly vault: Vault;
  readonly hashIdempotency: KeyedHash;
  readonly hashReference: KeyedHash;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Undefined while the deployment has no providers: test mode alone is open. */
  readonly live: LiveDependencies | undefined;
};
