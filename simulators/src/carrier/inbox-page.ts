// The inbox for people: one page that needs no script, in light and dark, with the newest message first.
import type { Message, Receipt } from './inbox.ts';

const SHOWN_MAX = 100;
const REFRESH_SECONDS = 3;

export type PageOptions = { readonly to: string | undefined; readonly isRefreshing: boolean };

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // Whatever a message contains, the page loads and runs nothing of it.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
} as const;

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#c9ced6, #454b55); --soft: light-dark(#f4f5f7, #23272e);
  --muted: light-dark(#4d5562, #b3bac6); --link: light-dark(#0b57a4, #8ec5ff); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 1.5rem 1rem 4rem;
  background: light-dark(#fff, #16191e); color: light-dark(#1a1d22, #eceff4); }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1rem; margin: 0; }
p { margin: .25rem 0; } a { color: var(--link); } .muted { color: var(--muted); }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0 1.5rem; }
input, button { font: inherit; padding: .3rem .6rem; border: 1px solid var(--muted); border-radius: .35rem; }
input::placeholder { color: var(--muted); opacity: 1; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
ol { list-style: none; margin: 0; padding: 0; } ol > li { margin: 0 0 1rem; }
article { border: 1px solid var(--line); border-radius: .6rem; padding: .8rem 1rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); border-radius: .5rem;
  padding: .6rem .8rem; margin: .6rem 0; font-size: 1.05rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: 0; font-size: .875rem; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }`;

export function writeInboxPage(messages: readonly Message[], { to, isRefreshing }: PageOptions): string {
  const shown = messages.slice(0, SHOWN_MAX);
  const query = (refresh: boolean) => {
    const parameters = new URLSearchParams({ ...(to !== undefined && { to }), ...(!refresh && { refresh: 'off' }) });
    return `/inbox${parameters.size > 0 ? `?${parameters}` : ''}`;
  };
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isRefreshing ? `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : ''}
<title>${messages.length} ${messages.length === 1 ? 'message' : 'messages'} – carrier simulator</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Messages</h1>
<p class="muted">What the carrier simulator took, newest first. Nothing here was sent to a real phone.</p>
<p class="muted">${
    isRefreshing
      ? `This page reloads every ${REFRESH_SECONDS} seconds. <a href="${toHtml(query(false))}">Stop reloading</a>`
      : `This page does not reload. <a href="${toHtml(query(true))}">Reload by itself</a>`
  }</p>
<form action="/inbox" method="get">
<label for="to">Only to this number</label>
<input id="to" name="to" type="tel" size="16" autocomplete="off" placeholder="+447700900123" value="${toHtml(to ?? '')}">
${isRefreshing ? '' : '<input type="hidden" name="refresh" value="off">'}
<button>Show</button>
${to === undefined ? '' : '<a href="/inbox">Show all</a>'}
</form>
${shown.length === 0 ? '<p>No messages yet.</p>' : `<ol>\n${shown.map(writeMessage).join('\n')}\n</ol>`}
${messages.length > shown.length ? `<p class="muted">${messages.length - shown.length} older ones are in <a href="/inbox.json">inbox.json</a>.</p>` : ''}
</main>
</body>
</html>
`;
}

function writeMessage({ to, from, body, sid, sendId, receivedAt, receipts, encoding, segments }: Message): string {
  return `<li><article>
<header><h2>To ${toHtml(spaced(to))}</h2> ${writeTime(receivedAt)}</header>
<p class="text">${toHtml(body)}</p>
<dl>
<dt>From</dt><dd>${toHtml(spaced(from))}</dd>
<dt>Length</dt><dd>${segments} ${segments === 1 ? 'segment' : 'segments'}, ${encoding}</dd>
<dt>Receipts</dt><dd>${receipts.length === 0 ? 'none' : receipts.map(writeReceipt).join(', ')}</dd>
<dt>Send</dt><dd>${toHtml(sendId ?? '–')}</dd>
<dt>Reference</dt><dd>${toHtml(sid)}</dd>
</dl>
</article></li>`;
}

const writeReceipt = ({ status, answer }: Receipt) =>
  `${toHtml(status)} (${answer === null ? 'no answer' : `answered ${answer}`})`;

const writeTime = (at: string) =>
  `<time class="muted" datetime="${toHtml(at)}">${toHtml(at.slice(0, 10))} ${toHtml(at.slice(11, 19))} UTC</time>`;

/** A British mobile number as people read it out. */
const spaced = (number: string) => number.replace(/^(\+44)(\d{4})(\d{6})$/, '$1 $2 $3');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const toHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
