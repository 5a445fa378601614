// The operator's commands for members: invite with and without a mail server, show, change, remove; all in the audit log.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson } from '../../src/identity/factors/create-person.ts';
import { newId } from '../../src/lib/ids.ts';
import { createLinkTokens } from '../../src/mail/link-tokens.ts';
import { acceptInvitation } from '../../src/tenants/accept-invitation.ts';
import { startServer, type TestServer } from '../harness.ts';
import { jsonHere, runHere, sayHere } from '../support/command-line.ts';
import { addPerson, addTenantWithOwner, auditOf } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('user invite prints the link where no mail server is configured, and the link makes the first owner', async () => {
  const tenantId = (await jsonHere<{ tenantId: string }>(server, 'tenant', 'create', '--name', 'New Claims')).tenantId;
  const email = `first-${newId()}@example.com`;
  const said = await sayHere(server, 'user', 'invite', '--tenant', tenantId, '--email', email, '--role', 'owner');
  const [link = ''] = /http\S+/.exec(said) ?? [];
  expect(link).toContain(`${server.baseUrl}/v1/auth/invitations/`);
  const linkTokens = createLinkTokens(server.config.hashKeys);
  const joined = await acceptInvitation(
    { database: server.database, linkTokens, createPerson },
    link.split('/').at(-1) ?? '',
    { kind: 'new', firstName: 'Fay', lastName: 'First', passwordHash: '$argon2id$for-tests' },
  );
  expect(joined.kind).toBe('joined');
  expect(await sayHere(server, 'member', 'list', '--tenant', tenantId)).toMatch(
    new RegExp(`^USER +E-MAIL +ROLE +2ND FACTOR +STATE +SINCE\n\\S+ +${email} +owner +no +enabled +\\d{4}-`),
  );
  const actors = (await auditOf(server, tenantId)).map(({ actor, action }) => `${action} ${actor}`);
  expect(actors[0]).toBe('member.invited operator');
});

test('with a mail server no link is printed', async () => {
  const { tenantId } = await addTenantWithOwner(server);
  const mail = { url: 'smtp://127.0.0.1:1', from: { name: 'Trefoil', address: 'no-reply@example.com' } };
  const configured = { ...server, config: { ...server.config, mail } };
  const email = `mailed-${newId()}@example.com`;
  const said = await sayHere(configured, 'user', 'invite', '--tenant', tenantId, '--email', email, '--role', 'admin');
  expect(said).toContain('on its way');
  expect(said).not.toContain('http');
  expect(await server.query('select kind from mails where recipient = $1', [email])).toEqual([{ kind: 'invitation' }]);
});

test('stopping and starting a person or a tenant, and a link to a new password, stand in the audit log', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const who = ['--user', owner.userId];
  for (const words of [
    ['user', 'disable', ...who],
    ['user', 'enable', ...who],
    ['user', 'reset-link', ...who],
    ['tenant', 'disable', '--tenant', tenantId],
    ['tenant', 'enable', '--tenant', tenantId],
  ]) {
    await sayHere(server, ...words);
  }
  const told = await auditOf(server, tenantId);
  expect(told.map(({ actor, action, subject, details }) => [actor, action, subject, details])).toEqual([
    ['operator', 'person.disabled', owner.userId, {}],
    ['operator', 'person.enabled', owner.userId, {}],
    ['operator', 'password.reset-link-made', owner.userId, {}],
    ['operator', 'tenant.changed', tenantId, { isEnabled: false }],
    ['operator', 'tenant.changed', tenantId, { isEnabled: true }],
  ]);
});

test('credential list says that the owner has gone', async () => {
  const { tenantId } = await addTenantWithOwner(server);
  const { userId } = await addPerson(server, tenantId, 'developer');
  const order = ['--tenant', tenantId, '--owner', userId, '--name', 'x'];
  const { clientId } = await jsonHere<{ clientId: string }>(server, 'credential', 'create', ...order);
  await sayHere(server, 'member', 'remove', '--tenant', tenantId, '--user', userId, '--yes');
  expect(await sayHere(server, 'credential', 'enable', '--credential', clientId)).toContain('owner disabled or gone');
  expect(await sayHere(server, 'credential', 'list', '--tenant', tenantId)).toContain('  owner disabled or gone  ');
});

test('member role and remove work, name the credentials that stop, and stand in the audit log', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const person = await addPerson(server, tenantId, 'developer');
  const who = ['--tenant', tenantId, '--user', person.userId];
  const { clientId } = await jsonHere<{ clientId: string }>(
    server,
    ...[
      'credential',
      'create',
      '--tenant',
      tenantId,
      '--name',
      'x',
      '--owner',
      person.userId,
      '--scopes',
      'reports:read',
    ],
  );
  expect(await sayHere(server, 'member', 'role', ...who, '--role', 'analyst')).toContain('is analyst of');
  expect(await sayHere(server, 'member', 'remove', ...who, '--yes')).toContain(`stopped with them: ${clientId}`);
  const last = ['--tenant', tenantId, '--user', owner.userId];
  for (const words of [
    ['member', 'remove', ...last],
    ['member', 'role', ...last, '--role', 'admin'],
    ['membership', 'create', ...last, '--role', 'admin'],
  ]) {
    const { code, stderr } = await runHere(server, ...words);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('last owner') });
  }
  expect((await runHere(server, 'member', 'remove', ...who)).stderr).toContain('No member with this id');
  expect(await sayHere(server, 'membership', 'create', ...who, '--role', 'finance')).toContain('is finance of');
  const told = (await auditOf(server, tenantId)).filter(({ actor }) => actor === 'operator');
  expect(told.map(({ action }) => action).filter((action) => action.startsWith('member.'))).toEqual([
    'member.changed',
    'member.removed',
    'member.joined',
  ]);
});
