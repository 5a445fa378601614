// Two spellings of one e-mail address, composed and decomposed or in capitals, must be one account and one invitation: who
// holds the other spelling would otherwise stand beside its owner (docs/decisions/0154-addresses.md).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPassword } from '../../src/identity/factors/change-password.ts';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { signIn } from '../support/browser.ts';
import { runHere } from '../support/command-line.ts';
import { addTenantWithOwner, callAs } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** One name in the spellings that keyboards and systems give it. */
function spellings() {
  const tail = `${newId()}@example.com`;
  const [composed, decomposed] = [`zo\u00eb-${tail}`, `zoe\u0308-${tail}`];
  return { composed, decomposed, capitals: decomposed.toUpperCase() };
}

const create = (email: string) =>
  runHere(server, 'user', 'create', '--email', email, '--first-name', 'Zoë', '--last-name', 'Example');

test('of two spellings one account is made, whichever comes first', async () => {
  for (const order of [
    (of: ReturnType<typeof spellings>) => [of.composed, of.decomposed, of.capitals],
    (of: ReturnType<typeof spellings>) => [of.capitals, of.decomposed, of.composed],
  ]) {
    const codes: number[] = [];
    for (const email of order(spellings())) codes.push((await create(email)).code);
    expect(codes).toEqual([0, 1, 1]);
  }
});

test('the person signs in with either, and an invitation knows the member in either', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const { composed, decomposed, capitals } = spellings();
  expect((await create(decomposed)).code).toBe(0);
  const [user] = await server.query<{ id: string; email: string }>('select id, email from users where email = $1', [
    composed,
  ]);
  const userId = user?.id ?? '';
  await server.query(`insert into memberships (tenant_id, user_id, role) values ($1, $2, 'analyst')`, [
    tenantId,
    userId,
  ]);
  const password = `pass-${newId()}`;
  await server.database.asSystem((tx) => setPassword(tx, userId, password));
  for (const email of [composed, decomposed, capitals]) {
    await signIn(server, { email, password });
    const invited = await callAs(server, owner, 'POST', `/${tenantId}/v1/invitations`, { email, role: 'analyst' });
    expect([email, invited.code]).toEqual([email, 'conflict']);
  }
});

test('of two spellings one invitation is open: the second replaces the first', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const { composed, decomposed } = spellings();
  for (const email of [composed, decomposed]) {
    const { data } = await callAs(server, owner, 'POST', `/${tenantId}/v1/invitations`, { email, role: 'analyst' });
    expect(data).toMatchObject({ email: composed });
  }
  const { data } = await callAs(server, owner, 'GET', `/${tenantId}/v1/invitations`);
  expect(data['items']).toHaveLength(1);
});
