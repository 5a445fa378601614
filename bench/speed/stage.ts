// The stage of the speed benchmark: a throwaway database with one hot tenant and a thousand others, each with credits,
// a credential and a token.
import { createPrivateKey, type JsonWebKey, randomBytes, sign } from 'node:crypto';
import { SCOPES } from '@trefoil/contract';
import { Client } from 'pg';
import { loadConfig, loadLocalServers } from '../../server/src/config.ts';
import { createCredential } from '../../server/src/identity/credentials/change-credential.ts';
import { createUser } from '../../server/src/identity/people/change-user.ts';
import { newId } from '../../server/src/lib/ids.ts';
import { openDatabase } from '../../server/src/lib/postgres/database.ts';
import { migrate } from '../../server/src/lib/postgres/migrate.ts';
import { addMember, changeRate, createTenant } from '../../server/src/tenants/change-tenant.ts';
import { createWallet } from '../../server/src/wallet/create-wallet.ts';
import { topUp } from '../../server/src/wallet/top-up.ts';
import { freePort } from '../../tools/dev/free-port.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from '../../tools/dev/local-database.ts';
import { createSecrets } from '../../tools/dev/local-secrets.ts';

export type StageTenant = { readonly tenantId: string; readonly token: string };

export type Stage = {
  readonly environment: Record<string, string>;
  readonly ownerUrl: string;
  readonly baseUrl: string;
  readonly hot: StageTenant;
  readonly spread: readonly StageTenant[];
  /**
   * Call it when the tables have rows. Otherwise PostgreSQL plans for the tables as it saw them last: for empty ones it reads all of
   * `holds` for every report, until it looks at them again after about a minute.
   */
  analyze(): Promise<void>;
  close(): Promise<void>;
};

const CREDITS = 1_000_000_000_000;
const RATE = 100_000;
const TOKEN_SECONDS = 6 * 3_600;

/** An access token as the service itself would sign it: 1,001 of them without 1,001 calls of its token endpoint. */
function signToken(environment: Record<string, string>, tenantId: string, clientId: string): string {
  const [jwk] = JSON.parse(environment['TREFOIL_SIGNING_KEYS'] ?? '[]') as (JsonWebKey & { kid: string })[];
  if (!jwk) throw new Error('there is no signing key');
  const iat = Math.floor(Date.now() / 1_000);
  const times = { iat, exp: iat + TOKEN_SECONDS };
  const whose = { sub: clientId, client_id: clientId, tenant_id: tenantId, scope: SCOPES.join(' '), jti: newId() };
  const payload = { iss: environment['TREFOIL_BASE_URL'], aud: 'urn:trefoil:api', ...whose, ...times };
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid })}.${encode(payload)}`;
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

async function analyze(ownerUrl: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('analyze');
  await client.end();
}

export async function openStage(wallets: number, servers = loadLocalServers()): Promise<Stage> {
  const { adminUrl, redisUrl } = servers;
  const databaseName = `trefoil_bench_${randomBytes(6).toString('hex')}`;
  await ensureDatabase(adminUrl, databaseName);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const environment: Record<string, string> = {
    ...createSecrets(),
    ...databaseEnvironment(adminUrl, databaseName),
    TREFOIL_REDIS_URL: redisUrl,
    TREFOIL_REDIS_PREFIX: `${databaseName}:`,
    TREFOIL_BASE_URL: baseUrl,
    TREFOIL_PORT: String(port),
    TREFOIL_METRICS_PORT: '0',
    // Here all tenants come from one address.
    TREFOIL_CONNECTIONS_PER_ADDRESS: '10000',
    TREFOIL_LOG_LEVEL: 'warn',
  };
  const config = loadConfig(environment);
  const ownerUrl = config.database.ownerUrl ?? '';
  await migrate(ownerUrl);
  const database = openDatabase({ ...config.database, onConnectionError: () => undefined });
  async function addTenant(number: number): Promise<StageTenant> {
    const made = await database.asSystem(async (tx) => {
      const tenantId = await createTenant(tx, `Bench ${number}`);
      await createWallet(tx, tenantId);
      await changeRate(tx, tenantId, RATE, RATE);
      const email = `owner-${number}@bench.example.com`;
      const ownerUserId = await createUser(tx, { email, firstName: 'Olive', lastName: 'Owner' });
      await addMember(tx, tenantId, ownerUserId, 'owner');
      const { clientId } = await createCredential(tx, { tenantId, name: 'Bench', ownerUserId, scopes: SCOPES });
      return { tenantId, clientId };
    });
    const { tenantId, clientId } = made;
    // Two lines each: if every tenant had one, PostgreSQL would take a line's tenant for as good a key as its number.
    for (const note of ['Benchmark', 'Benchmark, second half']) {
      const order = { credits: CREDITS / 2, sourceId: newId(), note };
      await database.forTenants([tenantId], (tx) => topUp(tx, tenantId, order));
    }
    return { tenantId, token: signToken(environment, tenantId, clientId) };
  }
  const hot = await addTenant(0);
  const spread: StageTenant[] = [];
  for (let number = 1; number <= wallets; number += 1) spread.push(await addTenant(number));
  await database.close();
  return {
    ...{ environment, ownerUrl, baseUrl, hot, spread },
    analyze: () => analyze(ownerUrl),
    close: () => dropDatabase(adminUrl, databaseName),
  };
}
