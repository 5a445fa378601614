// The frame of every page, and the content policy that goes with it: nothing is loaded from anywhere, and the one
// stylesheet and the one script are named by their hashes.
import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';
import { PASSKEY_SCRIPT } from './passkey-script.ts';
import { STYLE } from './style.ts';

export type Page = {
  readonly title: string;
  readonly body: Html;
  /** Pages with lists are wider, and say where one is. */
  readonly current?: 'account' | 'security' | undefined;
  /** Only pages with a passkey button carry the script. */
  readonly hasScript?: boolean;
};

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const STYLE_HASH = hashOf(STYLE);
const SCRIPT_HASH = hashOf(PASSKEY_SCRIPT);

/** `formTargets`: where a form may lead besides us, since browsers hold redirects after a form to the policy too. */
export function contentPolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    `script-src ${SCRIPT_HASH}`,
    'img-src data:',
    "base-uri 'none'",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

const LOGO = html`<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><circle cx="16" cy="9" r="7"/><circle cx="9" cy="19" r="7"/><circle cx="23" cy="19" r="7"/><path d="M15 18h2v13h-2z"/></svg>`;
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#15803d"><circle cx="16" cy="9" r="7"/><circle cx="9" cy="19" r="7"/><circle cx="23" cy="19" r="7"/><path d="M15 18h2v13h-2z"/></svg>',
)}`;

function navigation(current: NonNullable<Page['current']>): Html {
  const link = (name: string, path: string, title: string) =>
    html`<a href="${path}"${current === name && html` aria-current="page"`}>${title}</a>`;
  return html`<nav aria-label="Your account">${link('account', '/v1/auth/account', 'Account')}${link('security', '/v1/auth/security', 'Security')}</nav>`;
}

export function renderPage({ title, body, current, hasScript }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} – Trefoil</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${ICON}">
<style>${new Html(STYLE)}</style>
</head>
<body${current && html` class="wide"`}>
<header><span class="brand">${LOGO}Trefoil</span>${current && navigation(current)}</header>
<main>
${body}
</main>
${hasScript && html`<script>${new Html(PASSKEY_SCRIPT)}</script>`}
</body>
</html>
`.text;
}
