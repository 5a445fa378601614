// The account page: who one is, where one may work, and the way out.
import type { TenantList } from '@trefoil/contract';
import { done } from './forms.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';

export type AccountView = {
  readonly name: string;
  readonly email: string;
  readonly hasFactor: boolean;
  readonly tenants: TenantList['items'];
  readonly doneText: string | undefined;
};

function tenantLine(tenant: TenantList['items'][number]): Html {
  const state = !tenant.isEnabled ? html` <span class="mark">disabled</span>` : undefined;
  const action = tenant.isSelected
    ? html`<span class="mark">Selected</span>`
    : tenant.isEnabled &&
      html`<form method="post" action="/v1/auth/account/tenant"><input type="hidden" name="tenantId" value="${tenant.id}">
<button class="second" aria-label="Select ${tenant.name}">Select</button></form>`;
  return html`<li><span><strong>${tenant.name}</strong>${state}<small>Your role: ${tenant.role}</small></span>${action}</li>`;
}

export function accountView({ name, email, hasFactor, tenants, doneText }: AccountView): Page {
  const body = html`${done(doneText)}
<div class="card">
<h1>${name}</h1>
<p class="quiet">${email}</p>
${!hasFactor && html`<p>Your account is protected by a password alone. <a href="/v1/auth/security">Set up a second factor</a>.</p>`}
<form method="post" action="/v1/auth/logout"><button class="second">Sign out</button></form>
</div>
<section class="card" aria-labelledby="tenants">
<h2 id="tenants">Your tenants</h2>
${
  tenants.length === 0
    ? html`<p class="quiet">You are not a member of any tenant. Whoever runs one can invite you.</p>`
    : html`<ul class="list">${tenants.map(tenantLine)}</ul>`
}
</section>`;
  return { title: 'Your account', body, current: 'account' };
}
