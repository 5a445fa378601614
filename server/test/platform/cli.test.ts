// The operator's command line beside a running server: what it prints, what it refuses, and what its commands change
// for clients. Every command runs as a real process once; states and mistakes run in this process, which is quicker.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLE_SCOPES } from '@trefoil/contract';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { startServer, type TestServer } from '../harness.ts';
import { runHere, runProcess } from '../support/command-line.ts';

const UNKNOWN_ID = '01997c2e-5a10-7bd3-9c4e-2f60d81b7a35';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'trefoil-cli-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

const trefoil = (args: readonly string[], environment: Record<string, string> = server.environment) =>
  runProcess(args, environment);
const trefoilHere = (args: readonly string[]) => runHere(server, ...args);

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await trefoilHere([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

async function sentenceHere(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await trefoilHere(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function sentence(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await trefoil(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

let people = 0;
const createUser = () =>
  json<{ userId: string; email: string }>(
    ...['user', 'create', '--email', `person${++people}@example.com`, '--first-name', 'Ada', '--last-name', 'Example'],
  );

/** A tenant with one member. */
async function createTenant(role = 'owner'): Promise<{ tenantId: string; userId: string }> {
  const [{ tenantId }, { userId }] = await Promise.all([
    json<{ tenantId: string }>('tenant', 'create', '--name', 'Example Claims'),
    createUser(),
  ]);
  await json('membership', 'create', '--tenant', tenantId, '--user', userId, '--role', role);
  return { tenantId, userId };
}

type Created = { readonly tenantId: string; readonly clientId: string; readonly clientSecret: string };

async function createCredential(...options: string[]): Promise<Created & { userId: string }> {
  const { tenantId, userId } = await createTenant();
  const owner = ['--tenant', tenantId, '--owner', userId, '--name', 'Portal'];
  return { ...(await json<Created>('credential', 'create', ...owner, ...options)), userId };
}

function requestToken(fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...fields });
  return fetch(`${server.baseUrl}/v1/oauth/token`, { method: 'POST', body });
}

const withSecret = ({ clientId, clientSecret }: Omit<Created, 'tenantId'>) =>
  requestToken({ client_id: clientId, client_secret: clientSecret });

async function tokenOf(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  return ((await response.json()) as { access_token: string }).access_token;
}

const readProfile = (token: string) =>
  fetch(`${server.baseUrl}/v1/my/profile`, { headers: { authorization: `Bearer ${token}` } });

describe('people and tenants', () => {
  test('tenant create makes the tenant and its wallet; tenant list shows it', async () => {
    const printed = await sentence('tenant', 'create', '--name', '  Nightly Claims  ');
    const id = /[0-9a-f-]{36}/.exec(printed)?.[0];
    expect(await server.query('select balance from wallets where tenant_id = $1', [id])).toEqual([{ balance: '0' }]);
    const list = await sentence('tenant', 'list');
    expect(list).toMatch(/^TENANT +NAME +STATE +RATE +LIMIT +CREATED$/m);
    expect(list).toMatch(
      new RegExp(`^${id}  Nightly Claims +enabled +50/s, burst 100 +default +\\d{4}-\\d\\d-\\d\\d$`, 'm'),
    );
  });

  test('user create, list, disable and enable', async () => {
    const { userId, email } = await createUser();
    expect(await sentence('user', 'list')).toMatch(new RegExp(`^${userId}  ${email} +Ada Example +enabled`, 'm'));
    expect(await sentence('user', 'disable', '--user', userId)).toContain(
      'is disabled. Every credential they own stops',
    );
    expect(await sentenceHere('user', 'list')).toMatch(new RegExp(`^${userId} .* disabled`, 'm'));
    expect(await sentence('user', 'enable', '--user', userId.toUpperCase())).toContain('is enabled.');
  });

  test('membership create adds a member, and changes the role of one', async () => {
    const { tenantId, userId } = await createTenant('analyst');
    expect(await sentence('member', 'list', '--tenant', tenantId)).toMatch(/^USER +E-MAIL +ROLE .*\n.* analyst .*\n$/);
    const change = ['--tenant', tenantId, '--user', userId, '--role', 'admin'];
    expect(await sentence('membership', 'create', ...change)).toContain('(before: analyst)');
    expect(await json('member', 'list', '--tenant', tenantId)).toMatchObject({
      members: [{ userId, role: 'admin' }],
    });
  });

  test('--json prints JSON and nothing else', async () => {
    const { code, stdout, stderr } = await trefoil(['tenant', 'list', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { tenants } = JSON.parse(stdout) as { tenants: object[] };
    expect(tenants).toContainEqual(expect.objectContaining({ id: server.demo.tenantId, isEnabled: true }));
  });

  test('empty lists say so', async () => {
    const { tenantId } = await json<{ tenantId: string }>('tenant', 'create', '--name', 'Empty');
    expect(await sentenceHere('member', 'list', '--tenant', tenantId)).toContain('no members yet');
    expect(await sentenceHere('credential', 'list', '--tenant', tenantId)).toContain('no credentials yet');
    expect(await json('credential', 'list', '--tenant', tenantId)).toEqual({ credentials: [] });
  });

  test('two people cannot have one address, even at the same moment', async () => {
    const args = ['user', 'create', '--email', 'Twin@example.com', '--first-name', 'Ada', '--last-name', 'Example'];
    const runs = await Promise.all([trefoil(args), trefoil(args)]);
    expect(runs.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 1]);
    expect(runs.map(({ stderr }) => stderr).join('')).toMatch(/^There is already a user with th.*\n$/);
    expect((await trefoilHere(args)).stderr).toMatch(
      /^There is already a user with the address twin@example.com: [0-9a-f-]{36}/,
    );
  });

  test('403: a disabled tenant’s tokens stop, its credentials get none, and enabling brings both back', async () => {
    const credential = await createCredential();
    const token = await tokenOf(await withSecret(credential));
    expect((await readProfile(token)).status).toBe(200);
    expect(await sentence('tenant', 'disable', '--tenant', credential.tenantId)).toContain('is disabled.');
    await eventually(async () => expect((await readProfile(token)).status).toBe(403));
    expect((await withSecret(credential)).status).toBe(401);
    expect(await sentenceHere('credential', 'list', '--tenant', credential.tenantId)).toContain('  tenant disabled  ');
    expect(await sentenceHere('credential', 'enable', '--credential', credential.clientId)).toContain(
      'tenant disabled',
    );
    await sentence('tenant', 'enable', '--tenant', credential.tenantId);
    await eventually(async () => expect((await readProfile(token)).status).toBe(200));
  });

  test('429: a tenant’s own rate replaces the default, and the default comes back', async () => {
    const { tenantId, ...credential } = await createCredential();
    const token = await tokenOf(await withSecret(credential));
    const policy = async () => (await readProfile(token)).headers.get('ratelimit-policy');
    expect(await policy()).toBe('"tenant";q=100;w=2');
    const printed = await sentence('tenant', 'rate', '--tenant', tenantId, '--per-second', '1', '--burst', '2');
    expect(printed).toContain('1 requests a second with a burst of 2. This takes effect within seconds on all nodes.');
    await eventually(async () => expect(await policy()).toBe('"tenant";q=2;w=2'));
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await readProfile(token)).status));
    expect(statuses).toContain(429);
    expect(await json('tenant', 'rate', '--tenant', tenantId, '--per-second', '300')).toMatchObject({
      effectiveRate: { perSecond: 300, burst: 300 },
    });
    expect(await sentenceHere('tenant', 'rate', '--tenant', tenantId, '--default')).toContain(
      'burst of 100, the default',
    );
    await eventually(async () => expect(await policy()).toBe('"tenant";q=100;w=2'));
  });
});

describe('credentials', () => {
  test('200: a created credential gets a token with the scopes of its owner’s role', async () => {
    const { tenantId, userId } = await createTenant('developer');
    const args = ['credential', 'create', '--tenant', tenantId, '--owner', userId, '--name', 'Portal'];
    const printed = await sentence(...args);
    expect(printed).toContain('shown only once');
    const clientId = /Client id +(\S+)/.exec(printed)?.[1] ?? '';
    const clientSecret = /Client secret +(tfs_\S+)/.exec(printed)?.[1] ?? '';
    const response = await withSecret({ clientId, clientSecret });
    const { scope } = (await response.clone().json()) as { scope: string };
    expect(scope.split(' ').toSorted()).toEqual(ROLE_SCOPES.developer.toSorted());
    expect((await readProfile(await tokenOf(response))).status).toBe(200);
  });

  test('scopes narrow a credential and cannot exceed its owner’s role', async () => {
    const { tenantId, userId } = await createTenant('analyst');
    const args = ['credential', 'create', '--tenant', tenantId, '--owner', userId, '--name', 'Reader', '--scopes'];
    expect(await json(...args, 'reports:read')).toMatchObject({ scopes: ['reports:read'] });
    const refused = await trefoilHere([...args, 'reports:read,wallet:write']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('role analyst does not include wallet:write');
  });

  test('credential list shows neither a secret nor its hash', async () => {
    const { tenantId, clientId, clientSecret } = await createCredential();
    const outputs = [
      await sentence('credential', 'list', '--tenant', tenantId),
      JSON.stringify(await json('credential', 'list', '--tenant', tenantId)),
    ];
    const kept = await server.query<{ hash: string; text: string }>(
      `select encode(secret_hash, 'hex') as hash, encode(secret_hash, 'base64') as text
         from credential_secrets where credential_id = $1`,
      [clientId],
    );
    for (const output of outputs) {
      expect(output).toContain(clientId);
      for (const secret of [clientSecret, 'tfs_', 'hash', kept[0]?.hash ?? '', kept[0]?.text ?? '']) {
        expect(output.toLowerCase()).not.toContain(secret.toLowerCase());
      }
    }
  });

  test('401: with no grace the old secret ends at once and the new one works', async () => {
    const old = await createCredential();
    const printed = await sentence('credential', 'rotate', '--credential', old.clientId, '--grace-hours', '0', '--yes');
    expect(printed).toContain('shown only once');
    expect(printed).toContain('The old secrets no longer work.');
    const clientSecret = /tfs_\S+/.exec(printed)?.[0] ?? '';
    expect((await withSecret(old)).status).toBe(401);
    expect((await withSecret({ ...old, clientSecret })).status).toBe(200);
  });

  test('200: in the grace time both secrets work', async () => {
    const old = await createCredential();
    const rotated = await json<Created & { graceHours: number }>('credential', 'rotate', '--credential', old.clientId);
    expect(rotated.graceHours).toBe(24);
    expect((await withSecret(old)).status).toBe(200);
    expect((await withSecret(rotated)).status).toBe(200);
    expect(await json('credential', 'list', '--tenant', old.tenantId)).toMatchObject({
      credentials: [{ id: old.clientId, liveSecrets: 2 }],
    });
    await server.query(
      `update credential_secrets set expires_at = expires_at - interval '24 hours' where credential_id = $1`,
      [old.clientId],
    );
    expect((await withSecret(old)).status).toBe(401);
    expect((await withSecret(rotated)).status).toBe(200);
  });

  test('401: a disabled credential’s token stops and it gets no new one, until it is enabled', async () => {
    const credential = await createCredential();
    const token = await tokenOf(await withSecret(credential));
    expect((await readProfile(token)).status).toBe(200);
    expect(await sentence('credential', 'disable', '--credential', credential.clientId)).toContain('is disabled.');
    expect((await withSecret(credential)).status).toBe(401);
    await eventually(async () => expect((await readProfile(token)).status).toBe(401));
    const rotate = ['credential', 'rotate', '--credential', credential.clientId];
    expect(await sentenceHere(...rotate)).toContain('It gets no token yet');
    expect(await sentence('credential', 'enable', '--credential', credential.clientId)).toContain('works again');
    expect((await withSecret(credential)).status).toBe(200);
  });

  test('401: a disabled owner’s credentials get no token', async () => {
    const credential = await createCredential();
    await sentenceHere('user', 'disable', '--user', credential.userId);
    expect((await withSecret(credential)).status).toBe(401);
    expect(await sentenceHere('credential', 'list', '--tenant', credential.tenantId)).toContain(
      '  owner disabled or gone  ',
    );
  });

  test('200: a credential made from public keys gets a token with a signed assertion', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const file = join(folder, 'public.json');
    writeFileSync(file, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'portal-1' }] }));
    const { clientId, clientSecret, tenantId } = await createCredential('--public-keys', file);
    expect(clientSecret).toBeUndefined();
    const assertion = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: 'portal-1' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(server.baseUrl)
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .setExpirationTime('1 minute')
      .sign(privateKey);
    const fields = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    };
    expect((await readProfile(await tokenOf(await requestToken(fields)))).status).toBe(200);
    expect(await sentenceHere('credential', 'list', '--tenant', tenantId)).toContain('  own keys  ');
    const rotated = await trefoilHere(['credential', 'rotate', '--credential', clientId]);
    expect(rotated).toMatchObject({ code: 1, stdout: '' });
    expect(rotated.stderr).toContain('has no secret');
  });

  test('a file with a private key is refused, and nothing is stored', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const key = await exportJWK(privateKey);
    const file = join(folder, 'private.json');
    writeFileSync(file, JSON.stringify({ keys: [key] }));
    const { tenantId, userId } = await createTenant();
    const owner = ['--tenant', tenantId, '--owner', userId, '--name', 'Portal'];
    const refused = await trefoil(['credential', 'create', ...owner, '--public-keys', file]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('holds a private key');
    expect(refused.stderr).not.toContain(key.d);
    expect(await json('credential', 'list', '--tenant', tenantId)).toEqual({ credentials: [] });
  });

  test('an owner must be an enabled member of the tenant', async () => {
    const { tenantId, userId } = await createTenant();
    const stranger = await createUser();
    const create = (owner: string) =>
      trefoilHere(['credential', 'create', '--tenant', tenantId, '--owner', owner, '--name', 'Portal']);
    expect(await create(stranger.userId)).toMatchObject({ code: 1, stderr: expect.stringContaining('not a member') });
    expect(await create(UNKNOWN_ID)).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no user') });
    await sentenceHere('user', 'disable', '--user', userId);
    expect(await create(userId)).toMatchObject({ code: 1, stderr: expect.stringContaining('is disabled') });
  });
});

describe('applications', () => {
  const URI = 'https://portal.example.com/callback';
  const authorize = (clientId: string) =>
    fetch(
      `${server.baseUrl}/v1/oauth/authorize?${new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: URI,
        scope: 'openid',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      })}`,
      { redirect: 'manual' },
    );

  test('303: a created application may sign people in; disabled it may not, until it is enabled', async () => {
    const created = await sentence('app', 'create', '--name', 'Claims portal', '--redirect-uris', URI);
    const clientId = /Client id +(\S+)/.exec(created)?.[1] ?? '';
    const secret = /tfs_[\w-]{43}/.exec(created)?.[0] ?? '';
    expect(secret).not.toBe('');
    const list = await sentence('app', 'list');
    expect(list).toContain(clientId);
    expect(list).not.toContain(secret);
    expect((await authorize(clientId)).status).toBe(303);
    await sentence('app', 'disable', '--app', clientId);
    expect((await authorize(clientId)).status).toBe(400);
    await sentence('app', 'enable', '--app', clientId);
    expect((await authorize(clientId)).status).toBe(303);
  });

  test('a public one has no secret; several addresses are kept letter by letter', async () => {
    const uris = 'https://portal.example.com/callback,http://127.0.0.1:8090/callback';
    const created = await json<object>('app', 'create', '--name', 'Portal', '--public', '--redirect-uris', uris);
    expect(created).toMatchObject({ isPublic: true, redirectUris: uris.split(',') });
    expect(created).not.toHaveProperty('clientSecret');
  });

  test.each([
    'http://portal.example.com/',
    'portal.example.com',
    'javascript:alert(1)',
    `${URI}#x`,
    'https://a:b@example.com/',
    '',
  ])('exit 2: %j is no address to come back to', async (uri) => {
    const { code, stderr } = await trefoilHere(['app', 'create', '--name', 'x', `--redirect-uris=${uri}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('--redirect-uris must be');
  });
});

test('purge deletes the expired rows and no others', async () => {
  await server.query(
    `insert into oidc_payloads (model, id, payload, expires_at)
     values ('Purge', 'old', '{}', now() - interval '1 second'), ('Purge', 'new', '{}', now() + interval '1 hour')`,
  );
  expect(await sentence('purge')).toMatch(/^Deleted [1-9]\d* expired rows?\.\n$/);
  expect(await server.query("select id from oidc_payloads where model = 'Purge'")).toEqual([{ id: 'new' }]);
});

const REFUSALS = [
  // what was typed, exit code, what standard error says
  [`tenant disable --tenant ${UNKNOWN_ID}`, 1, `There is no tenant ${UNKNOWN_ID}`],
  [`tenant rate --tenant ${UNKNOWN_ID} --default`, 1, `There is no tenant ${UNKNOWN_ID}`],
  [`tenant rate --tenant ${UNKNOWN_ID}`, 2, 'or else --default'],
  [`tenant rate --tenant ${UNKNOWN_ID} --burst 5 --default`, 2, 'or else --default'],
  [`user disable --user ${UNKNOWN_ID}`, 1, `There is no user ${UNKNOWN_ID}`],
  [`membership create --tenant ${UNKNOWN_ID} --user ${UNKNOWN_ID} --role owner`, 1, 'There is no tenant'],
  [`member list --tenant ${UNKNOWN_ID}`, 1, 'There is no tenant'],
  [`credential list --tenant ${UNKNOWN_ID}`, 1, 'There is no tenant'],
  [`credential enable --credential ${UNKNOWN_ID}`, 1, `There is no credential ${UNKNOWN_ID}`],
  [`credential rotate --credential ${UNKNOWN_ID}`, 1, `There is no credential ${UNKNOWN_ID}`],
  [`app disable --app ${UNKNOWN_ID}`, 1, 'There is no app'],
  [`credential create --tenant ${UNKNOWN_ID} --owner ${UNKNOWN_ID} --name x --public-keys /no/file`, 1, '(ENOENT)'],
] as const;

describe('refusals', () => {
  for (const [line, code, message] of REFUSALS) {
    test(`${line}: exit ${code} and one line`, async () => {
      const run = await trefoilHere(line.split(' '));
      expect(run).toMatchObject({ code, stdout: '' });
      expect(run.stderr).toContain(message);
      expect(run.stderr).not.toContain('\n');
    });
  }

  test('the process writes one line to standard error and ends with the code', async () => {
    const [refused, misread, unconfigured, help] = await Promise.all([
      trefoil(['tenant', 'disable', '--tenant', UNKNOWN_ID]),
      trefoil(['tenent', 'list']),
      trefoil(['tenant', 'list'], {}),
      trefoil([], {}),
    ]);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^There is no tenant .*\n$/) });
    expect(misread).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^There is no command .*\n$/) });
    expect(unconfigured).toMatchObject({ code: 1, stdout: '' });
    expect(unconfigured.stderr).toContain('TREFOIL_SYSTEM_DATABASE_URL is missing');
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Commands:'), stderr: '' });
  });

  test('a database that is away, missing or empty is one line, without the password of its address', async () => {
    const port = await freePort();
    const { host, pathname } = new URL(server.environment['TREFOIL_SYSTEM_DATABASE_URL'] ?? '');
    const cases = [
      [`127.0.0.1:${port}${pathname}`, 'The database does not answer.'],
      [`${host}/trefoil_no_such_database`, 'does not exist'],
      [`${host}/postgres`, 'migrate'],
    ] as const;
    for (const [place, message] of cases) {
      const systemUrl = `postgres://trefoil_system:hush@${place}`;
      const run = await trefoil(['tenant', 'list'], { ...server.environment, TREFOIL_SYSTEM_DATABASE_URL: systemUrl });
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toContain(message);
      expect(run.stderr).not.toContain('hush');
      expect(run.stderr.trimEnd()).not.toContain('\n');
    }
  });
});
