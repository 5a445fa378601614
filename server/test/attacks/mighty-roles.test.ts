// Database roles that row-level security does not bind: the start refuses them, and a process whose start could not look is not ready
// with them and runs no job (docs/decisions/0266-roles-that-nothing-binds.md).
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/dev/free-port.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { startServer, type TestServer } from '../harness.ts';

const name = `mighty_test_${randomBytes(4).toString('hex')}`;
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  await server.query(`do $$ begin
    if to_regrole('${name}') is not null then drop owned by ${name}; drop role ${name}; end if;
  end $$`);
});
afterAll(() => server.close());

const SETTINGS = { TREFOIL_DATABASE_URL: 'trefoil_app', TREFOIL_SYSTEM_DATABASE_URL: 'trefoil_system' };
type Setting = keyof typeof SETTINGS;
/** The same address with the role of this test. */
const asRole = (setting: Setting) => server.environment[setting]?.replace(SETTINGS[setting], name) ?? '';

async function openNode(changes: Record<string, string>) {
  const port = await freePort();
  const lines: string[] = [];
  const config = loadConfig({ ...server.environment, TREFOIL_JOBS: 'off', ...changes, TREFOIL_PORT: String(port) });
  const node = await createApp(config, { patience: 5, logDestination: { write: (line) => lines.push(line) } });
  const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  return { node, readiness, log: () => lines.join('') };
}

const CREATED: [what: string, sql: () => string, told: string][] = [
  ['a superuser', () => `create role ${name} login superuser`, 'a superuser'],
  ['a role with BYPASSRLS', () => `create role ${name} login bypassrls`, 'a role with BYPASSRLS'],
  [
    'an owner',
    () => `create role ${name} login; create table of_its_own (); alter table of_its_own owner to ${name}`,
    'an owner of tables',
  ],
  [
    'a member of the owner',
    () =>
      `create role ${name} login in role "${new URL(server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '').username}"`,
    'an owner of tables',
  ],
];
const CASES = CREATED.flatMap(([what, sql, told]) =>
  (Object.keys(SETTINGS) as Setting[]).map((setting) => [what, setting, sql, told] as const),
);

test.each(CASES)(
  '%s as %s: neither a node nor a worker starts, and the role is not named',
  async (_, setting, sql, told) => {
    await server.query(sql());
    const { node } = await openNode({ [setting]: asRole(setting) });
    try {
      for (const start of [node.listen, node.work]) {
        const error = await start().catch((caught: Error) => caught);
        expect(String(error)).toContain(`${setting} logs in as ${told}`);
        expect(String(error)).toContain(`log in as ${SETTINGS[setting]}`);
        expect(String(error)).not.toContain(name);
      }
    } finally {
      await node.close();
    }
  },
);

test('503: a node that starts without its database looks at the roles before it is ready, and again after an outage', async () => {
  // The role does not exist yet, so the start cannot ask.
  const { node, readiness, log } = await openNode({ TREFOIL_DATABASE_URL: asRole('TREFOIL_DATABASE_URL') });
  const told = () => log().match(/row-level security does not bind a database role/g)?.length ?? 0;
  try {
    await node.listen();
    expect(await readiness()).toBe(503);
    await server.query(`create role ${name} login superuser in role trefoil_app`);
    await eventually(async () => expect([await readiness(), told()]).toEqual([503, 1]));
    expect([await readiness(), told()]).toEqual([503, 1]);
    expect(log()).toContain('"setting":"TREFOIL_DATABASE_URL"');
    await server.query(`alter role ${name} nosuperuser`);
    await eventually(async () => expect(await readiness()).toBe(200));
    await server.query(`alter role ${name} superuser`);
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [name]);
    await eventually(async () => expect([await readiness(), told()]).toEqual([503, 2]));
    await server.query(`alter role ${name} nosuperuser`);
    await eventually(async () => expect(await readiness()).toBe(200));
  } finally {
    await node.close();
  }
});

test('a worker that starts without its database runs no job before it has looked at the roles, nor after an outage', async () => {
  const { node, log } = await openNode({ TREFOIL_SYSTEM_DATABASE_URL: asRole('TREFOIL_SYSTEM_DATABASE_URL') });
  const told = () => log().match(/row-level security does not bind a database role/g)?.length ?? 0;
  try {
    const { metricsAddress } = await node.work();
    const runs = async (outcome: 'done' | 'failed') => {
      const metrics = await (await fetch(metricsAddress)).text();
      return Number(
        metrics.match(
          new RegExp(`^trefoil_job_runs_total\\{name="hand-out-events",outcome="${outcome}"\\} (\\d+)`, 'm'),
        )?.[1],
      );
    };
    const failAgain = async () => {
      const before = await runs('failed');
      await eventually(async () => expect(await runs('failed')).toBeGreaterThan(before));
    };
    await server.query(`create role ${name} login superuser in role trefoil_system`);
    await eventually(() => expect(told()).toBe(1));
    await failAgain();
    expect(await runs('done')).toBe(0);
    await server.query(`alter role ${name} nosuperuser`);
    await eventually(async () => expect(await runs('done')).toBeGreaterThan(0));
    await server.query(`alter role ${name} superuser`);
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [name]);
    await eventually(() => expect(told()).toBe(2));
    const done = await runs('done');
    await failAgain();
    expect(await runs('done')).toBe(done);
  } finally {
    await node.close();
  }
});
