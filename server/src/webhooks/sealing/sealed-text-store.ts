// The sealed texts of endpoints, by the key of the ring that sealed them: addresses and secrets. Lists run as the system role, which
// sees which key a text needs; changes as the app role of the tenant.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

/** As the system role: the keys of the ring that addresses and secrets still need. An answer that is lost stops nothing. */
export async function listSecretKeys(tx: Tx): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`
    select distinct convert_from(substring(sealed from 2 for get_byte(sealed, 0)), 'UTF8') as id
      from webhook_endpoints,
           lateral (values (sealed_url), (sealed_secret),
                           (case when old_secret_until > clock_timestamp() then sealed_old_secret end)) as texts (sealed)
     where status <> 'deleted' and length(sealed) > 0`,
  );
  return found.map(({ id }) => id);
}

export type EndpointPlace = { readonly tenantId: string; readonly id: string };

const ENDPOINTS_MAX = 100_000;

/** As the system role: endpoints with a text that another key than this one has sealed. */
export function listEndpointsBehind(tx: Tx, ringKeyId: string): Promise<EndpointPlace[]> {
  return rows<EndpointPlace>(
    tx,
    sql`
    select distinct tenant_id as "tenantId", id
      from webhook_endpoints,
           lateral (values (sealed_url), (sealed_secret),
                           (case when old_secret_until > clock_timestamp() then sealed_old_secret end)) as texts (sealed)
     where status <> 'deleted' and length(sealed) > 0
       and convert_from(substring(sealed from 2 for get_byte(sealed, 0)), 'UTF8') <> ${ringKeyId}
     order by 1, 2 limit ${ENDPOINTS_MAX}`,
  );
}

export type SealedTexts = {
  readonly sealedUrl: Buffer;
  readonly sealedSecret: Buffer;
  readonly sealedOldSecret: Buffer | null;
};

/** Locked, because its tenant may change the address or the secret meanwhile. */
export async function lockSealedTexts(tx: Tx, { tenantId, id }: EndpointPlace): Promise<SealedTexts | undefined> {
  const [endpoint] = await rows<SealedTexts>(
    tx,
    sql`
    select sealed_url as "sealedUrl", sealed_secret as "sealedSecret", sealed_old_secret as "sealedOldSecret"
      from webhook_endpoints where tenant_id = ${tenantId} and id = ${id} and status <> 'deleted'
       for update`,
  );
  return endpoint;
}

export async function updateSealedTexts(tx: Tx, { tenantId, id }: EndpointPlace, texts: SealedTexts): Promise<void> {
  await execute(
    tx,
    sql`
    update webhook_endpoints
       set sealed_url = ${texts.sealedUrl}, sealed_secret = ${texts.sealedSecret},
           sealed_old_secret = ${texts.sealedOldSecret}
     where tenant_id = ${tenantId} and id = ${id}`,
  );
}
