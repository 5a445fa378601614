// A tenant's credentials as the API shows them: their scopes and their live secrets' metadata, never a secret.
import type { CredentialItem, CredentialsPage, CredentialsQuery } from '@trefoil/contract';
import type { Caller } from '../../http/authenticate.ts';
import { ServiceError } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Database } from '../../lib/postgres/database.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { readCursor, writeCursor } from '../../lib/values/cursor.ts';
import { type CredentialRow, listCredentialRows } from './credential-store.ts';

const PAGE_FALLBACK = 50;

export const noCredential = () => new ServiceError('not-found', 'No credential with this id.');

function toItem({ publicKeys, ...row }: CredentialRow): CredentialItem {
  return {
    ...row,
    scopes: [...row.scopes],
    allowedNetworks: row.allowedNetworks && [...row.allowedNetworks],
    secrets: row.secrets.map(({ id, createdAt, endsAt, madeBy }) => ({
      id,
      createdAt: new Date(createdAt).toISOString(),
      endsAt: endsAt && new Date(endsAt).toISOString(),
      madeBy,
    })),
    keyIds: (publicKeys ?? []).map(({ kid }) => kid ?? null),
    keys: (publicKeys ?? []).map(({ kid, made_by }) => ({ keyId: kid ?? null, madeBy: made_by ?? null })),
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

type Reader = Pick<Caller, 'tenantId' | 'isTestOnly'>;

/** Runs in the transaction of a change, so that the response shows the changed state. */
export async function showCredential(tx: Tx, { tenantId, isTestOnly }: Reader, id: string): Promise<CredentialItem> {
  const [row] = isUuid(id) ? await listCredentialRows(tx, tenantId, { id, isTestOnly }, 1) : [];
  if (!row) throw noCredential();
  return toItem(row);
}

export function readCredential(database: Database, reader: Reader, id: string): Promise<CredentialItem> {
  return database.forTenants([reader.tenantId], (tx) => showCredential(tx, reader, id));
}

export async function listCredentials(
  database: Database,
  { tenantId, isTestOnly }: Reader,
  { limit = PAGE_FALLBACK, cursor }: CredentialsQuery,
): Promise<CredentialsPage> {
  const beforeId = cursor === undefined ? undefined : readCursor(cursor, isUuid);
  const found = await database.forTenants([tenantId], (tx) =>
    listCredentialRows(tx, tenantId, { beforeId, isTestOnly }, limit + 1),
  );
  const items = found.slice(0, limit).map(toItem);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last ? writeCursor(last.id) : null };
}
