// The wallet over HTTP: what is in it, its statement, the prices. Nothing here moves credits.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { envelope } from '../http/envelope.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import { type CsvExport, exportEntries, listEntries, type StatementDependencies } from './list-entries.ts';
import { readPrices } from './read-prices.ts';
import { readWallet } from './read-wallet.ts';

type Query = Readonly<Record<string, string | number | undefined>>;

/** Where to go on, as a relative reference (RFC 8288); its absence says that the file is whole. */
function nextLink(tenantId: string, query: Query, cursor: string): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, limit: undefined, cursor })) {
    if (value !== undefined) search.set(name, String(value));
  }
  return `</${tenantId}/v1/wallet/entries?${search}>; rel="next"`;
}

function sendCsv(reply: FastifyReply, tenantId: string, query: Query, { lines, nextCursor }: CsvExport): Readable {
  reply.type('text/csv; charset=utf-8; header=present');
  reply.header('content-disposition', 'attachment; filename="wallet-entries.csv"');
  if (nextCursor !== null) reply.header('link', nextLink(tenantId, query, nextCursor));
  return Readable.from(lines);
}

export function registerWalletRoutes(app: FastifyInstance, gate: Gate, dependencies: StatementDependencies): void {
  const { database } = dependencies;
  registerOperation(app, gate, 'getWallet', async ({ caller, startedAtMs }) =>
    envelope({ data: await readWallet(database, caller.tenantId) }, startedAtMs),
  );
  registerOperation(app, gate, 'listWalletEntries', async ({ caller, query, wantsCsv, reply, startedAtMs }) => {
    const { tenantId } = caller;
    if (wantsCsv) return sendCsv(reply, tenantId, query, await exportEntries(dependencies, tenantId, query));
    return envelope({ data: await listEntries(dependencies, tenantId, query) }, startedAtMs);
  });
  registerOperation(app, gate, 'getPrices', async ({ caller, startedAtMs }) =>
    envelope({ data: await readPrices(database, caller.tenantId) }, startedAtMs),
  );
}
