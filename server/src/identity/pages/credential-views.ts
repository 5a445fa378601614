// What the owner of an API credential sees of it, and the notice after they refuse.
import type { OwnedCredential } from '../credentials/credential-store.ts';
import { html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';
import type { Notice } from '../page-kit/notice-views.ts';

const ACCOUNT = { path: '/v1/auth/account', label: 'Go to your account' };

export function credentialView({ name, tenantName, scopes, isEnabled }: OwnedCredential): Page {
  return {
    title: 'An API credential in your name',
    body: html`<div class="card">
<h1>An API credential in your name</h1>
<p>You are responsible for the credential <strong>${name}</strong> of ${tenantName}${!isEnabled && html` <span class="mark">disabled</span>`}.</p>
<p class="quiet">Its scopes: ${scopes.join(', ')}.</p>
<p>If you did not agree to this, refuse. The credential then stops within seconds, and no other member can enable it in your name.</p>
<form method="post"><button class="full">Refuse</button></form>
</div>`,
  };
}

export const REFUSED: Notice = {
  title: 'You refused this credential',
  text: 'The credential is disabled. It stays disabled until it has another owner.',
  link: ACCOUNT,
};

export const NOT_THEIRS: Notice = {
  title: 'Credential not found',
  text: 'You are not responsible for a credential at this address. It may have another owner now.',
  link: ACCOUNT,
};
