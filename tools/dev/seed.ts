// The demo tenants of a developer's server: two of them, so that cross-tenant access can be tried.
import { randomBytes } from 'node:crypto';
import { SCOPES } from '@trefoil/contract';
import { createOAuthApp, listApps } from '../../server/src/identity/apps/change-app.ts';
import {
  createCredential,
  listCredentials,
  rotateSecret,
} from '../../server/src/identity/credentials/change-credential.ts';
import { hashPassword, setPasswordHash } from '../../server/src/identity/factors/change-password.ts';
import { deleteTotp, insertTotp } from '../../server/src/identity/factors/factor-store.ts';
import type { SecretSeal } from '../../server/src/identity/factors/seal-secret.ts';
import { newTotpSecret, totpBinding } from '../../server/src/identity/factors/totp.ts';
import { createUser, findUserByEmail } from '../../server/src/identity/people/change-user.ts';
import type { Database } from '../../server/src/lib/postgres/database.ts';
import type { Tx } from '../../server/src/lib/postgres/sql.ts';
import { addMember, changeRate, createTenant, listAllTenants } from '../../server/src/tenants/change-tenant.ts';
import { createWallet } from '../../server/src/wallet/create-wallet.ts';
import { topUp } from '../../server/src/wallet/top-up.ts';

export type DemoTenant = { readonly tenantId: string; readonly clientId: string; readonly clientSecret: string };

const DEMO_OWNER = { email: 'owner@demo-claims.example.com', firstName: 'Olive', lastName: 'Owner' };

type DemoOwner = { readonly email: string; readonly firstName: string; readonly lastName: string };

async function createDemoTenant(tx: Tx, name: string, owner: DemoOwner): Promise<DemoTenant> {
  const tenantId = await createTenant(tx, name);
  await createWallet(tx, tenantId);
  const ownerUserId = await createUser(tx, owner);
  await addMember(tx, tenantId, ownerUserId, 'owner');
  const credential = await createCredential(tx, { tenantId, name: 'Demo credential', ownerUserId, scopes: SCOPES });
  return { tenantId, clientId: credential.clientId, clientSecret: credential.clientSecret ?? '' };
}

/** Creates the tenant at the first start; later only gives its credential a new secret, since the old one is not stored. */
async function ensureDemoTenant(tx: Tx, name: string, owner: DemoOwner): Promise<DemoTenant> {
  const tenant = (await listAllTenants(tx)).find((each) => each.name === name);
  const [credential] = tenant ? await listCredentials(tx, tenant.id) : [];
  if (!credential) return createDemoTenant(tx, name, owner);
  const { tenantId, id: clientId } = credential;
  return { tenantId, clientId, clientSecret: await rotateSecret(tx, { tenantId, credentialId: clientId }, 0) };
}

export type TestCredential = { readonly testClientId: string; readonly testClientSecret: string };

const TEST_CREDENTIAL = 'Demo credential for test mode';

/** For the first demo tenant: the credential to begin with, since a slip with it cannot become a live search. */
export function seedTestCredential(database: Database, { tenantId }: DemoTenant): Promise<TestCredential> {
  return database.asSystem(async (tx) => {
    const made = (await listCredentials(tx, tenantId)).find(({ name }) => name === TEST_CREDENTIAL);
    if (made) {
      const secret = await rotateSecret(tx, { tenantId, credentialId: made.id }, 0);
      return { testClientId: made.id, testClientSecret: secret };
    }
    const owner = await findUserByEmail(tx, DEMO_OWNER.email);
    if (!owner) throw new Error('the demo tenants come first');
    const order = { tenantId, name: TEST_CREDENTIAL, ownerUserId: owner.id, scopes: SCOPES, isTestOnly: true };
    const { clientId, clientSecret = '' } = await createCredential(tx, order);
    return { testClientId: clientId, testClientSecret: clientSecret };
  });
}

export type DemoSignIn = {
  readonly email: string;
  readonly password: string;
  /** Of an authenticator app: the demo tenants require a second factor, as every new company does. */
  readonly totpSecret: string;
  /** A public application for trying the authorization code flow. */
  readonly appClientId: string;
  readonly appRedirectUri: string;
};

const DEMO_APP = 'Demo application';
const DEMO_REDIRECT_URI = 'http://127.0.0.1:8090/callback';

/** The first demo tenant's owner gets a new password and a new app at every start, since the old ones are not stored in clear. */
export async function seedDemoSignIn(database: Database, seal: SecretSeal): Promise<DemoSignIn> {
  const totpSecret = newTotpSecret();
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(password);
  return database.asSystem(async (tx) => {
    const owner = await findUserByEmail(tx, DEMO_OWNER.email);
    if (!owner) throw new Error('the demo tenants come first');
    await setPasswordHash(tx, owner.id, passwordHash);
    await deleteTotp(tx, owner.id);
    const sealedSecret = seal.seal(totpBinding(owner.id), Buffer.from(totpSecret));
    await insertTotp(tx, owner.id, { step: 0, sealedSecret });
    const app = (await listApps(tx)).find(({ name }) => name === DEMO_APP);
    const order = { name: DEMO_APP, redirectUris: [DEMO_REDIRECT_URI], isPublic: true };
    const appClientId = app?.id ?? (await createOAuthApp(tx, order)).clientId;
    return { email: DEMO_OWNER.email, password, totpSecret, appClientId, appRedirectUri: DEMO_REDIRECT_URI };
  });
}

export type SeedOptions = {
  readonly ratePerSecond?: number | undefined;
  /** Credited to each wallet once; a later start adds nothing. */
  readonly credits?: number | undefined;
};

const SEED_SOURCE = '00000000-0000-7000-8000-000000000001';

export async function seedDemoTenants(
  database: Database,
  options: SeedOptions = {},
): Promise<[DemoTenant, DemoTenant]> {
  const tenants = await database.asSystem<[DemoTenant, DemoTenant]>(async (tx) => {
    const first = await ensureDemoTenant(tx, 'Demo Claims', DEMO_OWNER);
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
