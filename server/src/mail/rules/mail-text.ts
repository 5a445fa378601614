// The text of our mails. Pure. A text that a tenant can choose, such as its name, is one line of plain text here and
// escaped in the HTML, so that it can neither add a header nor look like a link of ours.
import type { Role } from '@trefoil/contract';
import { writeMailHtml } from './mail-html.ts';

export type MailContent =
  | {
      readonly kind: 'invitation';
      readonly tenantName: string;
      readonly role: Role;
      readonly link: string;
      readonly expiresAt: Date;
    }
  | { readonly kind: 'password-reset' | 'factor-link'; readonly link: string }
  | { readonly kind: 'first-factor' | 'credentials-busy'; readonly tenantName: string; readonly email: string }
  | { readonly kind: 'password-changed' | 'factor-changed' | 'factors-guessed' }
  | { readonly kind: 'webhook-disabled'; readonly tenantName: string; readonly host: string }
  | {
      readonly kind: 'credential-named' | 'credential-proof';
      readonly tenantName: string;
      readonly credentialName: string;
      readonly link: string;
    }
  | ({ readonly kind: 'wallet-low' } & LowWallet);

/** Amounts in credits. */
export type LowWallet = { readonly tenantName: string; readonly balance: number; readonly threshold: number };

export type WrittenMail = { readonly subject: string; readonly text: string; readonly html: string };

/** A mail's link: in HTML a button with the label, in plain text the address after the lead. */
export type MailLink = { readonly address: string; readonly label: string; readonly lead?: string };

type Draft = {
  readonly subject: string;
  readonly before: readonly string[];
  readonly link?: MailLink;
  readonly after: readonly string[];
};

const IN_WORDS: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  admin: 'an administrator',
  finance: 'a finance member',
  developer: 'a developer',
  analyst: 'an analyst',
  caseworker: 'a caseworker',
};

const NOT_ME = 'If this was not you, reset your password at once and tell an owner of your company.';

/** One line, without characters that mail readers interpret instead of showing; long names are cut. */
export function oneLine(text: string): string {
  const plain = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > 100 ? `${plain.slice(0, 99)}…` : plain;
}

/** In UTC, with the zone's name: we do not know where the reader is. */
function inWords(instant: Date): string {
  const day = instant.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${instant.toISOString().slice(11, 16)} UTC`;
}

const credits = (count: number) => `${count.toLocaleString('en-GB')} ${count === 1 ? 'credit' : 'credits'}`;

function draft(content: MailContent): Draft {
  switch (content.kind) {
    case 'invitation': {
      const name = oneLine(content.tenantName);
      return {
        subject: `You are invited to join ${name} on Trefoil`,
        before: [`${name} invites you to work with them on Trefoil as ${IN_WORDS[content.role]}.`],
        link: { address: content.link, label: 'Accept the invitation', lead: 'To accept, open:' },
        after: [
          `The link works once, until ${inWords(content.expiresAt)}.`,
          'If you did not expect this, do nothing: nothing happens unless you accept.',
        ],
      };
    }
    case 'password-reset':
      return {
        subject: 'Choose a new password for Trefoil',
        before: ['We received a request to reset the password of your account.'],
        link: { address: content.link, label: 'Choose a new password', lead: 'To choose a new one, open:' },
        after: [
          'The link works once, for 30 minutes.',
          'If you did not ask for this, do nothing: your password stays as it is.',
        ],
      };
    case 'factor-link':
      return {
        subject: 'Set up your second factor for Trefoil',
        before: [
          'A person who gave your password wants to set up a second factor for your account: an authenticator app or a passkey.',
        ],
        link: {
          address: content.link,
          label: 'Set up the second factor',
          lead: 'If it was you, open this link and set it up there:',
        },
        after: [
          'The link works once, for 30 minutes.',
          'If it was not you, another person knows your password: do not open the link, and choose a new password at once.',
        ],
      };
    case 'first-factor': {
      const [tenant, email] = [oneLine(content.tenantName), oneLine(content.email)];
      return {
        subject: `A member of ${tenant} set up a second factor`,
        before: [`${email}, a member of ${tenant} on Trefoil, had no second factor and has set one up.`],
        after: ['If you did not expect this, ask them. If it was not them, remove them from the company at once.'],
      };
    }
    case 'password-changed':
      return {
        subject: 'Your Trefoil password was changed',
        before: ['The password of your account was changed, and all other sign-ins were ended.'],
        after: [NOT_ME],
      };
    case 'webhook-disabled': {
      const [tenant, host] = [oneLine(content.tenantName), oneLine(content.host)];
      return {
        subject: `A webhook endpoint of ${tenant} was disabled`,
        before: [
          `The webhook endpoint of ${tenant} at ${host} was disabled, because every attempt failed for five days, or because it answered that it is gone (410).`,
          'Events that it has not received wait for it for up to 30 days. When the endpoint works, enable it again: Trefoil then delivers them.',
        ],
        after: ['The list of deliveries shows what the receiver answered.'],
      };
    }
    case 'credential-named':
    case 'credential-proof': {
      const [tenant, credential] = [oneLine(content.tenantName), oneLine(content.credentialName)];
      const isNamed = content.kind === 'credential-named';
      return {
        subject: isNamed
          ? `You are responsible for an API credential of ${tenant}`
          : `Your API credential of ${tenant} has a new secret or key`,
        before: [
          isNamed
            ? `A member of ${tenant} made you responsible for the API credential “${credential}” on Trefoil.`
            : `A member of ${tenant} added a secret or a key to the API credential “${credential}” on Trefoil. You are responsible for this credential.`,
          'If you did not agree to this, open the page below and refuse: the credential then stops at once.',
        ],
        link: { address: content.link, label: 'View the credential' },
        after: ['If you expected this, do nothing.'],
      };
    }
    case 'credentials-busy': {
      const tenant = oneLine(content.tenantName);
      return {
        subject: `Your API credentials of ${tenant} change very often today`,
        before: [
          `Members of ${tenant} made you responsible for API credentials on Trefoil, or added secrets or keys to yours, 20 times or more today. ` +
            'Until midnight UTC we send you no more mails about them.',
          'If you did not agree to this, look at the list of API credentials in the console, or ask an owner of the company which of them ' +
            'you are responsible for.',
        ],
        after: ['If you expected this, do nothing.'],
      };
    }
    case 'wallet-low': {
      const [name, balance, threshold] = [
        oneLine(content.tenantName),
        ...[content.balance, content.threshold].map(credits),
      ];
      return {
        subject: `The Trefoil wallet of ${name} is low`,
        before: [
          `The wallet of ${name} has ${balance}. That is below ${threshold}, the threshold that is set for ${name}.`,
          'When the wallet is empty, live reports are refused.',
        ],
        after: [
          'Top up the wallet to continue. We send this mail once, until the wallet is topped up above the threshold.',
        ],
      };
    }
    case 'factors-guessed':
      return {
        subject: 'Wrong codes were entered for your Trefoil account',
        before: [
          'Several wrong codes were entered as the second factor of your account. The person who entered them knows your ' +
            'password, or uses a browser in which you are signed in.',
          'After five wrong codes in 15 minutes, no code is accepted until the 15 minutes are over.',
        ],
        after: [NOT_ME, 'We send this mail at most once a day, however many codes are tried.'],
      };
    case 'factor-changed':
      return {
        subject: 'Your second factor on Trefoil was changed',
        before: [
          'A second factor of your account (an authenticator app, recovery codes or a passkey) was added or removed.',
        ],
        after: [NOT_ME],
      };
  }
}

export function writeMail(content: MailContent): WrittenMail {
  const { subject, before, link, after } = draft(content);
  // Plain text has no buttons: a sentence precedes the address.
  const address = link ? [...(link.lead === undefined ? [] : [link.lead]), link.address] : [];
  return {
    subject,
    text: `${[...before, ...address, ...after].join('\n\n')}\n`,
    html: writeMailHtml({ subject, before, link, after }),
  };
}
