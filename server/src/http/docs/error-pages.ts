// A page for each error code, which `docs` in every error body links to, and a list of them. Where the documentation site is
// built it has these pages instead; these are for servers without it and for codes that it lacks. Rendered once at the start;
// no script runs in them, and they have the content policy of the reference
// (docs/decisions/0153-the-reference-and-sessions.md, 0159-pages-about-errors.md).
import { ERROR_CODES, ERRORS, type ErrorCode, errorExample } from '@trefoil/contract';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../../lib/rules/escape-html.ts';
import { plainPage } from './plain-page.ts';
import { SANDBOXED } from './policy.ts';

/** The catalogue writes code in backticks. */
const prose = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

function codePage(code: ErrorCode, baseUrl: string): string {
  const { status, meaning, remedy } = ERRORS[code];
  return plainPage(
    `${status} ${code}`,
    `<h1>${status} <code>${code}</code></h1>
<h2>What it means</h2>
<p>${prose(meaning)}</p>
<h2>What to do</h2>
<p>${prose(remedy)}</p>
<h2>An example</h2>
<pre>${escapeHtml(JSON.stringify(errorExample(code, baseUrl), null, 2))}</pre>
<p>Programs read <code>code</code>; <code>message</code> is for people and may be reworded.</p>
<p><a href="/docs/errors">All error codes</a> · <a href="/docs/reference">The API reference</a></p>`,
  );
}

function listPage(): string {
  const items = ERROR_CODES.map(
    (code) =>
      `<li>${ERRORS[code].status} <a href="/docs/errors/${code}"><code>${code}</code></a>: ${prose(ERRORS[code].meaning)}</li>`,
  );
  return plainPage(
    'Error codes',
    `<h1>Error codes</h1>
<p>Every error body has a <code>code</code> from this list, a <code>message</code>, a <code>requestId</code>, and in
<code>docs</code> the address of the page about its code.</p>
<ul>
${items.join('\n')}
</ul>
<p><a href="/docs/reference">The API reference</a></p>`,
  );
}

export function registerErrorPages(app: FastifyInstance, baseUrl: string): void {
  const pages = new Map(ERROR_CODES.map((code) => [`/docs/errors/${code}`, codePage(code, baseUrl)]));
  pages.set('/docs/errors', listPage());
  for (const [path, text] of pages) {
    app.get(path, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', SANDBOXED).send(text),
    );
  }
}
