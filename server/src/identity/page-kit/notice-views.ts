// Pages that only show a message: signed out, an expired link, an error.
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';

export type Notice = {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly path: string; readonly label: string } | undefined;
  /** For the person to quote when they ask us what happened. */
  readonly requestId?: string | undefined;
};

export function noticeView({ title, text, link, requestId }: Notice): Page {
  const body: Html = html`<div class="card">
<h1>${title}</h1>
<p>${text}</p>
${link && html`<p><a class="button" href="${link.path}">${link.label}</a></p>`}
${requestId && html`<p class="hint">If you contact us about this, quote the request id <code>${requestId}</code>.</p>`}
</div>`;
  return { title, body };
}

export const SIGNED_OUT: Notice = {
  title: 'You are signed out',
  text: 'Your sign-in on this device has ended.',
  link: { path: '/v1/auth/login', label: 'Sign in again' },
};

export const LINK_OVER: Notice = {
  title: 'This link no longer works',
  text: 'It was already used, has expired or is incomplete. You can ask for a new one.',
  link: { path: '/v1/auth/forgotten-password', label: 'Ask for a new link' },
};

export const INTERACTION_OVER = noticeView({
  title: 'This sign-in has ended',
  text: 'It took too long, or was started in another window. Nothing was changed. Please start again.',
  link: { path: '/v1/auth/login', label: 'Sign in' },
});
