// The front door of the wallet: its balance, its statement and the prices over HTTP. Holds, charges and refunds go through
// open-ledger.ts, inside the caller's transaction.
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../http/operations.ts';
import { registerWalletRoutes, type WalletRoutes } from './routes.ts';

export function openWallet(dependencies: WalletRoutes) {
  return {
    register(http: FastifyInstance, gate: Gate): void {
      registerWalletRoutes(http, gate, dependencies);
    },
  };
}
