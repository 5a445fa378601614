// The rendered API reference at /docs and the document behind it. Everything is served from here: the page makes no
// request to anyone else, and its content policy would stop one.

import scalar from '@scalar/fastify-api-reference';
import { buildOpenApi } from '@trefoil/contract';
import type { FastifyInstance } from 'fastify';

const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Inline, so that the browser asks nobody for one. */
const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#15803d"><circle cx="16" cy="9" r="7"/><circle cx="9" cy="19" r="7"/><circle cx="23" cy="19" r="7"/><path d="M15 18h2v13h-2z"/></svg>',
)}`;

export function registerReference(app: FastifyInstance, version: string): void {
  const document = buildOpenApi(version);
  app.get('/openapi.json', async () => document);
  app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', CONTENT_POLICY);
    });
    await scope.register(scalar, {
      routePrefix: '/docs',
      configuration: {
        content: document,
        pageTitle: 'Trefoil API reference',
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        favicon: FAVICON,
        withDefaultFonts: false,
        defaultOpenAllTags: true,
        hideClientButton: true,
        showDeveloperTools: 'never',
      },
    });
  });
}
