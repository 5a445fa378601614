// The wallet over HTTP: its balance, its statement, the prices. Nothing here moves credits.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Caller } from '../http/authenticate.ts';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import { listMonths } from './days/list-months.ts';
import type { ReadReferences } from './describe-lines.ts';
import { type CsvExport, exportEntries, type InTurn, listEntries, type StatementDependencies } from './list-entries.ts';
import { readPrices } from './read-prices.ts';
import { readWallet, type WalletDependencies } from './read-wallet.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The link to the next part, as a relative reference (RFC 8288); without it the file is complete. */
function nextLink(tenantId: string, query: Query, cursor: string): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor })) {
    if (value !== undefined) search.set(name, String(value));
  }
  return `</${tenantId}/v1/wallet/entries?${search}>; rel="next"`;
}

function sendCsv(reply: FastifyReply, tenantId: string, query: Query, { lines, nextCursor }: CsvExport): Readable {
  reply.type('text/csv; charset=utf-8; header=present');
  const name = query['test'] ? 'test-wallet-entries.csv' : 'wallet-entries.csv';
  reply.header('content-disposition', `attachment; filename="${name}"`);
  if (nextCursor !== null) reply.header('link', nextLink(tenantId, query, nextCursor));
  return Readable.from(lines);
}

/** The request's own admission ends when its file begins, so each page of the file is admitted separately. */
const pageTurns =
  ({ admitRead }: Gate, tenantId: string): InTurn =>
  async (work) => {
    const release = await admitRead?.(tenantId, 'page');
    return work().finally(release);
  };

export type WalletRoutes = StatementDependencies &
  WalletDependencies & {
    /** The wallet does not know reports: `app.ts` passes this in. */
    readonly referencesFor: (caller: Caller, isTest?: boolean) => ReadReferences;
  };

export function registerWalletRoutes(app: FastifyInstance, gate: Gate, dependencies: WalletRoutes): void {
  const { database } = dependencies;
  registerOperation(app, gate, 'getWallet', async ({ caller, query, startedAtMs }) =>
    envelope({ data: await readWallet(dependencies, caller.tenantId, query.test) }, startedAtMs),
  );
  registerOperation(app, gate, 'listWalletEntries', async ({ caller, query, wantsCsv, reply, startedAtMs }) => {
    const { tenantId } = caller;
    const readReferences = dependencies.referencesFor(caller, query.test);
    if (wantsCsv) {
      const reading = { readReferences, inTurn: pageTurns(gate, tenantId) };
      return sendCsv(reply, tenantId, query, await exportEntries(dependencies, tenantId, query, reading));
    }
    return envelope({ data: await listEntries(dependencies, tenantId, query, readReferences) }, startedAtMs);
  });
  registerOperation(app, gate, 'listWalletMonths', async ({ caller, startedAtMs }) =>
    envelope({ data: await listMonths(database, caller.tenantId) }, startedAtMs),
  );
  registerOperation(app, gate, 'getPrices', async ({ caller, startedAtMs }) =>
    envelope({ data: await readPrices(database, caller.tenantId) }, startedAtMs),
  );
}
