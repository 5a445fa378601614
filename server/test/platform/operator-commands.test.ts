// What an operator stumbles on at the command line: versions, tenants by name, commands that cannot be undone, keys.
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { loadConfig } from '../../src/config.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { COMPILE_CACHE, jsonHere, MAIN, runAnswering, runHere, runProcess, sayHere } from '../support/command-line.ts';
import { addPerson, addTenantWithOwner } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createTenant = async (name: string) =>
  (await jsonHere<{ tenantId: string }>(server, 'tenant', 'create', '--name', name)).tenantId;

test('--version says which version this is, without any configuration', async () => {
  for (const word of ['--version', '-v', 'version']) {
    expect(await runProcess([word], {})).toEqual({
      code: 0,
      stdout: `trefoil ${packageJson.version} (Node ${process.version})\n`,
      stderr: '',
    });
  }
});

describe('tenants by name', () => {
  test('a name does wherever an id does, in any case, with blanks around it', async () => {
    const tenantId = await createTenant('Näme & Søns Claims');
    expect(await sayHere(server, 'tenant', 'show', '--tenant', ' näme & søns CLAIMS ')).toContain(tenantId);
    expect(await sayHere(server, 'wallet', 'show', '--tenant', 'Näme & Søns Claims')).toContain(tenantId);
    expect(await sayHere(server, 'price', 'list', '--tenant', 'Näme & Søns Claims')).toContain('sms');
    expect(await sayHere(server, 'audit', 'verify', '--tenant', 'Näme & Søns Claims')).toContain('of 1 tenant');
    const invited = ['--email', 'named@example.com', '--role', 'owner'];
    const said = await jsonHere(server, 'user', 'invite', '--tenant', 'Näme & Søns Claims', ...invited);
    expect(said).toMatchObject({ tenantId });
    expect(await sayHere(server, 'tenant', 'show', '--tenant', tenantId.toUpperCase())).toContain(tenantId);
  });

  test('exit 1: a name that several tenants have is refused with the ids of all of them, and nothing is changed', async () => {
    const ids = [await createTenant('Twin Claims'), await createTenant('TWIN claims')];
    const { code, stdout, stderr } = await runHere(server, 'tenant', 'disable', '--tenant', 'Twin Claims');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^2 tenants have this name: /);
    for (const id of ids) expect(stderr).toContain(id);
    expect(stderr).not.toContain('\n');
    const enabled = 'select count(*)::int from tenants where id = any($1) and is_enabled';
    expect(await server.query(enabled, [ids])).toEqual([{ count: 2 }]);
  });

  test('exit 1: an unknown name is not repeated, since what was pasted there may be a secret', async () => {
    const { code, stderr } = await runHere(server, 'tenant', 'show', '--tenant', 'tfs_hush');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no tenant with this name; 'tenant list' shows/);
    expect(stderr).not.toContain('hush');
  });

  test('a tenant whose name is the id of another one: an id is always an id', async () => {
    const other = await createTenant('Other Claims');
    await createTenant(other);
    expect(await sayHere(server, 'tenant', 'show', '--tenant', other)).toContain('(Other Claims)');
  });
});

describe('commands that cannot be undone', () => {
  const retentionOf = async (tenantId: string) =>
    (await jsonHere<{ retentionDays: number }>(server, 'tenant', 'show', '--tenant', tenantId)).retentionDays;

  /** Two reports of 20 days ago, one of 5 days ago and one of now, in the demo tenant. */
  async function addReports(): Promise<string> {
    const { tenantId } = server.demo;
    await server.query(`update credit_reports set purged_at = now() where tenant_id = $1 and purged_at is null`, [
      tenantId,
    ]);
    for (const days of [20, 20, 5, 0]) {
      const { data } = await server.trefoil.generate(generateBody());
      await server.query(
        `update credit_reports set created_at = created_at - $2 * interval '1 day',
                settled_at = settled_at - $2 * interval '1 day' where id = $1`,
        [data.creditReportId, days],
      );
    }
    return tenantId;
  }
  const shorten = (tenantId: string, days: number) => [
    'tenant',
    'retention',
    '--tenant',
    tenantId,
    '--days',
    `${days}`,
  ];

  test('tenant retention shows what would be erased and asks; anything but yes changes nothing', async () => {
    const tenantId = await addReports();
    const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    for (const answer of ['', 'n', 'no', 'yesterday']) {
      const { code, stdout, stderr, questions } = await runAnswering(server, { answer }, ...shorten(tenantId, 10));
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: 'Nothing was changed.' });
      expect(questions).toHaveLength(1);
      expect(questions[0]).toContain(`2 reports, settled from ${day} to ${day}`);
      expect(questions[0]).toMatch(/cannot be undone/);
      expect(await retentionOf(tenantId)).toBe(30);
    }
    const { code, questions } = await runAnswering(server, { answer: 'Yes' }, ...shorten(tenantId, 4));
    expect({ code, days: await retentionOf(tenantId) }).toEqual({ code: 0, days: 4 });
    expect(questions[0]).toContain('3 reports');
    await sayHere(server, ...shorten(tenantId, 30));
  });

  test('exit 1: without a terminal it is refused with the preview in one line, unless --yes is given', async () => {
    const tenantId = await addReports();
    const refused = await runProcess(shorten(tenantId, 10), server.environment);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/2 reports.*there is no terminal to ask at.*--yes.*Nothing was changed\.\n$/);
    expect(refused.stderr.trimEnd()).not.toContain('\n');
    expect(await retentionOf(tenantId)).toBe(30);
    const done = await runProcess([...shorten(tenantId, 10), '--yes'], server.environment);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(await retentionOf(tenantId)).toBe(10);
    await sayHere(server, ...shorten(tenantId, 30));
  });

  test('what erases nothing is not asked about: more days, as many, or fewer where no report is that old', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    for (const days of [60, 60, 5]) await sayHere(server, ...shorten(tenantId, days));
    expect(await retentionOf(tenantId)).toBe(5);
  });

  test('at a terminal the process asks on standard error and takes the answer', async () => {
    const tenantId = await addReports();
    const command = [process.execPath, MAIN, ...shorten(tenantId, 10)].map((word) => `'${word}'`).join(' ');
    // script(1) gives the process a terminal.
    const answered = (answer: string) =>
      new Promise<string>((resolve) => {
        const env = { ...server.environment, ...COMPILE_CACHE, PATH: '/usr/bin:/bin' };
        const child = execFile('script', ['-qec', command, '/dev/null'], { env }, (_error, stdout) => resolve(stdout));
        let seen = '';
        child.stdout?.on('data', (text) => {
          const wasAsked = seen.includes('[y/N]');
          seen += String(text);
          if (!wasAsked && seen.includes('[y/N]')) child.stdin?.write(answer);
        });
      });
    expect(await answered('n\n')).toContain('Nothing was changed.');
    // Ctrl-D: the input ends without an answer.
    expect(await answered('\u0004')).toContain('Nothing was changed.');
    expect(await retentionOf(tenantId)).toBe(30);
    expect(await answered('y\n')).toContain('are kept for 10 days');
    expect(await retentionOf(tenantId)).toBe(10);
    await sayHere(server, ...shorten(tenantId, 30));
  });

  test('member remove asks where something ends with the member, and names it', async () => {
    const { tenantId } = await addTenantWithOwner(server);
    const person = await addPerson(server, tenantId, 'developer');
    const remove = ['member', 'remove', '--tenant', tenantId, '--user', person.userId];
    const order = ['--tenant', tenantId, '--owner', person.userId, '--name', 'Portal'];
    const { clientId } = await jsonHere<{ clientId: string }>(server, 'credential', 'create', ...order);
    const refused = await runHere(server, ...remove);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(clientId);
    expect(refused.stderr).toContain('--yes');
    expect(await sayHere(server, ...remove, '--yes')).toContain('no longer a member');
    const bare = await addPerson(server, tenantId, 'analyst');
    expect(await sayHere(server, 'member', 'remove', '--tenant', tenantId, '--user', bare.userId)).toContain(
      'no longer',
    );
  });

  test('user remove-factors and credential rotate without a grace time ask; a rotation with one does not', async () => {
    const { tenantId, owner } = await addTenantWithOwner(server);
    const order = ['--tenant', tenantId, '--owner', owner.userId, '--name', 'Portal'];
    const { clientId } = await jsonHere<{ clientId: string }>(server, 'credential', 'create', ...order);
    const rotate = (hours: string) => ['credential', 'rotate', '--credential', clientId, '--grace-hours', hours];
    const factors = ['user', 'remove-factors', '--user', owner.userId];
    for (const words of [rotate('0'), factors]) {
      expect(await runHere(server, ...words)).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    }
    expect(await sayHere(server, ...rotate('1'))).toContain('has a new secret');
    expect(await sayHere(server, ...rotate('0'), '--yes')).toContain('no longer work');
    expect(await sayHere(server, ...factors, '--yes')).toContain('has no second factor');
  });
});

test('there is one list of members; the other name says where it is', async () => {
  expect(await runHere(server, 'membership', 'list', '--tenant', server.demo.tenantId)).toEqual({
    code: 2,
    stdout: '',
    stderr: "The command 'membership list' is now 'member list'.",
  });
});

describe('keys new', () => {
  const valuesOf = (lines: string) =>
    Object.fromEntries([...lines.matchAll(/^(TREFOIL_\w+)='([^']+)'$/gm)].map(([, name, value]) => [name, value]));

  test('makes keys that the start accepts, other ones each time, without any configuration', async () => {
    const [first, second] = [await runProcess(['keys', 'new'], {}), await runProcess(['keys', 'new'], {})];
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const [keys, others] = [valuesOf(first.stdout), valuesOf(second.stdout)];
    const names = ['TREFOIL_VAULT_KEYS', 'TREFOIL_HASH_KEY', 'TREFOIL_SIGNING_KEYS', 'TREFOIL_EVIDENCE_KEYS'];
    expect(Object.keys(keys)).toEqual(names);
    for (const name of names) expect(keys[name]).not.toBe(others[name]);
    const config = loadConfig({ ...server.environment, ...keys });
    // Each begins with the day, which is how doctor knows its age.
    const { vaultKeys, hashKeys, signingKeys, evidenceKeys } = config;
    const dates = [vaultKeys[0].id, hashKeys[0].id, signingKeys[0].kid, evidenceKeys[0]?.validFrom];
    const today = new Date().toISOString().slice(0, 7);
    for (const date of dates) expect(date).toMatch(new RegExp(`^${today}-\\d\\d`));
  });

  test('one of them alone is its bare value, for a file; the keys of rings take an id', async () => {
    const vault = await runProcess(['keys', 'new', '--only', 'vault', '--id', 'next'], {});
    expect(vault.stdout).toMatch(/^next:[A-Za-z0-9+/]{43}=\n$/);
    const hash = await runProcess(['keys', 'new', '--only', 'hash', '--id', 'next'], {});
    expect(hash.stdout).toMatch(/^next:[A-Za-z0-9+/]{43}=\n$/);
    const signing = await runProcess(['keys', 'new', '--only', 'signing'], {});
    expect(loadConfig({ ...server.environment, TREFOIL_SIGNING_KEYS: signing.stdout.trim() }).signingKeys).toHaveLength(
      1,
    );
    const json = await runProcess(['keys', 'new', '--json'], {});
    const config = loadConfig({ ...server.environment, ...JSON.parse(json.stdout) });
    expect([config.hashKeys[0].key.length, config.evidenceKeys.length]).toEqual([32, 1]);
    expect(await runProcess(['keys', 'new', '--id', 'a:b'], {})).toMatchObject({ code: 2, stdout: '' });
    expect(await runProcess(['keys', 'new', '--only', 'signing', '--id', 'x'], {})).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});
