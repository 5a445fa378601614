// The mailbox for people: one page that needs no script. It shows a mail's text with its links; it never runs the
// mail's HTML.
import { PAGE_HEADERS } from '../carrier/inbox-page.ts';
import type { ReceivedMail } from './inbox.ts';

export { PAGE_HEADERS };

const SHOWN_MAX = 50;
const REFRESH_SECONDS = 3;

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem 4rem;
  background: light-dark(#fff, #16191e); color: light-dark(#1a1d22, #eceff4); }
a { color: light-dark(#0b57a4, #8ec5ff); } :focus-visible { outline: 3px solid; outline-offset: 2px; }
article { border: 1px solid light-dark(#c9ced6, #454b55); border-radius: .6rem; padding: .8rem 1rem; margin: 1rem 0; }
h2 { font-size: 1.1rem; margin: 0; } p { margin: .25rem 0; } .muted { color: light-dark(#4d5562, #b3bac6); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }`;

export function writeMailPage(mails: readonly ReceivedMail[], isRefreshing: boolean): string {
  const shown = mails.slice(0, SHOWN_MAX);
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isRefreshing ? `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : ''}
<title>${mails.length} ${mails.length === 1 ? 'mail' : 'mails'} – mail simulator</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Mail</h1>
<p class="muted">What the mail simulator took, newest first. Nothing here left this machine.
${isRefreshing ? '<a href="/inbox?refresh=off">Stop reloading</a>' : '<a href="/inbox">Reload by itself</a>'}</p>
${shown.length === 0 ? '<p>No mail yet.</p>' : shown.map(writeArticle).join('\n')}
</main>
</body>
</html>
`;
}

const writeArticle = ({ to, from, subject, text, receivedAt }: ReceivedMail) => `<article>
<h2>${toHtml(subject)}</h2>
<p class="muted">To ${toHtml(to)}, from ${toHtml(from)}, <time datetime="${toHtml(receivedAt)}">${toHtml(receivedAt)}</time></p>
<p class="text">${withLinks(text)}</p>
</article>`;

const withLinks = (text: string) =>
  toHtml(text).replaceAll(/https?:\/\/[^\s&<>]+/g, (url) => `<a href="${url}">${url}</a>`);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const toHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
