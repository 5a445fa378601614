// Accepting an invitation signs the new person in: in the browser in which they chose their password, once, and only as
// far as that password would have brought them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { startServer, type TestServer } from '../harness.ts';
import { ACCESS, Browser } from '../support/browser.ts';
import { linkOf, type Mailbox, startMailbox } from '../support/mailbox.ts';
import { addTenantWithOwner, auditOf, callAs, letPasswordsIn } from '../support/people.ts';
import type { Reply } from '../support/wire.ts';

let server: TestServer;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startServer({ environment: mailbox.environment });
});
afterAll(async () => {
  await server.close();
  await mailbox.stop();
});

const FIELDS = { firstName: 'Nina', lastName: 'New', password: 'five words and a bit' };

/** Accepts an invitation in a browser of its own and stops before the browser goes where it is sent. */
async function accept(): Promise<{ browser: Browser; reply: Reply; tenantId: string; email: string }> {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const email = `nina-${newId()}@example.com`;
  await callAs(server, owner, 'POST', `/${tenantId}/v1/invitations`, { email, role: 'developer' });
  const path = new URL(linkOf(await mailbox.wait(email))).pathname;
  const browser = new Browser(server);
  await browser.get(path);
  return { browser, reply: await browser.post(path, FIELDS), tenantId, email };
}

test('303: whoever accepts with a new account is signed in and welcomed, by the password they chose', async () => {
  const { browser, reply, tenantId } = await accept();
  await letPasswordsIn(server, tenantId);
  const arrived = await browser.follow(reply);
  expect(arrived.path).toBe(`/v1/auth/account?joined=${tenantId}`);
  expect(arrived.reply.text).toContain('Welcome to Test Claims');
  expect(browser.cookie(ACCESS)).toBeDefined();
  const rows = (await auditOf(server, tenantId)).filter(({ action }) => action === 'person.signed-in');
  expect(rows.map(({ details }) => details)).toEqual([{ clientId: 'trefoil-web', methods: ['pwd'] }]);
  // Nothing is left with which this browser could be signed in again.
  expect([...browser.cookies.keys()].filter((name) => name.includes('invited'))).toEqual([]);
});

test('303: where the company requires a second factor, they come to where they set one up', async () => {
  const { browser, reply } = await accept();
  expect((await browser.follow(reply)).path).toBe('/v1/auth/security');
});

const asksForPassword = ({ text }: Reply) => text.includes('<h1>Sign in</h1>');

test('another sign-in of the same browser asks for the password', async () => {
  const { browser } = await accept();
  expect(asksForPassword((await browser.open('/v1/auth/login')).reply)).toBe(true);
});

test('the same address in another browser asks for the password', async () => {
  const { reply } = await accept();
  expect(asksForPassword((await new Browser(server).follow(reply)).reply)).toBe(true);
});

test('a person who was disabled, or whose password was changed meanwhile, is not signed in', async () => {
  for (const change of [
    'update users set is_enabled = false where email = $1',
    `update user_passwords set changed_at = clock_timestamp() + interval '3 s'
      where user_id = (select id from users where email = $1)`,
  ]) {
    const { browser, reply, email } = await accept();
    await server.query(change, [email]);
    await browser.follow(reply);
    expect(browser.cookie(ACCESS)).toBeUndefined();
  }
});

test('a second factor that was set up meanwhile is asked for', async () => {
  const { browser, reply, email } = await accept();
  await server.query(
    `insert into user_totps (user_id, sealed_secret, confirmed_at) select id, '\\x00', now() from users where email = $1`,
    [email],
  );
  const { reply: shown } = await browser.follow(reply);
  expect(shown.text).toContain('<h1>Second step</h1>');
  expect(browser.cookie(ACCESS)).toBeUndefined();
});
