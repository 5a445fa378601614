import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { hasPostgresPrograms } from '../dev/postgres-programs.ts';
import { eventually } from '../testing/eventually.ts';
import { isMissing } from '../testing/is-missing.ts';
import { giveServers, listServers, type Servers, takeServers } from './servers.ts';

const ONE: Servers = { adminUrl: 'postgres://one', redisUrl: 'redis://one' };
const TWO: Servers = { adminUrl: 'postgres://two', redisUrl: 'redis://two' };

test('each worker takes servers of its own, and a repeat the first', () => {
  const taken = [1, 2, 3].map((worker) => {
    const environment: NodeJS.ProcessEnv = {};
    giveServers([ONE, TWO], environment);
    takeServers(worker, environment);
    return environment['TREFOIL_ADMIN_DATABASE_URL'];
  });
  expect(taken).toEqual([ONE.adminUrl, TWO.adminUrl, ONE.adminUrl]);
});

test('without a list, tests use the servers that the environment names', () => {
  const environment = { TREFOIL_ADMIN_DATABASE_URL: ONE.adminUrl, TREFOIL_REDIS_URL: ONE.redisUrl };
  takeServers(2, environment);
  expect(listServers(environment)).toEqual([ONE]);
  expect(environment.TREFOIL_ADMIN_DATABASE_URL).toBe(ONE.adminUrl);
});

const PARENT = `
  const { openOwnServices } = await import(${JSON.stringify(new URL('own-services.ts', import.meta.url).href)});
  console.log(JSON.stringify((await openOwnServices(1)).servers[0]));
`;

async function canConnect(adminUrl: string): Promise<boolean> {
  const client = new Client({ connectionString: adminUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    await client.end();
    return true;
  } catch {
    return false;
  }
}

test.skipIf(isMissing('the programs of PostgreSQL', hasPostgresPrograms))(
  'servers end with the process that opened them, killed as it may be',
  async () => {
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', PARENT], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const { adminUrl } = JSON.parse(line) as Servers;
    expect(await canConnect(adminUrl)).toBe(true);
    parent.kill('SIGKILL');
    await eventually(async () => expect(await canConnect(adminUrl)).toBe(false));
  },
);
