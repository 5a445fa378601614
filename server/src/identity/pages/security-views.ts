// The security page: password, authenticator app, recovery codes, passkeys and running sign-ins.
import { done, errorSummary, type FormErrors, field, passkeyAbsence, passkeyForm } from '../page-kit/forms.ts';
import { Html, html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';
import { time } from '../page-kit/page-time.ts';
import { PASSWORD_HINT } from './password-words.ts';

export type SecurityView = {
  readonly email: string;
  readonly needed: 'none' | 'link' | 'password' | 'second-factor';
  /** A company of the person requires a second factor, which this sign-in has not proved. */
  readonly isRequired: boolean;
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly recoveryCodes: number;
  readonly passkeys: readonly {
    readonly id: string;
    readonly name: string;
    readonly createdAt: Date;
    readonly lastUsedAt: Date | null;
  }[];
  readonly signIns: readonly {
    readonly id: string;
    readonly appName: string;
    readonly createdAt: Date;
    readonly refreshedAt: Date;
    readonly isThis: boolean;
  }[];
  /** Undefined where passkeys are not available, or where a proof is needed first. */
  readonly passkey: { readonly options: object; readonly note: string } | undefined;
  /** The server's host where it is an IP address, since no browser binds a passkey to one. */
  readonly numberedHost: string | undefined;
  readonly doneText: string | undefined;
  readonly errors?: FormErrors;
};

const STEP_UP = '/v1/auth/login?stepUp=true&returnTo=/v1/auth/security';

const mayAdd = ({ needed }: SecurityView) => needed === 'none' || needed === 'password';

/** The first factor needs a link by mail: a stolen password comes without the mailbox. */
function linkSection({ needed, email }: SecurityView): Html | undefined {
  if (needed !== 'link') return undefined;
  return html`<section class="card" aria-labelledby="link-title"><h2 id="link-title">Second factor</h2>
<p>Only a password protects your account. To set up an authenticator app or a passkey, you need a link that we send to
${email}. If it does not arrive, ask the operator of this service for one.</p>
<form method="post" action="/v1/auth/security/link"><button>Send the link</button></form></section>`;
}

/** What a person must do before they can work in a company that requires a second factor. */
function requiredNotice({ isRequired, needed }: SecurityView): Html | undefined {
  if (!isRequired) return undefined;
  return needed === 'second-factor'
    ? html`<div class="card"><p>Your company requires a second factor. Sign in with yours to go on.</p>
<a class="button" href="/v1/auth/login?stepUp=true">Go on with your second factor</a></div>`
    : html`<div class="card"><p>Your company requires a second factor. Set one up here: without it you can do nothing there.</p></div>`;
}

/** Before adding a first factor, a person who has not just signed in types the password again. */
const passwordField = ({ needed, errors }: SecurityView, name: string) =>
  needed === 'password' &&
  field({ name, label: 'Your password', type: 'password', autocomplete: 'current-password', maxLength: 512 }, errors);

function passwordSection(view: SecurityView): Html {
  const { email, hasPassword, needed, errors } = view;
  const form = html`<form method="post" action="/v1/auth/security/password">
<input type="hidden" name="username" autocomplete="username" value="${email}">
${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', maxLength: 512 }, errors)}
${field({ name: 'chosen', label: 'New password', type: 'password', autocomplete: 'new-password', hint: PASSWORD_HINT, maxLength: 512 }, errors)}
<button>Change the password</button>
</form>`;
  const absent = html`<p class="quiet">You have no password yet. <a href="/v1/auth/forgotten-password">Get a link to choose one</a>.</p>`;
  return html`<section class="card" aria-labelledby="password-title"><h2 id="password-title">Password</h2>
${hasPassword ? needed !== 'second-factor' && form : absent}
${hasPassword && needed === 'second-factor' && html`<p class="quiet">You sign in with a password.</p>`}</section>`;
}

function totpSection(view: SecurityView): Html {
  const { hasTotp } = view;
  const remove = html`<form method="post" action="/v1/auth/security/totp/remove"><button class="danger">Remove the app</button></form>`;
  const begin = html`<form method="post" action="/v1/auth/security/totp">${passwordField(view, 'totpPassword')}<button>Set up an app</button></form>`;
  return html`<section class="card" aria-labelledby="totp-title"><h2 id="totp-title">Authenticator app${hasTotp && html` <span class="mark">On</span>`}</h2>
<p class="quiet">${
    hasTotp
      ? 'At sign-in you type a code from the app on your phone.'
      : 'An app on your phone shows a new code every thirty seconds, which you type at sign-in.'
  }</p>
${mayAdd(view) && (hasTotp ? remove : begin)}</section>`;
}

function recoverySection({ hasTotp, passkeys, recoveryCodes, needed }: SecurityView): Html | undefined {
  if (!hasTotp && passkeys.length === 0) return undefined;
  return html`<section class="card" aria-labelledby="codes-title"><h2 id="codes-title">Recovery codes</h2>
<p class="quiet">${recoveryCodes} ${recoveryCodes === 1 ? 'code is' : 'codes are'} left. Each works once, for when you do not have your phone or security key.</p>
${
  needed !== 'second-factor' &&
  html`<form method="post" action="/v1/auth/security/recovery-codes"><button class="second">Create new codes</button></form>`
}</section>`;
}

function passkeySection(view: SecurityView): Html {
  const line = ({ id, name, createdAt, lastUsedAt }: SecurityView['passkeys'][number]) => html`<li>
<span><strong>${name}</strong><small>Added ${time(createdAt)}${lastUsedAt && html`, last used ${time(lastUsedAt)}`}</small></span>
${
  mayAdd(view) &&
  html`<form method="post" action="/v1/auth/security/passkeys/remove"><input type="hidden" name="id" value="${id}">
<button class="danger" aria-label="Remove the passkey ${name}">Remove</button></form>`
}</li>`;
  const { passkey } = view;
  const fields = html`<input type="hidden" name="note" value="${passkey?.note}">
${field({ name: 'name', label: 'Name of the new passkey', autocomplete: 'off', hint: 'A name you will recognise, such as “Work laptop”', maxLength: 100 }, view.errors)}
${passwordField(view, 'passkeyPassword')}`;
  return html`<section class="card" aria-labelledby="passkeys-title"><h2 id="passkeys-title">Passkeys</h2>
<p class="quiet">A passkey on your device or security key replaces your password and code. A fake page cannot copy it.</p>
${view.passkeys.length > 0 && html`<ul class="list">${view.passkeys.map(line)}</ul>`}
${passkey && passkeyForm({ kind: 'create', action: '/v1/auth/security/passkeys', options: passkey.options, label: 'Add a passkey', fields })}
${passkey ? passkeyAbsence() : passkeyObstacle(view)}
</section>`;
}

/** Why there is no passkey form. The script reports what the browser lacks. */
function passkeyObstacle({ numberedHost, needed }: SecurityView): Html | undefined {
  if (numberedHost === undefined) {
    return needed === 'link'
      ? undefined
      : html`<p>To add one, first <a href="${STEP_UP}">confirm your identity</a>.</p>`;
  }
  return html`<p>Passkeys do not work here: this server has only an IP address (${numberedHost}), and browsers bind passkeys
to host names. Use an authenticator app instead.</p>`;
}

function signInSection({ signIns }: SecurityView): Html {
  const line = ({ id, appName, createdAt, refreshedAt, isThis }: SecurityView['signIns'][number]) => html`<li>
<span><strong>${appName}</strong>${isThis && html` <span class="mark">This one</span>`}<small>Since ${time(createdAt)}, last active ${time(refreshedAt)}</small></span>
${
  !isThis &&
  html`<form method="post" action="/v1/auth/security/sign-ins/end"><input type="hidden" name="id" value="${id}">
<button class="danger">End<span class="unseen"> the sign-in of ${appName} since ${time(createdAt)}</span></button></form>`
}</li>`;
  return html`<section class="card" aria-labelledby="sign-ins-title"><h2 id="sign-ins-title">Where you are signed in</h2>
<ul class="list">${signIns.map(line)}</ul></section>`;
}

export function securityView(view: SecurityView): Page {
  const errors = view.errors ?? {};
  const body = html`${done(view.doneText)}${errorSummary(errors)}
<h1>Security</h1>
${requiredNotice(view)}
${
  view.needed === 'second-factor' &&
  !view.isRequired &&
  html`<div class="card"><p>To change anything here, first confirm that it is you.</p><a class="button" href="${STEP_UP}">Confirm that it is you</a></div>`
}
${linkSection(view)}${passwordSection(view)}${totpSection(view)}${recoverySection(view)}${passkeySection(view)}${signInSection(view)}`;
  return {
    title: Object.keys(errors).length > 0 ? 'Error: Security' : 'Security',
    body,
    current: 'security',
  };
}

export type EnrolmentView = {
  readonly qrCode: string;
  readonly letters: string;
  readonly note: string;
  readonly errors?: FormErrors;
};

export function enrolmentView({ qrCode, letters, note, errors = {} }: EnrolmentView): Page {
  const body = html`<div class="card">
${errorSummary(errors)}
<h1>Set up an authenticator app</h1>
<p>Scan this with the app on your phone.</p>
<div class="qr" role="img" aria-label="QR code of the secret that is shown below as text">${new Html(qrCode)}</div>
<p>If you cannot scan it, type this into the app:<br><code class="secret" id="secret">${letters}</code></p>
<form method="post" action="/v1/auth/security/totp/confirm">
<input type="hidden" name="note" value="${note}">
${field({ name: 'code', label: 'Code from the app', autocomplete: 'one-time-code', hint: 'Six digits, to check that the app works', isCode: true, maxLength: 16 }, errors)}
<div class="actions"><button>Turn it on</button><a href="/v1/auth/security">Not now</a></div>
</form>
</div>`;
  const title = 'Set up an authenticator app';
  return { title: Object.keys(errors).length > 0 ? `Error: ${title}` : title, body, current: 'security' };
}

const CODES_FILE = 'trefoil-recovery-codes.txt';

/** A data address that contains the file, so that it is downloaded without a script and stored nowhere. */
const codesFile = (codes: readonly string[]) =>
  `data:text/plain;charset=utf-8,${encodeURIComponent(
    `Recovery codes for Trefoil\nEach works once, in place of your second factor.\n\n${codes.join('\n')}\n`,
  )}`;

/** Shown once; only hashes are stored. */
export function recoveryCodesView(codes: readonly string[]): Page {
  return {
    title: 'Your recovery codes',
    body: html`<div class="card">
<h1>Your recovery codes</h1>
<p>Download, print or write down these codes, and keep them away from your phone. Each works once, in place of your
second factor. <strong>We show them only once.</strong></p>
<ul class="codes" id="codes">${codes.map((code) => html`<li>${code}</li>`)}</ul>
<p class="actions"><a class="button second" href="${codesFile(codes)}" download="${CODES_FILE}">Download</a>
<button type="button" class="second" hidden data-copies="codes" aria-describedby="copied">Copy</button></p>
<p role="status" class="hint" id="copied"></p>
<p><a class="button" href="/v1/auth/security">I have saved them</a></p>
</div>`,
    current: 'security',
  };
}
