// Everything below /console: the built console's files, and its one page at every address that a page of it may have. The
// page is the same for everybody and holds no data: what it shows it asks the API for, with the sign-in's cookies.
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';
import { chooseForm } from '../body/compressed.ts';
import { createOwnNameHook } from '../own-name.ts';
import { pathOf } from '../route-table.ts';
import type { Console } from './read-console.ts';

/** No inline script or style, no text that becomes a script, and no other host (docs/decisions/0228-the-console.md). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'none'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  // Under `no-referrer` a browser posts the sign-out form with `Origin: null`, which is refused.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Names of places and ids: an address with any other character is no page of the console. */
const PAGE = /^\/console(\/[\w-]+)*\/?$/;

const NOT_BUILT = `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<title>Console · Trefoil</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
</head>
<body>
<main>
<h1>The console is not built on this server</h1>
<p>The operator builds it with <code>npm run console</code> and starts the server again.</p>
<p><a href="/v1/auth/account">Go to your account</a></p>
</main>
</body>
</html>
`;

/** `built` is undefined where no console has been built. */
export function registerConsole(app: FastifyInstance, built: Console | undefined, baseUrl: string): void {
  app.get<{ Params: { '*': string } }>('/console/assets/*', async (request, reply) => {
    const file = built?.findAsset(request.params['*']);
    if (!file) throw new ServiceError('not-found');
    reply.headers({
      'content-type': file.type,
      'cache-control': IMMUTABLE,
      // For an image that is opened as a page.
      'content-security-policy': POLICY,
    });
    return reply.send(chooseForm(request, reply, file));
  });

  const onRequest = createOwnNameHook(baseUrl);
  for (const address of ['/console', '/console/', '/console/*']) {
    app.get(address, { onRequest }, async (request, reply) => {
      if (!PAGE.test(pathOf(request.url))) throw new ServiceError('not-found');
      reply.headers(PAGE_HEADERS);
      return built ? reply.send(built.index) : reply.code(404).send(NOT_BUILT);
    });
  }
}
