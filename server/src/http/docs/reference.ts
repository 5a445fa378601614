// The rendered API reference at /docs and the document behind it. The page runs a third-party bundle, so a script in it
// must not be able to use a session (docs/decisions/0153-the-reference-and-sessions.md). Where the reference has no origin
// of its own, the page is sandboxed, and its policy forbids inline scripts and all connections.
import scalar from '@scalar/fastify-api-reference';
import { buildOpenApi } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export type ReferenceOptions = {
  readonly version: string;
  /** The origin of the reference; undefined where it has none of its own. */
  readonly docsUrl: string | undefined;
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** Without `allow-same-origin`: a script in the page has no origin, no cookies and no storage. */
export const SANDBOXED = [...POLICY, "connect-src 'none'", 'sandbox allow-scripts'].join('; ');
/** On its own origin, which never has a session, readers can try requests out. */
const ON_ITS_OWN = [...POLICY, "connect-src 'self'"].join('; ');

/** Inline, so that the browser fetches none. */
export const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#15803d"><circle cx="16" cy="9" r="7"/><circle cx="9" cy="19" r="7"/><circle cx="23" cy="19" r="7"/><path d="M15 18h2v13h-2z"/></svg>',
)}`;

type KeptAnswer = { readonly headers: Partial<ReturnType<FastifyReply['getHeaders']>>; readonly body: Buffer };

/**
 * None of these responses changes while the process lives, and any client may request them: each is made once. Writing the
 * document as YAML alone blocks the event loop for tens of milliseconds.
 */
function keepAnswers(scope: FastifyInstance, nameOf: (request: FastifyRequest) => string): void {
  const kept = new Map<string, KeptAnswer>();
  scope.addHook('onRequest', async (request, reply) => {
    const answer = kept.get(nameOf(request));
    if (answer) return reply.headers(answer.headers).send(answer.body);
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const { 'x-request-id': _, ...headers } = reply.getHeaders();
    const body = Buffer.from(payload);
    kept.set(nameOf(request), { headers, body });
    return body;
  });
}

/** Replaces the plugin's page, which starts the bundle from an inline script. */
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

/** A sandboxed page has no storage, which the bundle does not expect: this one lasts as long as the page. */
const STORAGE = `for (const name of ['localStorage', 'sessionStorage']) {
  try {
    window[name].length;
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, text) => void kept.set(String(key), String(text)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (index) => [...kept.keys()][index] ?? null,
      get length() { return kept.size; },
    };
    Object.defineProperty(window, name, { value });
  }
}
`;

const CONFIGURATION = {
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
} as const;

const start = (configuration: object) => `Scalar.createApiReference('#app', ${JSON.stringify(configuration)});\n`;

export function registerReference(app: FastifyInstance, { version, docsUrl }: ReferenceOptions): void {
  const document = buildOpenApi(version);
  const docsHost = docsUrl && new URL(docsUrl).host;
  const isOnItsOwn = ({ headers }: FastifyRequest) => docsHost !== undefined && headers.host === docsHost;
  const trying = start({ ...CONFIGURATION, content: document });
  const reading = start({
    ...CONFIGURATION,
    content: document,
    hideTestRequestButton: true,
    documentDownloadType: 'none',
  });
  const text = JSON.stringify(document);
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text));
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('content-security-policy', isOnItsOwn(request) ? ON_ITS_OWN : SANDBOXED);
    });
    scope.addHook('onSend', async (_request, reply, payload) =>
      String(reply.getHeader('content-type')).startsWith('text/html') ? PAGE : payload,
    );
    keepAnswers(scope, (request) => `${isOnItsOwn(request)} ${request.routeOptions.url}`);
    const script = 'text/javascript; charset=utf-8';
    scope.get('/docs/js/storage.js', async (_request, reply) => reply.type(script).send(STORAGE));
    scope.get('/docs/js/start.js', async (request, reply) =>
      reply.type(script).send(isOnItsOwn(request) ? trying : reading),
    );
    await scope.register(scalar, { routePrefix: '/docs', configuration: { content: document } });
  });
}
