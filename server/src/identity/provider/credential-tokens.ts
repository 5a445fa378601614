// Tokens for API credentials: from their networks alone, and one row of the audit log for each.
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { appendAudit } from '../../audit/append-audit.ts';
import type { Database } from '../../lib/database.ts';
import { createNetworkMatcher } from '../../lib/ip-address.ts';
import { originOf } from './request-origin.ts';
import { orUnavailable } from './token-errors.ts';

export type CredentialTokens = { readonly database: Database; readonly noteUse?: (credentialId: string) => void };

/** The credential has proved itself by now: this is no guess, and is not counted as one (see `token-errors.ts`). */
function requireAddress(ctx: KoaContextWithOIDC): void {
  const networks = String(ctx.oidc.client?.['allowed_networks'] ?? '');
  if (networks === '' || createNetworkMatcher(networks.split(' '))(originOf(ctx.req).ip)) return;
  ctx.state['isAddressRefused'] = true;
  const refusal = new errors.InvalidClientAuth('the address is not in the networks of the credential');
  refusal.error_description = 'The credential may not be used from your address.';
  throw refusal;
}

/** The token leaves only after its row is written. */
export async function issueToCredential(
  { database, noteUse }: CredentialTokens,
  ctx: KoaContextWithOIDC,
  issue: () => void | Promise<void>,
): Promise<void> {
  requireAddress(ctx);
  await issue();
  const { client, entities } = ctx.oidc;
  const { scope = '' } = ctx.body as { scope?: string };
  const credentialId = client?.clientId ?? '';
  const tenantId = String(client?.['tenant_id']);
  const details = {
    grant: 'client_credentials',
    tokenId: entities.ClientCredentials?.jti ?? null,
    scopes: scope.split(' ').filter(Boolean),
  };
  await orUnavailable(() =>
    database.forTenants([tenantId], (tx) =>
      appendAudit(tx, [{ tenantId, actor: credentialId, action: 'token.issued', subjectId: credentialId, details }]),
    ),
  );
  noteUse?.(credentialId);
}
