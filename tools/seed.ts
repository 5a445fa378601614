// The demo tenants of a developer's server: two of them, so that crossing from one to the other can be tried.
import { SCOPES } from '@trefoil/contract';
import { createCredential, listCredentials, rotateSecret } from '../server/src/identity/change-credential.ts';
import { createUser } from '../server/src/identity/change-user.ts';
import type { Database } from '../server/src/lib/database.ts';
import type { Tx } from '../server/src/lib/sql.ts';
import { addMember, changeRate, createTenant, listAllTenants } from '../server/src/tenants/change-tenant.ts';
import { openWallet } from '../server/src/wallet/open-wallet.ts';
import { topUp } from '../server/src/wallet/top-up.ts';

export type DemoTenant = { readonly tenantId: string; readonly clientId: string; readonly clientSecret: string };

type DemoOwner = { readonly email: string; readonly firstName: string; readonly lastName: string };

async function createDemoTenant(tx: Tx, name: string, owner: DemoOwner): Promise<DemoTenant> {
  const tenantId = await createTenant(tx, name);
  await openWallet(tx, tenantId);
  const ownerUserId = await createUser(tx, owner);
  await addMember(tx, tenantId, ownerUserId, 'owner');
  const credential = await createCredential(tx, { tenantId, name: 'Demo credential', ownerUserId, scopes: SCOPES });
  return { tenantId, clientId: credential.clientId, clientSecret: credential.clientSecret ?? '' };
}

/** Makes the tenant at the first start; later only gives its credential a new secret, since the old one is not kept. */
async function ensureDemoTenant(tx: Tx, name: string, owner: DemoOwner): Promise<DemoTenant> {
  const tenant = (await listAllTenants(tx)).find((each) => each.name === name);
  const [credential] = tenant ? await listCredentials(tx, tenant.id) : [];
  if (!credential) return createDemoTenant(tx, name, owner);
  const { tenantId, id: clientId } = credential;
  return { tenantId, clientId, clientSecret: await rotateSecret(tx, { tenantId, credentialId: clientId }, 0) };
}

export type SeedOptions = {
  readonly ratePerSecond?: number | undefined;
  /** Put into each wallet once; a later start adds nothing. */
  readonly credits?: number | undefined;
};

const SEED_SOURCE = '00000000-0000-7000-8000-000000000001';

export async function seedDemoTenants(
  database: Database,
  options: SeedOptions = {},
): Promise<[DemoTenant, DemoTenant]> {
  const tenants = await database.asSystem<[DemoTenant, DemoTenant]>(async (tx) => {
    const first = await ensureDemoTenant(tx, 'Demo Claims', {
      email: 'owner@demo-claims.example.com',
      firstName: 'Olive',
      lastName: 'Owner',
    });
    const other = await ensureDemoTenant(tx, 'Other Claims', {
      email: 'owner@other-claims.example.com',
      firstName: 'Otto',
      lastName: 'Other',
    });
    if (options.ratePerSecond !== undefined) {
      for (const { tenantId } of [first, other]) {
        await changeRate(tx, tenantId, options.ratePerSecond, options.ratePerSecond * 2);
      }
    }
    return [first, other];
  });
  const { credits } = options;
  if (credits !== undefined) {
    for (const { tenantId } of tenants) {
      const order = { credits, sourceId: SEED_SOURCE, note: 'Credits of a demo tenant' };
      await database.forTenants([tenantId], (tx) => topUp(tx, tenantId, order));
    }
  }
  return tenants;
}
