// The frame of every page and its content security policy: a page loads nothing from anywhere, and the policy names the one
// stylesheet and the scripts by their hashes.
import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { STYLE } from './style.ts';

export type Page = {
  readonly title: string;
  readonly body: Html;
  /** Pages with lists are wider, and mark the current page in the navigation. */
  readonly current?: 'account' | 'security' | undefined;
  /** Beside the script of all pages. It may call the page's own address. */
  readonly script?: PageScript | undefined;
};

export type PageScript = { readonly text: string; readonly hash: string };

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const STYLE_HASH = hashOf(STYLE);
const SCRIPT_HASH = hashOf(PAGE_SCRIPT);

export const createPageScript = (text: string): PageScript => ({ text, hash: hashOf(text) });

/** `formTargets`: other origins a form may lead to, since browsers apply the policy to redirects after a form too. */
export function contentPolicy(formTargets: readonly string[] = [], script?: PageScript): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASH}`,
    `script-src ${SCRIPT_HASH}${script ? ` ${script.hash}` : ''}`,
    ...(script ? ["connect-src 'self'"] : []),
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
  // The start page leads a person who is signed in to the console, or back here where none is built.
  return html`<div class="navigation"><nav aria-label="Your account"><a href="/">Console</a>${link('account', '/v1/auth/account', 'Account')}${link('security', '/v1/auth/security', 'Security')}</nav>
<form method="post" action="/v1/auth/logout"><button class="second">Sign out</button></form></div>`;
}

export function renderPage({ title, body, current, script }: Page): string {
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
<header><a class="brand" href="/">${LOGO}Trefoil</a>${current && navigation(current)}</header>
<main>
${body}
</main>
<script>${new Html(PAGE_SCRIPT)}</script>
${
  script &&
  html`<script>${new Html(script.text)}</script>
`
}</body>
</html>
`.text;
}
