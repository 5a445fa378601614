// Renews the leases of reports whose bureaus have answered, for as long as their settlement takes: behind a locked
// wallet, or after a database outage. Otherwise a sweep would discard work that was done and paid for
// (docs/decisions/0045-budgets-and-lease.md).

import { describeError, type Log } from '../../lib/log.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { ReportKey } from '../store.ts';
import { renewFetchLeases, renewHoldLeases } from './live-store.ts';
import { LEASE_MS } from './reserve-reports.ts';

export type HeldLease = ReportKey & { readonly from: 'pending' | 'fetching'; readonly fence: number };

export interface Leases {
  /** Renews the lease until the work is done, whatever its outcome. */
  keep<T>(lease: HeldLease, work: Promise<T>): Promise<T>;
  close(): void;
}

/** Short enough that a lease survives two missed renewals. */
const RENEW_MS = 8_000;

export function openLeases(database: Database, log: Log): Leases {
  const held = new Set<HeldLease>();

  async function renew(): Promise<void> {
    const leases = [...held];
    if (leases.length === 0) return;
    const of = (from: HeldLease['from']) => leases.filter((lease) => lease.from === from);
    await database.forTenants([...new Set(leases.map(({ tenantId }) => tenantId))], async (tx) => {
      await Promise.all([renewHoldLeases(tx, of('pending'), LEASE_MS), renewFetchLeases(tx, of('fetching'), LEASE_MS)]);
    });
  }

  const timer = setInterval(() => {
    // The next run may still renew it: after a database outage a sweep waits before it takes over leases.
    renew().catch((error) => log.warn('leases were not renewed', describeError(error)));
  }, RENEW_MS);
  timer.unref();

  return {
    async keep(lease, work) {
      held.add(lease);
      try {
        return await work;
      } finally {
        held.delete(lease);
      }
    },
    close: () => clearInterval(timer),
  };
}
