// The page behind an invitation link.
import type { OpenInvitation } from '../../tenants/accept-invitation.ts';
import { errorSummary, type FormErrors, field } from '../page-kit/forms.ts';
import { type Html, html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';
import type { Notice } from '../page-kit/notice-views.ts';
import { PASSWORD_HINT } from './password-words.ts';

export type InvitationView = {
  readonly invitation: OpenInvitation;
  readonly values?: { readonly firstName: string; readonly lastName: string };
  readonly errors?: FormErrors;
};

const heading = ({ tenantName, role, email }: OpenInvitation): Html => html`<h1>Join ${tenantName}</h1>
<p class="quiet">This invitation is for ${email}. Your role: <strong>${role}</strong>.</p>`;

/** For a person who has no account yet. The address is the invited one and cannot be changed. */
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
<button class="full">Create account</button>
</form>
</div>`,
  };
}

/** For a person who is signed in with the invited address. */
export function knownPersonView({ invitation }: InvitationView): Page {
  return {
    title: `Join ${invitation.tenantName}`,
    body: html`<div class="card">
${heading(invitation)}
<form method="post"><button class="full">Join</button></form>
</div>`,
  };
}

/** For a person with an account who is not signed in. */
export function signInFirst(invitation: OpenInvitation, path: string): Notice {
  return {
    title: `Join ${invitation.tenantName}`,
    text: `This invitation is for ${invitation.email}, which already has an account. Sign in to that account to continue. Your role will be: ${invitation.role}.`,
    link: { path: `/v1/auth/login?returnTo=${encodeURIComponent(path)}`, label: 'Sign in' },
  };
}

export function otherPerson(invitation: OpenInvitation): Notice {
  return {
    title: 'You are signed in with another account',
    text: `This invitation is for ${invitation.email}. Sign out first, then open the link again.`,
    link: { path: '/v1/auth/account', label: 'Go to your account' },
  };
}

export const INVITATION_OVER: Notice = {
  title: 'This invitation no longer works',
  text: 'It was already used, was withdrawn or has expired, or the link is incomplete. Ask the person who invited you for a new one.',
};
