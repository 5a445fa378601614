// The doctor's checks of a whole PostgreSQL server, on a server of this test's own: replication, archive, superusers.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseEnvironment, ensureDatabase } from '../../../tools/dev/local-database.ts';
import { createSecrets } from '../../../tools/dev/local-secrets.ts';
import { eventually } from '../../../tools/testing/eventually.ts';
import { isMissing } from '../../../tools/testing/is-missing.ts';
import { loadConfig, loadLocalServers } from '../../src/config.ts';
import { examineInstallation } from '../../src/doctor/examine-installation.ts';
import { judgeArchiver } from '../../src/doctor/rules/database.ts';
import { readArchiver } from '../../src/doctor/store.ts';
import { migrate } from '../../src/lib/postgres/migrate.ts';
import { openReadOnly } from '../../src/lib/postgres/read-only.ts';
import { checkOf, expectCheck } from '../support/doctor.ts';
import { canOwnPostgres, type OwnPostgres, startOwnPostgres, TO_OWN_POSTGRES } from '../support/own-postgres.ts';

describe.skipIf(isMissing(TO_OWN_POSTGRES, canOwnPostgres))('a PostgreSQL server', () => {
  let own: OwnPostgres;
  let admin: Client;
  let environment: Record<string, string>;
  beforeAll(async () => {
    own = await startOwnPostgres();
    await ensureDatabase(own.adminUrl, 'trefoil');
    environment = {
      ...createSecrets(),
      ...databaseEnvironment(own.adminUrl, 'trefoil'),
      TREFOIL_REDIS_URL: loadLocalServers().redisUrl,
      // Not this machine, so that nothing is forgiven; the name resolves nowhere.
      TREFOIL_BASE_URL: 'https://trefoil.invalid',
    };
    await migrate(environment['TREFOIL_OWNER_DATABASE_URL'] ?? '');
    admin = new Client({ connectionString: environment['TREFOIL_OWNER_DATABASE_URL'] ?? '' });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await own.close();
  });

  const examine = (isOwner = false) => {
    const { TREFOIL_OWNER_DATABASE_URL: owner, ...rest } = environment;
    return examineInstallation(loadConfig(isOwner && owner ? environment : rest));
  };
  const configure = async (...settings: string[]) => {
    for (const setting of [...settings, 'select pg_reload_conf()']) await admin.query(setting);
  };
  const statusOf = async (name: string, isOwner = false) => checkOf(await examine(isOwner), name).status;

  test('replication: none, one that is asked for and absent, one that confirms, one that is not waited for', async () => {
    await expectCheck(examine(), 'replication', 'fail', 'No standby is synchronous');
    await configure(`alter system set synchronous_standby_names = 'doctor'`);
    await eventually(async () => expect(checkOf(await examine(), 'replication').reason).toContain('none is connected'));
    await own.startStandby('doctor');
    await eventually(async () => expect(await statusOf('replication', true)).toBe('ok'));
    // Without the owner's address it says what it could not see, and with a right to look it sees it.
    await expectCheck(examine(), 'replication', 'skip', 'may not see');
    await admin.query('grant pg_read_all_stats to trefoil_system');
    await expectCheck(examine(), 'replication', 'ok', '1 standby confirms');
    await configure(`alter system set synchronous_standby_names = 'typo'`);
    await eventually(() => expectCheck(examine(), 'replication', 'fail', 'No connected standby is synchronous'));
    await configure(`alter system set synchronous_standby_names = 'doctor'`);
    await eventually(() => expectCheck(examine(), 'replication', 'ok', '1 standby confirms'));
    expect(await statusOf('roles')).toBe('ok');
    await admin.query('alter role trefoil_app set synchronous_commit = off');
    await expectCheck(examine(true), 'replication', 'fail', 'synchronous_commit is off');
    await admin.query('alter role trefoil_app reset synchronous_commit');
    await configure(`alter system set synchronous_standby_names = 'ANY 2 (doctor, other)'`);
    await eventually(async () =>
      expect(checkOf(await examine(true), 'replication').reason).toContain('wait for 2 standbys'),
    );
    await configure(`alter system set synchronous_standby_names = 'doctor'`);
  });

  test('an owner’s address that does not work is told by its code, and the service’s role looks', async () => {
    const { TREFOIL_OWNER_DATABASE_URL: owner = '' } = environment;
    const changes = { ...environment, TREFOIL_OWNER_DATABASE_URL: owner.replace('postgres@', 'hush@') };
    const examination = await examineInstallation(loadConfig(changes));
    expect(checkOf(examination, 'replication').reason).toContain('TREFOIL_OWNER_DATABASE_URL does not work (28000)');
    expect(JSON.stringify(examination)).not.toContain('hush');
  });

  test('a role with a connection limit of its own', async () => {
    await admin.query('alter role trefoil_app connection limit 30');
    await expectCheck(examine(), 'connections', 'fail', '40 of them as trefoil_app, whose own connection limit is 30');
    await admin.query('alter role trefoil_app connection limit -1');
    expect(await statusOf('connections')).not.toBe('fail');
  });

  test('archive: works, fails, works again', async () => {
    const write = 'create table if not exists noise (n int); drop table noise; select pg_switch_wal()';
    await admin.query(write);
    await eventually(async () => expect(await statusOf('archive')).toBe('ok'));
    await own.setArchiving(false);
    await admin.query(write);
    await eventually(async () => expect(checkOf(await examine(), 'archive').reason).toContain('Archiving fails'));
    expect(await statusOf('archive')).toBe('fail');
    for (let count = 0; count < 3; count += 1) await admin.query(write);
    const database = openReadOnly(loadConfig(environment).database, 4_000);
    const facts = await database.asSystem(readArchiver);
    await database.close();
    // As if it hung instead: no failure, and the last success long ago.
    const hanging = judgeArchiver('on', { ...facts, failedSecondsAgo: null, archivedSecondsAgo: 600 });
    expect(hanging).toMatchObject({ status: 'fail', reason: expect.stringMatching(/^[3-9] WAL files waiting/) });
    await own.setArchiving(true);
    await eventually(async () => expect(await statusOf('archive')).toBe('ok'), { limitMs: 90_000 });
  }, 120_000);

  test.each([
    ['alter role trefoil_app superuser', 'alter role trefoil_app nosuperuser', 'trefoil_app is a superuser'],
    ['alter role trefoil_system bypassrls', 'alter role trefoil_system nobypassrls', 'trefoil_system bypasses'],
    [
      'grant create on schema public to trefoil_app',
      'revoke create on schema public from trefoil_app',
      'may create tables',
    ],
    ['alter table wallets owner to trefoil_system', 'alter table wallets owner to postgres', 'owns 1 table'],
  ])('%s: the roles are not fit', async (breaking, mending, told) => {
    expect(await statusOf('roles')).toBe('ok');
    await admin.query(breaking);
    await expectCheck(examine(), 'roles', 'fail', told);
    await admin.query(mending);
  });

  test('a base address whose name resolves nowhere fails, and so does its certificate', async () => {
    const examination = await expectCheck(examine(), 'base-address', 'fail', 'has a name');
    expect(checkOf(examination, 'certificate').status).toBe('fail');
  });
});
