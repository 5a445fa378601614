// One command to a running server: migrates, seeds two demo tenants, starts everything and prints what to paste.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { createTrefoil, type Trefoil } from '@trefoil/sdk';
import { createApp } from '../../server/src/app.ts';
import { type Config, loadConfig, loadLocalServers } from '../../server/src/config.ts';
import { createDeviceSessions } from '../../server/src/fingerprints/device-session.ts';
import { createSecretSeal } from '../../server/src/identity/factors/seal-secret.ts';
import { firstEndSignal } from '../../server/src/lib/end-signal.ts';
import { openDatabase } from '../../server/src/lib/postgres/database.ts';
import { migrate } from '../../server/src/lib/postgres/migrate.ts';
import { findPerson } from './ask-simulators.ts';
import { findBuiltPages } from './built-pages.ts';
import { DEFAULT_PORT, HELP, type Options, readOptions } from './dev-options.ts';
import { freePort } from './free-port.ts';
import { databaseEnvironment, dropDatabase, ensureDatabase } from './local-database.ts';
import { createSecrets } from './local-secrets.ts';
import { readReferenceBundle } from './reference-bundle.ts';
import {
  type DemoSignIn,
  type DemoTenant,
  seedDemoSignIn,
  seedDemoTenants,
  seedTestCredential,
  type TestCredential,
} from './seed.ts';
import { type SimulatedProviders, startProviders } from './simulated-providers.ts';

/** A thousand pounds: enough for five hundred reports from three bureaus. */
const DEMO_CREDITS = 1_000_000;

const STATE = fileURLToPath(new URL('../../.trefoil/', import.meta.url));
const SECRETS_FILE = `${STATE}secrets.env`;
/** Read by "npm run trefoil", so that operator commands act on the server started last. */
const ENVIRONMENT_FILE = `${STATE}dev.env`;
/** Read by "npm run try". */
const DEMO_FILE = `${STATE}demo.json`;

function writePrivately(path: string, content: string): void {
  mkdirSync(STATE, { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
  chmodSync(path, 0o600);
}

const toEnvFile = (values: Record<string, string>) =>
  `${Object.entries(values)
    .map(([name, value]) => `${name}='${value}'`)
    .join('\n')}\n`;

/** Kept between starts, since today's server should open reports sealed with yesterday's key. */
function keptSecrets(): Record<string, string> {
  const kept = existsSync(SECRETS_FILE) ? (parseEnv(readFileSync(SECRETS_FILE, 'utf8')) as Record<string, string>) : {};
  // A release may need a secret that the kept file does not have.
  const secrets = { ...createSecrets(), ...kept };
  if (Object.keys(secrets).length > Object.keys(kept).length) writePrivately(SECRETS_FILE, toEnvFile(secrets));
  return secrets;
}

type Started = {
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly metricsAddress: string;
  readonly demo: DemoTenant & TestCredential;
  readonly signIn: DemoSignIn;
  readonly sessionId: string;
  readonly inbox: string;
  readonly mailInbox: string;
  /** A person whom the simulated bureaus know. */
  readonly person: object;
};

const ASKED = { bureaus: ['equifax', 'experian', 'transunion'], ipAddress: '192.0.2.10', searchType: 'pcp' };
const ADA = {
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1984-03-09',
  addresses: [
    {
      type: 'current',
      ukAddress: { buildingNumber: '14', thoroughfare: 'Mill Lane', townOrCity: 'Ludforth', postcode: 'HR10 2AB' },
    },
  ],
};

function describe(started: Started): string {
  const { baseUrl, docsUrl, metricsAddress, demo, signIn, sessionId, inbox, mailInbox, person } = started;
  const post = (path: string, body: object) =>
    `curl -s ${baseUrl}/${demo.tenantId}/v1/credit-reports${path} -H "Authorization: Bearer $TOKEN" ` +
    `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const tokenOf = (clientId: string, clientSecret: string) =>
    `TOKEN=$(curl -s -u '${clientId}:${clientSecret}' -d grant_type=client_credentials ${baseUrl}/v1/oauth/token ` +
    `| sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`;
  const inTest = { test: true, email: 'test002@example.com', sessionId: 'demo-session', ...ASKED, ...ADA };
  const challenged = { email: 'challenge@example.com', mobileNumber: '+447700900123', sessionId, ...ASKED, ...person };
  return `
Trefoil is running. Ctrl-C stops it.

  Base address    ${baseUrl}
  API reference   ${docsUrl}/docs/reference   ("Test Request" there works at once)
  Metrics         ${metricsAddress}
  Phone's inbox   ${inbox}
  Mail inbox      ${mailInbox}
  Tenant          ${demo.tenantId}
  Test mode only  ${demo.testClientId}   (a client id: begin with this one)
                  ${demo.testClientSecret}   (its secret, a new one at every start)
  Live and test   ${demo.clientId}
                  ${demo.clientSecret}
  Console         ${baseUrl}/console
                  as ${signIn.email} with the password ${signIn.password}   (a new one at every start)
                  and a code, which "npm run -s code" prints, or an authenticator app with the secret ${signIn.totpSecret}
  Sign-in app     ${signIn.appClientId}   (a public OAuth client; its redirect address is
                  ${signIn.appRedirectUri})
  Device session  ${sessionId}
                  (good for 30 minutes and one person; another one: npm run -s trefoil -- session mint)

In another terminal, a report and a whole OTP flow in test mode, step by step:

  npm run try

The same by hand, beginning with a token and a report:

  ${tokenOf(demo.testClientId, demo.testClientSecret)}

  ${post('', inTest)}

Live, against the simulators, with a code by SMS (an e-mail address that begins with allow
completes at once; one that begins with block is blocked). It needs a token of the other credential:

  ${tokenOf(demo.clientId, demo.clientSecret)}

  ${post('', challenged)}

  Read the code at ${inbox} and submit it, with the two ids of the answer:

  ${post('/CREDIT_REPORT_ID/otp-challenge', { challengeId: 'CHALLENGE_ID', code: 'CODE' })}

A sample page for consumers, with the fingerprint script, live against the simulators:

  npm run example

Tenants, people, credentials and wallets:

  npm run trefoil -- help
`;
}

/** Handles stop signals from the first moment on: a throwaway database never outlives its server. */
async function start(options: Options): Promise<void> {
  const stopped = firstEndSignal((sentence) => console.error(sentence));
  const { adminUrl } = loadLocalServers();
  const databaseName = options.ephemeral ? `trefoil_ephemeral_${randomBytes(6).toString('hex')}` : 'trefoil_dev';
  try {
    await ensureDatabase(adminUrl, databaseName);
    const providers = await startProviders();
    try {
      await serve(options, databaseName, providers, stopped);
    } finally {
      await providers.stop();
    }
  } finally {
    if (options.ephemeral) await dropDatabase(adminUrl, databaseName);
  }
}

async function seed(config: Config, { rate, patience }: Options) {
  const database = openDatabase({ ...config.database, patience, onConnectionError: () => undefined });
  try {
    const tenants = await seedDemoTenants(database, { ratePerSecond: rate, credits: DEMO_CREDITS });
    const [first, other] = tenants;
    return {
      demo: { ...first, ...(await seedTestCredential(database, first)) },
      other,
      signIn: await seedDemoSignIn(database, createSecretSeal(config.vaultKeys)),
    };
  } finally {
    await database.close();
  }
}

async function createEnvironment(
  options: Options,
  databaseName: string,
  providers: SimulatedProviders,
): Promise<Record<string, string>> {
  const { adminUrl, redisUrl } = loadLocalServers();
  const port = options.port === 0 ? await freePort() : options.port;
  return {
    TREFOIL_LOG_LEVEL: options.json ? 'info' : 'warn',
    ...(options.ephemeral ? createSecrets() : keptSecrets()),
    ...databaseEnvironment(adminUrl, databaseName),
    ...providers.environment,
    TREFOIL_REDIS_URL: redisUrl,
    TREFOIL_REDIS_PREFIX: `${databaseName}:`,
    // A name and not an IP address: browsers bind passkeys to names.
    TREFOIL_BASE_URL: `http://localhost:${port}`,
    // The same server under another name, as the API reference needs it for trying requests out.
    TREFOIL_DOCS_URL: `http://127.0.0.1:${port}`,
    TREFOIL_PORT: String(port),
    // A developer's receiver of webhooks runs on this machine.
    TREFOIL_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    // The usual port for the usual server; a second server takes any free port.
    TREFOIL_METRICS_PORT: options.port === DEFAULT_PORT && !options.ephemeral ? '9090' : '0',
  };
}

function mintSession({ vaultKeys }: Config): string {
  const network = { ipAddress: ASKED.ipAddress, userAgentFamily: null };
  const collected = new Date();
  const facts = { deviceDigest: randomBytes(16).toString('hex'), collectedAt: collected.toISOString(), network };
  return createDeviceSessions(vaultKeys).seal(facts, collected);
}

async function serve(
  options: Options,
  databaseName: string,
  providers: SimulatedProviders,
  stopped: Promise<unknown>,
): Promise<void> {
  const environment = await createEnvironment(options, databaseName, providers);
  const config = loadConfig({ ...environment, ...findBuiltPages() });
  await migrate(config.database.ownerUrl ?? '');
  let tryAs: { readonly tenantId: string; readonly trefoil: Trefoil } | undefined;
  const prefill = async () => tryAs && { tenantId: tryAs.tenantId, token: await tryAs.trefoil.getToken() };
  const app = await createApp(config, {
    ...{ logDestination: process.stderr, prefill, patience: options.patience },
    readBundle: readReferenceBundle,
  });
  let restore = () => {};
  try {
    // Listens before it seeds: a start that fails on a taken port must not give the running server's credentials
    // a new secret.
    const { metricsAddress } = await app.listen();
    const { demo, other, signIn } = await seed(config, options);
    const { baseUrl, docsUrl = baseUrl } = config;
    tryAs = { tenantId: demo.tenantId, trefoil: createTrefoil({ baseUrl, ...demo }) };
    const [otherTenantId, otherClientId, otherClientSecret] = [other.tenantId, other.clientId, other.clientSecret];
    const sessionId = mintSession(config);
    const { credentials: _, ...simulators } = providers.addresses;
    const others = { otherTenantId, otherClientId, otherClientSecret };
    const line = JSON.stringify({ baseUrl, databaseName, ...demo, ...others, signIn, sessionId, simulators });
    restore = announce({ [ENVIRONMENT_FILE]: toEnvFile(environment), [DEMO_FILE]: line });
    const { inbox, mailInbox } = simulators;
    const person = await findPerson(simulators.albion, 'person-0001');
    console.log(
      options.json
        ? line
        : describe({ baseUrl, docsUrl, metricsAddress, demo, signIn, sessionId, inbox, mailInbox, person }),
    );
    await stopped;
  } finally {
    await app.close();
    restore();
  }
}

/** Writes the files by which other commands find the server; the returned function restores the old ones. */
function announce(files: Record<string, string>): () => void {
  const earlier = Object.keys(files).map(
    (path) => [path, existsSync(path) ? readFileSync(path, 'utf8') : undefined] as const,
  );
  for (const [path, content] of Object.entries(files)) writePrivately(path, content);
  return () => {
    for (const [path, content] of earlier) {
      // A server started later has written its own files: leave those alone.
      if (!existsSync(path) || readFileSync(path, 'utf8') !== files[path]) continue;
      if (content === undefined) rmSync(path);
      else writePrivately(path, content);
    }
  };
}

const options = readOptions(process.argv.slice(2));
if ('problem' in options) {
  console.error(`${options.problem}\nnpm run dev -- --help explains the options.`);
  process.exitCode = 2;
} else if (options.help) {
  console.log(HELP);
} else {
  try {
    await start(options);
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === 'ECONNREFUSED') {
      console.error('PostgreSQL does not answer. Start it, or run "docker compose up -d", then try again.');
    } else if (code === '28000' || code === '28P01' || /SASL|password/.test((error as Error).message)) {
      console.error(
        'PostgreSQL asks for a password or refuses the role. Development needs local access without one for the roles ' +
          'postgres, trefoil_app and trefoil_system ("trust" for 127.0.0.1 in pg_hba.conf); see README.md.',
      );
    } else if (code === 'EADDRINUSE') {
      console.error(
        `Port ${options.port} or the metrics port is taken. Choose another: npm run dev -- --port 0 --ephemeral`,
      );
    } else {
      console.error(error);
    }
    process.exitCode = 1;
  }
}
