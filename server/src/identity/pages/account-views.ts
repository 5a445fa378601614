// The account page: who the person is and where they may work.
import type { TenantList } from '@trefoil/contract';
import { done } from '../page-kit/forms.ts';
import { type Html, html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';

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
${!hasFactor && html`<p>Only a password protects your account. <a href="/v1/auth/security">Set up a second factor</a>.</p>`}
</div>
<section class="card" aria-labelledby="companies">
<h2 id="companies">Your companies</h2>
${
  tenants.length === 0
    ? html`<p class="quiet">You are not a member of any company. An owner or administrator of a company can invite you.</p>`
    : html`<ul class="list">${tenants.map(tenantLine)}</ul>`
}
</section>`;
  return { title: 'Your account', body, current: 'account' };
}
