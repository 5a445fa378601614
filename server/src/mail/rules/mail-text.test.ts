import { expect, test } from 'vitest';
import { type MailContent, oneLine, writeMail } from './mail-text.ts';

const link = 'https://api.example.com/v1/auth/invitations/x.y';
const invitation: MailContent = {
  kind: 'invitation',
  tenantName: 'Larkfield Loans',
  role: 'finance',
  link,
  expiresAt: new Date('2026-03-09T10:15:00Z'),
};

test('an invitation says who invites, as what, where to go and for how long', () => {
  const { subject, text, html } = writeMail(invitation);
  expect(subject).toBe('You are invited to join Larkfield Loans on Trefoil');
  for (const body of [text, html]) {
    for (const words of ['Larkfield Loans', 'a finance member', link, '9 March 2026, 10:15 UTC']) {
      expect(body).toContain(words);
    }
  }
});

test('a tenant’s name is one line of text: no header, no markup', () => {
  const tenantName = 'Evil\r\nBcc: all@example.com\u2028\u202E<a href="https://evil.example">&';
  const { subject, text, html } = writeMail({ ...invitation, tenantName });
  expect(subject).not.toMatch(/[\r\n\u2028\u202E]/);
  expect(text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([]);
  expect(html).not.toContain('<a href="https://evil.example">');
  expect(html).toContain('&lt;a href=&quot;https://evil.example&quot;&gt;&amp;');
});

test('a long name is cut', () => {
  expect(oneLine('x'.repeat(200))).toHaveLength(100);
});

test('a reset says that it holds for 30 minutes; notices have no link', () => {
  expect(writeMail({ kind: 'password-reset', link }).text).toContain('30 minutes');
  for (const kind of ['password-changed', 'factor-changed'] as const) {
    expect(writeMail({ kind }).html).not.toContain('href');
  }
});

test('a mail about a low wallet says whose it is, how much is left and what the threshold is', () => {
  const { subject, text, html } = writeMail({
    ...{ kind: 'wallet-low', tenantName: 'Larkfield\r\nLoans' },
    ...{ balance: 1, threshold: 25_000 },
  });
  expect(subject).toBe('The Trefoil wallet of Larkfield Loans is low');
  for (const body of [text, html]) {
    for (const words of ['has 1 credit.', 'below 25,000 credits']) expect(body).toContain(words);
  }
});

test('a mail to the owner of a credential names it as text and leads to where it can be refused', () => {
  for (const kind of ['credential-named', 'credential-proof'] as const) {
    const words = { tenantName: 'Larkfield\r\nLoans', credentialName: '<b>Portal</b>', link };
    const { subject, text, html } = writeMail({ kind, ...words });
    expect(subject).toContain('Larkfield Loans');
    expect(text).toContain(link);
    expect(html).toContain('&lt;b&gt;Portal&lt;/b&gt;');
  }
});
