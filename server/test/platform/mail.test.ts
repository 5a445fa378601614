// Mail through a real SMTP server: sent once where all goes well, again where it may not have arrived, never for ever,
// and nothing of it in logs or metrics.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { newId } from '../../src/lib/ids.ts';
import { forgetNow } from '../../src/lib/postgres/retention.ts';
import { type MailKind, queueMail } from '../../src/mail/queue-mail.ts';
import { MAILS } from '../../src/mail/store.ts';
import { startServer, type TestServer } from '../harness.ts';
import { readMetrics } from '../support/dump.ts';
import { linkOf, type Mailbox, startMailbox } from '../support/mailbox.ts';
import { addTenantWithOwner, callAs } from '../support/people.ts';

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

const newAddress = () => `mail-${newId()}@example.com`;
const queue = (recipient: string, kind: MailKind = 'password-changed', subjectId = newId()) =>
  server.database.asSystem((tx) => queueMail(tx, { kind, subjectId, recipient }));

type Row = { attempts: number; state: string; wait: number };

async function rowOf(recipient: string): Promise<Row | undefined> {
  const [row] = await server.query<Row>(
    `select attempts, extract(epoch from next_try_at - now())::int as wait,
            case when sent_at is not null then 'sent' when given_up_at is not null then 'given-up' else 'waiting' end as state
       from mails where recipient = $1`,
    [recipient],
  );
  return row;
}

/** Once the attempt under way has been settled: the lease of an attempt is two minutes, a retry's wait is not. */
const settled = (recipient: string, attempts: number, waitSeconds: number) =>
  eventually(async () =>
    expect(await rowOf(recipient)).toMatchObject({ attempts, state: 'waiting', wait: expect.closeTo(waitSeconds, -1) }),
  );
const ended = (recipient: string, state: string, attempts = 1) =>
  eventually(async () => expect(await rowOf(recipient)).toMatchObject({ state, attempts }));
const makeDue = (recipient: string) =>
  server.query('update mails set next_try_at = now() where recipient = $1', [recipient]);

test('a mail arrives within two seconds, as plain text and as HTML, from the configured sender', async () => {
  const to = newAddress();
  const startedAt = Date.now();
  await queue(to);
  const mail = await mailbox.wait(to);
  expect(Date.now() - startedAt).toBeLessThan(2_500);
  expect(mail.subject).toBe('Your Trefoil password was changed');
  expect(mail.headers).toMatchObject({ from: 'Trefoil <no-reply@example.com>', 'auto-submitted': 'auto-generated' });
  expect(mail.text).toContain('all other sign-ins were ended');
  expect(mail.html).toContain('<html lang="en">');
  await ended(to, 'sent');
});

test('a reset carries a link with no address in it; one that waited past its 30 minutes is not sent', async () => {
  const [to, late, subjectId] = [newAddress(), newAddress(), newId()];
  await server.query(
    `insert into mails (id, kind, subject_id, recipient, created_at)
     values (gen_random_uuid(), 'password-reset', $1, $2, now() - interval '31 min')`,
    [newId(), late],
  );
  await queue(to, 'password-reset', subjectId);
  const link = new URL(linkOf(await mailbox.wait(to)));
  expect(link.pathname).toMatch(new RegExp(`^/v1/auth/reset-password/${subjectId}\\.[\\w-]{43}$`));
  await eventually(async () => expect(await rowOf(late)).toBeUndefined());
  expect(await mailbox.attempts(late)).toBe(0);
});

test('an invitation is a mail to read: HTML that stands alone beside a text part, and both lead to the page', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const to = newAddress();
  await callAs(server, owner, 'POST', `/${tenantId}/v1/invitations`, { email: to, role: 'analyst' });
  const mail = await mailbox.wait(to);
  expect(mail.headers['content-type']).toMatch(/^multipart\/alternative/);
  const hrefs = [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(new Set(hrefs)).toEqual(new Set([linkOf(mail)]));
  expect(mail.html).toContain('>Accept the invitation</a>');
  expect(mail.html).toContain('name="viewport"');
  expect(mail.html).toContain('prefers-color-scheme: dark');
  // Nothing is fetched: no picture that tells when it was read, no style from elsewhere.
  expect(mail.html).not.toMatch(/<(img|link|script|iframe)|url\(|@import/i);
  for (const words of ['Test Claims', 'an analyst', 'If you did not expect this']) {
    expect([words, mail.text.includes(words), mail.html.includes(words)]).toEqual([words, true, true]);
  }
  const page = await fetch(linkOf(mail), { headers: { accept: 'text/html' } });
  expect([page.status, (await page.text()).includes('Join Test Claims')]).toEqual([200, true]);
});

test('a refused recipient is tried once and given up', async () => {
  const to = newAddress();
  await mailbox.behave({ match: { to }, behaviour: 'refuse=550' });
  await queue(to);
  await ended(to, 'given-up');
  expect(await mailbox.attempts(to)).toBe(1);
});

test('a mail that is called spam is tried once and given up', async () => {
  const to = newAddress();
  await mailbox.behave({ match: { to }, behaviour: 'spam' });
  await queue(to);
  await ended(to, 'given-up');
});

for (const behaviour of ['greylist', 'drop'] as const) {
  test(`${behaviour}: put off, tried again later and then delivered once`, async () => {
    const to = newAddress();
    await mailbox.behave({ match: { to }, behaviour, times: 2 });
    await queue(to);
    await settled(to, 1, 60);
    await makeDue(to);
    await settled(to, 2, 300);
    await makeDue(to);
    await ended(to, 'sent', 3);
    expect(await mailbox.mails(to)).toHaveLength(1);
  });
}

test('lost: a mail that may have arrived is sent again under the same id, at least once and never in silence', async () => {
  const to = newAddress();
  await mailbox.behave({ match: { to }, behaviour: 'lost', times: 1 });
  await queue(to);
  await settled(to, 1, 60);
  await makeDue(to);
  await ended(to, 'sent', 2);
  const ids = (await mailbox.mails(to)).map(({ headers }) => headers['message-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
  expect(await readMetrics(server)).toMatch(/trefoil_mails_total\{outcome="unknown"\} 3/);
});

test('a mail server that stays away is given up on after a day', async () => {
  const to = newAddress();
  await mailbox.behave({ match: { to }, behaviour: 'greylist' });
  await server.query(
    `insert into mails (id, kind, subject_id, recipient, created_at, attempts)
     values (gen_random_uuid(), 'factor-changed', $1, $2, now() - interval '20 h', 6)`,
    [newId(), to],
  );
  await ended(to, 'given-up', 7);
});

test('200 mails and three nodes: each arrives exactly once', async () => {
  const nodes = [await server.startNode(), await server.startNode()];
  try {
    const recipients = Array.from({ length: 200 }, newAddress);
    await server.database.asSystem(async (tx) => {
      for (const recipient of recipients)
        await queueMail(tx, { kind: 'factor-changed', subjectId: newId(), recipient });
    });
    const waiting = async () =>
      (await server.query('select from mails where recipient = any ($1) and sent_at is null', [recipients])).length;
    await eventually(async () => expect(await waiting()).toBe(0));
    for (const recipient of recipients) expect(await mailbox.attempts(recipient)).toBe(1);
  } finally {
    for (const node of nodes) await node.close();
  }
}, 60_000);

test('whoever dies with mails in hand is followed by another once the lease is over', async () => {
  const to = newAddress();
  await server.query(
    `insert into mails (id, kind, subject_id, recipient, attempts, next_try_at)
     values (gen_random_uuid(), 'factor-changed', $1, $2, 1, now() + interval '1 s')`,
    [newId(), to],
  );
  await ended(to, 'sent', 2);
});

test('a tenant’s name adds no header and no recipient', async () => {
  const { tenantId, owner } = await addTenantWithOwner(server);
  const [to, victim] = [newAddress(), newAddress()];
  await server.query('update tenants set name = $2 where id = $1', [
    tenantId,
    `Claims\r\nBcc: ${victim}\r\nSubject: Win\r\n\r\n<b>Hello</b>`,
  ]);
  await callAs(server, owner, 'POST', `/${tenantId}/v1/invitations`, { email: to, role: 'analyst' });
  const mail = await mailbox.wait(to);
  expect(mail.headers['bcc']).toBeUndefined();
  expect(mail.subject).toContain('invited to join Claims Bcc');
  expect(mail.html).not.toContain('<b>Hello</b>');
  expect(await mailbox.attempts(victim)).toBe(0);
});

test('what was sent or given up is forgotten a week later; what waits is not', async () => {
  const [sent, fresh] = [newAddress(), newAddress()];
  for (const [recipient, days] of [
    [sent, 8],
    [fresh, 6],
  ] as const) {
    await server.query(
      `insert into mails (id, kind, subject_id, recipient, sent_at)
       values (gen_random_uuid(), 'factor-changed', $1, $2, now() - make_interval(days => $3))`,
      [newId(), recipient, days],
    );
  }
  expect(await forgetNow(server.database, [MAILS])).toBe(1);
  expect(await rowOf(sent)).toBeUndefined();
  expect(await rowOf(fresh)).toBeDefined();
});

test('without a mail server mails wait, and the operator is told at the start and by a metric', async () => {
  const silent = await startServer();
  try {
    expect(silent.logText()).toContain('no mail server is configured');
    await silent.database.asSystem((tx) =>
      queueMail(tx, { kind: 'factor-changed', subjectId: newId(), recipient: newAddress() }),
    );
    await eventually(async () => expect(await readMetrics(silent)).toMatch(/trefoil_mails_waiting 1\n/));
    expect(await silent.query('select attempts, sent_at from mails')).toEqual([{ attempts: 0, sent_at: null }]);
  } finally {
    await silent.close();
  }
});

test('no address, link or name stands in logs or metrics', async () => {
  const seen = server.logText() + (await readMetrics(server));
  expect(seen).toContain('send-mails');
  for (const word of ['@example.com', 'mail-0', 'reset-password/0', 'Test Claims', 'is not taken']) {
    expect(seen).not.toContain(word);
  }
});
