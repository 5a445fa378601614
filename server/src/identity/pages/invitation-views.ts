// The page behind the link of an invitation.
import type { OpenInvitation } from '../../tenants/accept-invitation.ts';
import { errorSummary, type FormErrors, field } from './forms.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import type { Notice } from './notice-views.ts';
import { PASSWORD_HINT } from './password-words.ts';

export type InvitationView = {
  readonly invitation: OpenInvitation;
  readonly values?: { readonly firstName: string; readonly lastName: string };
  readonly errors?: FormErrors;
};

const heading = ({ tenantName, role, email }: OpenInvitation): Html => html`<h1>Join ${tenantName}</h1>
<p class="quiet">You are invited as <strong>${role}</strong> with the address ${email}.</p>`;

/** For somebody who has no account yet. The address is the invited one and cannot be changed. */
export function newPersonView({ invitation, values, errors = {} }: InvitationView): Page {
  return {
    title: `Join ${invitation.tenantName}`,
    body: html`<div class="card">
${errorSummary(errors)}
${heading(invitation)}
<form method="post">
<input type="hidden" name="username" autocomplete="username" value="${invitation.email}">
${field({ name: 'firstName', label: 'First name', autocomplete: 'given-name', value: values?.firstName, hasFocus: true, maxLength: 100 }, errors)}
${field({ name: 'lastName', label: 'Last name', autocomplete: 'family-name', value: values?.lastName, maxLength: 100 }, errors)}
${field({ name: 'password', label: 'Choose a password', type: 'password', autocomplete: 'new-password', hint: PASSWORD_HINT, maxLength: 512 }, errors)}
<button class="full">Make the account and join</button>
</form>
</div>`,
  };
}

/** For somebody who is signed in with the invited address. */
export function knownPersonView({ invitation }: InvitationView): Page {
  return {
    title: `Join ${invitation.tenantName}`,
    body: html`<div class="card">
${heading(invitation)}
<form method="post"><button class="full">Join</button></form>
</div>`,
  };
}

/** For the owner of an account who is not signed in. */
export function signInFirst(invitation: OpenInvitation, path: string): Notice {
  return {
    title: `Join ${invitation.tenantName}`,
    text: `You are invited as ${invitation.role} with the address ${invitation.email}, which has an account already. Sign in with it to go on.`,
    link: { path: `/v1/auth/login?returnTo=${encodeURIComponent(path)}`, label: 'Sign in' },
  };
}

export function otherPerson(invitation: OpenInvitation): Notice {
  return {
    title: 'You are signed in as somebody else',
    text: `This invitation is for ${invitation.email}. Sign out first, then open the link again.`,
    link: { path: '/v1/auth/account', label: 'Go to your account' },
  };
}

export const INVITATION_OVER: Notice = {
  title: 'This invitation no longer works',
  text: 'It was used already, was withdrawn, has expired, or its link was not copied whole. Ask whoever invited you for a new one.',
};

export function joined(tenantName: string): Notice {
  return {
    title: `Welcome to ${tenantName}`,
    text: 'You are a member now.',
    link: { path: '/v1/auth/account', label: 'Go on' },
  };
}
