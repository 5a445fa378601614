// The words of our mails. Pure. Whatever a tenant could choose, such as its name, is one line of plain text here and
// escaped in the HTML, so that it can neither add a header nor look like a link of ours.
import type { Role } from '@trefoil/contract';

export type MailContent =
  | {
      readonly kind: 'invitation';
      readonly tenantName: string;
      readonly role: Role;
      readonly link: string;
      readonly expiresAt: Date;
    }
  | { readonly kind: 'password-reset'; readonly link: string }
  | { readonly kind: 'password-changed' | 'factor-changed' };

export type WrittenMail = { readonly subject: string; readonly text: string; readonly html: string };

type Draft = {
  readonly subject: string;
  readonly before: readonly string[];
  readonly link?: string;
  readonly after: readonly string[];
};

const IN_WORDS: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  admin: 'an administrator',
  finance: 'a member for finance',
  developer: 'a developer',
  analyst: 'an analyst',
};

const NOT_ME = 'If this was not you, reset your password at once and tell the owner of your tenant.';

/** One line, without characters that mail readers obey instead of showing; long names are cut. */
export function oneLine(text: string): string {
  const plain = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > 100 ? `${plain.slice(0, 99)}…` : plain;
}

/** In UTC and said so: we do not know where the reader is. */
function inWords(instant: Date): string {
  const day = instant.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${instant.toISOString().slice(11, 16)} UTC`;
}

function draft(content: MailContent): Draft {
  switch (content.kind) {
    case 'invitation': {
      const name = oneLine(content.tenantName);
      return {
        subject: `You are invited to join ${name} on Trefoil`,
        before: [`${name} invites you to work with them on Trefoil as ${IN_WORDS[content.role]}.`, 'To accept, open:'],
        link: content.link,
        after: [
          `The link works once, until ${inWords(content.expiresAt)}.`,
          'If you do not expect this, do nothing: without the link nothing happens.',
        ],
      };
    }
    case 'password-reset':
      return {
        subject: 'Choose a new password for Trefoil',
        before: ['Somebody, most likely you, asked to reset the password of this account. To choose a new one, open:'],
        link: content.link,
        after: ['The link works once, for 30 minutes.', 'If it was not you, do nothing: your password stays as it is.'],
      };
    case 'password-changed':
      return {
        subject: 'Your Trefoil password was changed',
        before: ['The password of your account was changed, and all other sign-ins were ended.'],
        after: [NOT_ME],
      };
    case 'factor-changed':
      return {
        subject: 'Your second factor on Trefoil was changed',
        before: [
          'A second factor of your account (an app with codes, recovery codes or a passkey) was added or removed.',
        ],
        after: [NOT_ME],
      };
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
const paragraphs = (sentences: readonly string[]) => sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`);

export function writeMail(content: MailContent): WrittenMail {
  const { subject, before, link, after } = draft(content);
  const address = link === undefined ? [] : [link];
  const anchor = address.map((each) => `<p><a href="${escapeHtml(each)}">${escapeHtml(each)}</a></p>`);
  const body = [...paragraphs(before), ...anchor, ...paragraphs(after)].join('\n');
  return {
    subject,
    text: `${[...before, ...address, ...after].join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>\n<body>\n${body}\n</body>\n</html>\n`,
  };
}
