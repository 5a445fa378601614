// The pages of a forgotten password.
import { errorSummary, type FormErrors, field } from './forms.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import { type Notice, noticeView } from './notice-views.ts';
import { PASSWORD_HINT } from './password-words.ts';

export function forgottenView(errors: FormErrors = {}): Page {
  return {
    title: 'Forgotten password',
    body: html`<div class="card">
${errorSummary(errors)}
<h1>Forgotten your password?</h1>
<p class="quiet">Tell us your e-mail address. If it belongs to an account, we send a link to choose a new password.</p>
<form method="post">
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', hasFocus: true }, errors)}
<button class="full">Send the link</button>
</form>
</div>
<p><a href="/v1/auth/login">Back to signing in</a></p>`,
  };
}

/** The same for every address. */
export const ASKED: Page = noticeView({
  title: 'Look into your mailbox',
  text: 'If the address belongs to an account, a link is on its way. It works once, for half an hour. If nothing comes, look among the unwanted mail, or ask again later.',
});

export function chooseView(errors: FormErrors = {}): Page {
  return {
    title: 'Choose a new password',
    body: html`<div class="card">
${errorSummary(errors)}
<h1>Choose a new password</h1>
<p class="quiet">Afterwards you are signed out everywhere and sign in with the new password.</p>
<form method="post">
${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: PASSWORD_HINT, hasFocus: true, maxLength: 512 }, errors)}
<button class="full">Set the password</button>
</form>
</div>`,
  };
}

export const RESET_DONE: Notice = {
  title: 'Your password is changed',
  text: 'All your sign-ins have ended. Sign in with the new password.',
  link: { path: '/v1/auth/login', label: 'Sign in' },
};
