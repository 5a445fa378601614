// The rendered API reference at /docs/reference and the document behind it. The page runs a third-party bundle, so a script in it
// must not be able to use a session (docs/decisions/0153-the-reference-and-sessions.md; policy.ts). The bundle belongs to the
// documentation site, whose page /docs/reference is (docs/decisions/0288-a-small-document.md). Without the site a server of a
// checkout has a page of its own, and any other says what is not there.
import { buildOpenApi } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lazy } from '../../lib/lazy.ts';
import { type KeptFile, keepFile, present, REVALIDATED } from './kept-file.ts';
import { FAVICON, WITHOUT_SITE } from './plain-page.ts';
import { REFERENCE_ON_ITS_OWN, SANDBOXED } from './policy.ts';
import { STORAGE } from './storage-script.ts';

/** What "Try it" is filled with, where a developer's own server offers it. */
export type Prefill = { readonly tenantId: string; readonly token: string };

export type ReferenceOptions = {
  readonly version: string;
  readonly docsUrl: string | undefined;
  /** Whether the request came to the origin of the documents, which never has a session. */
  readonly isOnItsOwn: (request: FastifyRequest) => boolean;
  /** For development alone. */
  readonly prefill: (() => Promise<Prefill | undefined>) | undefined;
  /** The program that draws the reference, for a server of a checkout without the site. */
  readonly readBundle: (() => Promise<string>) | undefined;
};

type KeptAnswer = { readonly headers: Partial<ReturnType<FastifyReply['getHeaders']>>; readonly file: KeptFile };

/**
 * None of these responses changes while the process lives, and any client may request them: each is made once. Writing the
 * document as YAML alone blocks the event loop for tens of milliseconds.
 */
function keepAnswers(scope: FastifyInstance, nameOf: (request: FastifyRequest) => string): void {
  const kept = new Map<string, KeptAnswer>();
  /** By name: of many first requests at once, one compresses. */
  const making = new Map<string, Promise<KeptFile>>();
  scope.addHook('onRequest', async (request, reply) => {
    const answer = kept.get(nameOf(request));
    if (answer) return reply.headers(answer.headers).send(present(request, reply, answer.file));
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    reply.header('cache-control', REVALIDATED);
    const { 'x-request-id': _, ...headers } = reply.getHeaders();
    const name = nameOf(request);
    const begun = making.get(name) ?? keepFile(Buffer.from(payload));
    making.set(name, begun);
    const file = await begun;
    kept.set(name, { headers, file });
    // Null and not undefined, which would leave the text as it is.
    return present(request, reply, file) ?? null;
  });
}

/** The reference where there is no site around it. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Trefoil API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${FAVICON}">
</head>
<body>
<div id="app"></div>
<script src="/docs/js/storage.js"></script>
<script src="/docs/js/scalar.js"></script>
<script src="/docs/js/start.js"></script>
</body>
</html>
`;

const CONFIGURATION = {
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  // The contract's order, which begins with what a client must send.
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  // Ctrl+K is the site's own search.
  searchHotKey: 'j',
  // Inside the site the page's own switch decides, which start.js follows.
  hideDarkModeToggle: true,
  customCss: `
    /* A webhook is posted by this service, so a reader has nothing to send. */
    section[id*="/webhook/"] .show-api-client-button { display: none; }
    /* Text in the bundle's own colours is too faint to be read by everybody, and the arrows of its list are too small to be hit. */
    .light-mode {
      --scalar-color-2: #555; --scalar-color-3: #666; --scalar-color-green: #08753a; --scalar-color-blue: #0067ad; --scalar-color-red: #c00;
      --scalar-color-orange: #a84a00; --scalar-color-yellow: #7a5c00;
    }
    .dark-mode { --scalar-color-3: #999; --scalar-color-red: #ff6b6b; }
    button[aria-expanded].absolute { padding: 4px; }`,
} as const;

/** Follows the site's switch between light and dark; without the site, the browser's. */
const start = (configuration: object) => `const light = matchMedia('(prefers-color-scheme: light)');
const isDark = () => (document.documentElement.dataset.theme ?? (light.matches ? 'light' : 'dark')) === 'dark';
const paint = () => {
  document.body.classList.toggle('dark-mode', isDark());
  document.body.classList.toggle('light-mode', !isDark());
};
Scalar.createApiReference('#app', { ...${JSON.stringify(configuration)}, darkMode: isDark() });
new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ['data-theme'] });
light.addEventListener('change', paint);
// The bundle folds what comes after the twelfth field; of the generate request that is "test", which nobody may overlook. And it
// leaves out what readers need who do not see the page, or use the keyboard.
const seen = new WeakSet();
new MutationObserver(() => {
  for (const menu of document.querySelectorAll('[data-main] header')) {
    // The page's own header is the banner; this one opens the list of operations on a phone.
    menu.setAttribute('role', 'presentation');
    menu.parentElement.setAttribute('role', 'navigation');
    menu.parentElement.setAttribute('aria-label', 'Menu of operations');
  }
  for (const list of document.querySelectorAll('#app ul.endpoints')) list.tabIndex = 0;
  for (const button of document.querySelectorAll('#app .scalar-code-copy:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  for (const fold of document.querySelectorAll('.additional-toggle--tree[aria-expanded="false"]')) {
    if (seen.has(fold)) continue;
    seen.add(fold);
    fold.click();
  }
}).observe(document.querySelector('#app'), { childList: true, subtree: true });
`;

/** On the origin of the API no request can be tried: the button leads to the same operation on the origin of the documents. */
const leadTo = (docsUrl: string) => `addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('.show-api-client-button') : null;
  if (!button) return;
  event.stopImmediatePropagation();
  const id = button.closest('section[id]')?.id ?? '';
  location.href = ${JSON.stringify(new URL('/docs/reference?try', docsUrl).href)} + (id && '#' + id);
}, true);
`;

/** A reader who comes from there has pressed the button already. */
const OPEN_TRIED = `if (new URLSearchParams(location.search).has('try')) {
  const id = decodeURIComponent(location.hash.slice(1));
  const waiting = new MutationObserver(() => {
    const button = id && document.getElementById(id)?.querySelector('.show-api-client-button');
    if (!button) return;
    waiting.disconnect();
    button.click();
  });
  waiting.observe(document.querySelector('#app'), { childList: true, subtree: true });
}
`;

type Flow = { scopes: Record<string, string> };
type Described = {
  paths: Record<string, Record<string, { security?: { oauth?: string[] }[] }>>;
  components: { securitySchemes: { oauth: { flows: Record<string, Flow> } } };
};

/** The document without scopes that no operation needs: a reader would ask what they are for. */
function withoutUnusedScopes(document: object): object {
  const { paths, components } = document as Described;
  const { securitySchemes } = components;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const used = new Set(operations.flatMap(({ security = [] }) => security.flatMap(({ oauth = [] }) => oauth)));
  const onlyUsed = (scopes: Flow['scopes']) =>
    Object.fromEntries(Object.entries(scopes).filter(([scope]) => used.has(scope)));
  const flows = Object.fromEntries(
    Object.entries(securitySchemes.oauth.flows).map(([name, flow]) => [
      name,
      { ...flow, scopes: onlyUsed(flow.scopes) },
    ]),
  );
  const oauth = { ...securitySchemes.oauth, flows };
  return { ...document, components: { ...components, securitySchemes: { ...securitySchemes, oauth } } };
}

/** A document in which the tenant of every path is the developer's own, and a token with which requests can be sent at once. */
function prefilled(document: object, { tenantId, token }: Prefill): object {
  const { components } = document as { components: { parameters: Record<string, object> } };
  const parameters = {
    ...components.parameters,
    tenantId: { ...components.parameters['tenantId'], example: tenantId },
  };
  const content = { ...document, components: { ...components, parameters } };
  const securitySchemes = { oauth: { flows: { clientCredentials: { token } } } };
  return { content, authentication: { preferredSecurityScheme: 'oauth', securitySchemes } };
}

export function registerReference(app: FastifyInstance, options: ReferenceOptions): void {
  const { version, docsUrl, isOnItsOwn, prefill, readBundle } = options;
  // Most processes are never asked for these, and all of them together take tens of milliseconds.
  const published = lazy(() => buildOpenApi(version));
  const document = lazy(() => withoutUnusedScopes(published()));
  const startTrying = (values: object) => start({ ...CONFIGURATION, ...values }) + OPEN_TRIED;
  const trying = lazy(() => startTrying({ content: document() }));
  const reading = lazy(() => {
    const only = { hideTestRequestButton: docsUrl === undefined, documentDownloadType: 'none' } as const;
    const text = start({ ...CONFIGURATION, content: document(), ...only });
    return docsUrl === undefined ? text : text + leadTo(docsUrl);
  });
  const text = lazy(() => JSON.stringify(published()));
  app.register(async (scope) => {
    keepAnswers(scope, () => 'the document');
    scope.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text()));
  });
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('content-security-policy', isOnItsOwn(request) ? REFERENCE_ON_ITS_OWN : SANDBOXED);
    });
    keepAnswers(scope, (request) => `${isOnItsOwn(request)} ${request.routeOptions.url}`);
    const script = 'text/javascript; charset=utf-8';
    const page = readBundle ? PAGE : WITHOUT_SITE;
    for (const path of ['/docs', '/docs/', '/docs/reference']) {
      scope.get(path, async (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
    }
    // Where earlier releases had copies of the document. Readers of YAML read JSON.
    for (const path of ['/docs/openapi.json', '/docs/openapi.yaml']) {
      scope.get(path, async (_request, reply) => reply.redirect('/openapi.json', 308));
    }
    if (readBundle)
      scope.get('/docs/js/scalar.js', async (_request, reply) => reply.type(script).send(await readBundle()));
    scope.get('/docs/js/storage.js', async (_request, reply) => reply.type(script).send(STORAGE));
    scope.get('/docs/js/start.js', async (request, reply) => {
      const values = isOnItsOwn(request) ? await prefill?.() : undefined;
      if (!values) return reply.type(script).send(isOnItsOwn(request) ? trying() : reading());
      // A page of another origin could otherwise run this script and read the values in it.
      reply.header('cross-origin-resource-policy', 'same-origin');
      // Bytes are not kept: the token in them ends.
      return reply.type(script).send(Buffer.from(startTrying(prefilled(document(), values))));
    });
  });
}
