// How the server's own pages below /docs look: one text, without scripts.
import { escapeHtml } from '../../lib/rules/escape-html.ts';

/** Inline, so that the browser fetches none. */
export const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#15803d"><circle cx="16" cy="9" r="7"/><circle cx="9" cy="19" r="7"/><circle cx="23" cy="19" r="7"/><path d="M15 18h2v13h-2z"/></svg>',
)}`;

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;max-width:44rem;margin:0 auto;padding:2rem 1.25rem;color:#1c1917;background:#fff}
a{color:#15803d}code,pre{font-family:ui-monospace,monospace;font-size:.9em}h1{font-size:1.5rem;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin-top:2rem}code{overflow-wrap:anywhere}pre{padding:1rem;border-radius:.5rem;background:#f5f5f4;
white-space:pre-wrap;overflow-wrap:anywhere}li{margin:.5rem 0}
@media (prefers-color-scheme:dark){body{color:#e7e5e4;background:#1c1917}a{color:#4ade80}pre{background:#292524}}`;

export const plainPage = (title: string, main: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} · Trefoil</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${escapeHtml(FAVICON)}">
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;

/** In place of the documentation, where no site has been built. */
export const WITHOUT_SITE = plainPage(
  'Documentation',
  `<h1>Documentation</h1>
<p>This server has no documentation site, so the guides and the API reference are not here. Its operator adds them with
<code>npm run site</code>. What is here:</p>
<ul>
<li><a href="/openapi.json">The OpenAPI document</a>: every operation, field and example, for tools.</li>
<li><a href="/docs/errors">Error codes</a>: what each means and what to do.</li>
</ul>`,
);
