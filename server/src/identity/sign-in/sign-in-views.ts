// The pages of a sign-in: address and password, then the second factor; and the consent to an application.
import { errorSummary, type FormErrors, field, passkeyAbsence, passkeyForm } from '../page-kit/forms.ts';
import { type Html, html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';

export type SignInView = {
  readonly action: string;
  /** The application that asked, when it is not our own. */
  readonly appName: string | undefined;
  readonly email?: string | undefined;
  readonly errors?: FormErrors;
  /** Undefined where passkeys are not available. */
  readonly passkeyOptions: object | undefined;
};

const titled = (title: string, errors: FormErrors = {}) => (Object.keys(errors).length > 0 ? `Error: ${title}` : title);

export function signInView({ action, appName, email, errors = {}, passkeyOptions }: SignInView): Page {
  const body = html`<div class="card">
${errorSummary(errors)}
<h1>Sign in</h1>
${appName && html`<p class="quiet">to continue to ${appName}</p>`}
<form method="post" action="${action}">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username webauthn', value: email, hasFocus: true }, errors)}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: 512 }, errors)}
<button class="full">Sign in</button>
</form>
${
  passkeyOptions &&
  html`<p class="or" hidden data-needs-passkey>or</p>
${passkeyForm({ kind: 'fill', action: `${action}/passkey`, options: passkeyOptions, label: 'Sign in with a passkey' })}`
}
</div>
<p><a href="/v1/auth/forgotten-password">Forgotten your password?</a></p>`;
  return { title: titled('Sign in', errors), body };
}

export type SecondFactorView = {
  readonly action: string;
  /** True when the person is already signed in and a change needs a fresh proof. */
  readonly isStepUp: boolean;
  readonly hasTotp: boolean;
  readonly hasRecoveryCodes: boolean;
  readonly errors?: FormErrors;
  /** Undefined when the person has no passkey. */
  readonly passkeyOptions: object | undefined;
};

function codeForm({ action, errors = {} }: SecondFactorView): Html {
  return html`<form method="post" action="${action}/code">
${field({ name: 'code', label: 'Code', autocomplete: 'one-time-code', hint: 'Six digits from your authenticator app', isCode: true, hasFocus: true, maxLength: 16 }, errors)}
<button class="full">Continue</button>
</form>`;
}

function recoveryForm({ action, errors = {} }: SecondFactorView): Html {
  return html`<details${errors['recoveryCode'] && html` open`}>
<summary>Use a recovery code instead</summary>
<form method="post" action="${action}/recovery-code">
${field({ name: 'recoveryCode', label: 'Recovery code', autocomplete: 'off', hint: 'One of the ten codes you saved; each works once', maxLength: 32 }, errors)}
<button class="second">Use this code</button>
</form>
</details>`;
}

export function secondFactorView(view: SecondFactorView): Page {
  const { isStepUp, hasTotp, hasRecoveryCodes, passkeyOptions, errors = {} } = view;
  const title = isStepUp ? 'Confirm that it is you' : 'Second step';
  const intro = isStepUp
    ? 'This action needs your second factor again. Nothing changes until you confirm.'
    : 'Your password is correct. Now use your second factor.';
  const body = html`<div class="card">
${errorSummary(errors)}
<h1>${title}</h1>
<p class="quiet">${intro}</p>
${hasTotp && codeForm(view)}
${passkeyOptions && hasTotp && html`<p class="or" hidden data-needs-passkey>or</p>`}
${
  passkeyOptions &&
  passkeyForm({
    kind: 'get',
    action: `${view.action}/passkey`,
    options: passkeyOptions,
    label: 'Use a passkey',
    isMain: !hasTotp,
  })
}
${passkeyOptions && !hasTotp && passkeyAbsence()}
</div>
${hasRecoveryCodes && recoveryForm(view)}`;
  return { title: titled(title, errors), body };
}

/** For a person without a second factor who wants to do something that needs one. */
export function noFactorView(): Page {
  return {
    title: 'Set up a second factor first',
    body: html`<div class="card">
<h1>Set up a second factor first</h1>
<p>This action needs a second factor, so that a stolen password alone is not enough. Set up an
authenticator app or a passkey, sign in with it, then come back and try again.</p>
<p><a class="button" href="/v1/auth/security">Go to your security settings</a></p>
</div>`,
  };
}

export type ConsentView = {
  readonly action: string;
  readonly appName: string;
  /** Where the browser goes afterwards. */
  readonly appHost: string;
  readonly email: string;
  readonly scopes: readonly string[];
};

const SCOPE_WORDS: Readonly<Record<string, string>> = {
  openid: 'know who you are',
  offline_access: 'stay signed in for up to a day while you are away',
  'reports:write': 'order credit reports, which costs credits',
  'reports:read': 'read credit reports',
  'wallet:read': 'see the wallet and its statement',
  'wallet:write': 'nothing yet: a right that is reserved',
  'credentials:write': 'create and change API credentials',
  'webhooks:write': 'change webhooks',
  'events:read': 'read events',
  'members:write': 'invite, change and remove members',
  'audit:read': 'read the audit log',
  'settings:write': 'change the settings of the company',
  'subjects:write': 'find, export and erase what is held of consumers',
};

export function consentView({ action, appName, appHost, email, scopes }: ConsentView): Page {
  const title = `Allow ${appName}?`;
  return {
    title,
    body: html`<div class="card">
<h1>${title}</h1>
<p class="quiet">You are signed in as ${email}. Next you continue to <strong>${appHost}</strong>.</p>
<p>In every company where your role permits it, ${appName} will be able to:</p>
<ul class="scopes">${scopes.map((scope) => html`<li>${SCOPE_WORDS[scope] ?? scope}</li>`)}</ul>
<form method="post" action="${action}" class="actions">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="second">Do not allow</button>
</form>
</div>`,
  };
}
