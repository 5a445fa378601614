// The pages for a forgotten password.
import { errorSummary, type FormErrors, field } from '../page-kit/forms.ts';
import { html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';
import { type Notice, noticeView } from '../page-kit/notice-views.ts';
import { PASSWORD_HINT } from './password-words.ts';

export function forgottenView(errors: FormErrors = {}): Page {
  return {
    title: 'Forgotten password',
    body: html`<div class="card">
${errorSummary(errors)}
<h1>Forgotten your password?</h1>
<p class="quiet">Enter your e-mail address. If it belongs to an account, we send it a link to choose a new password.</p>
<form method="post">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', hasFocus: true }, errors)}
<button class="full">Send the link</button>
</form>
</div>
<p><a href="/v1/auth/login">Back to sign-in</a></p>`,
  };
}

/** The same page for every address. */
export const ASKED: Page = noticeView({
  title: 'Check your e-mail',
  text: 'If the address belongs to an account, a link is on its way. It works once, for 30 minutes. If it does not arrive, check your spam folder or try again later.',
});

export function chooseView(errors: FormErrors = {}): Page {
  return {
    title: 'Choose a new password',
    body: html`<div class="card">
${errorSummary(errors)}
<h1>Choose a new password</h1>
<p class="quiet">This signs you out everywhere. Then sign in with the new password.</p>
<form method="post">
${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: PASSWORD_HINT, hasFocus: true, maxLength: 512 }, errors)}
<button class="full">Set the password</button>
</form>
</div>`,
  };
}

export const RESET_DONE: Notice = {
  title: 'Your password is changed',
  text: 'You are signed out everywhere. Sign in with the new password.',
  link: { path: '/v1/auth/login', label: 'Sign in' },
};
