// The front door of the wallet: its balance, its statement and the prices over HTTP, and the mails about a low wallet. Holds,
// charges and refunds go through open-ledger.ts, inside the caller's transaction.
import type { FastifyInstance } from 'fastify';
import type { Caller } from '../http/authenticate.ts';
import type { Gate } from '../http/operations.ts';
import type { OpenDatabase } from '../lib/postgres/database.ts';
import { type ListRecipients, walletJobs } from './jobs.ts';
import { type FindTenant, readStatement } from './read-statement.ts';
import { registerWalletRoutes, type WalletRoutes } from './routes.ts';
import { findLowWallet } from './store.ts';
import type { WalletMetrics } from './wallet-metrics.ts';

type WalletSurroundings = WalletRoutes & {
  readonly database: OpenDatabase;
  readonly metrics: WalletMetrics;
  /** The wallet does not know tenants and members: `app.ts` passes these two in. */
  readonly listMoneyPeople: ListRecipients;
  readonly findTenant: FindTenant;
};

export function openWallet(surroundings: WalletSurroundings) {
  const { database, metrics, listMoneyPeople, findTenant } = surroundings;
  return {
    /** The facts for a mail about a low wallet; undefined when it is not low any more. */
    describeLowWallet: (tenantId: string) =>
      database.asSystem(async (tx) => {
        const [tenant, wallet] = [await findTenant(tx, tenantId), await findLowWallet(tx, tenantId)];
        return tenant && wallet && { tenantName: tenant.name, ...wallet };
      }),
    /** What documents need from the wallet. */
    forDocuments: {
      readStatement: (caller: Caller, month: string | undefined) =>
        readStatement(surroundings, caller.tenantId, month, surroundings.referencesFor(caller)),
    },
    jobs: walletJobs(database.jobs, listMoneyPeople, metrics),
    register(http: FastifyInstance, gate: Gate): void {
      registerWalletRoutes(http, gate, surroundings);
    },
  };
}
