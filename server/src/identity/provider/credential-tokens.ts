// Tokens for API credentials: only from their allowed networks, with one audit row per token.
import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { appendAudit } from '../../audit/append-audit.ts';
import type { Limits, Rate } from '../../lib/limits/limits.ts';
import type { Database } from '../../lib/postgres/database.ts';
import { createNetworkMatcher } from '../../lib/values/ip-address.ts';
import { takeToken, tenantTokens } from './limit-tokens.ts';
import { originOf } from './request-origin.ts';
import { orUnavailable } from './token-errors.ts';

export type CredentialTokens = {
  readonly database: Database;
  readonly limits: Limits;
  readonly noteUse?: (credentialId: string) => void;
};

/** The credential is already authenticated here: this is not a guess and is not counted as one (see `token-errors.ts`). */
function requireAddress(ctx: KoaContextWithOIDC): void {
  const networks = String(ctx.oidc.client?.['allowed_networks'] ?? '');
  if (networks === '' || createNetworkMatcher(networks.split(' '))(originOf(ctx.req).ip)) return;
  ctx.state['isAddressRefused'] = true;
  const refusal = new errors.InvalidClientAuth('the address is not in the networks of the credential');
  refusal.error_description = 'The credential may not be used from your address.';
  throw refusal;
}

/** The response with the token leaves only after its audit row is written. */
export async function issueToCredential(
  { database, limits, noteUse }: CredentialTokens,
  ctx: KoaContextWithOIDC,
  issue: () => void | Promise<void>,
): Promise<void> {
  requireAddress(ctx);
  const { client, entities } = ctx.oidc;
  const tenantId = String(client?.['tenant_id']);
  await takeToken(limits, ctx, tenantTokens(tenantId, client?.['tenant_rate'] as Rate));
  await issue();
  const { scope = '' } = ctx.body as { scope?: string };
  const credentialId = client?.clientId ?? '';
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
