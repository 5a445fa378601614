// Serves the built documentation site below /docs. Its files are public and the same for everybody; its pages have the
// policies of policy.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';
import { prefersPage } from '../body/media-type.ts';
import { pathOf } from '../route-table.ts';
import { present, REVALIDATED } from './kept-file.ts';
import { sitePolicy } from './policy.ts';
import type { Site, SiteFile } from './read-site.ts';

export type SiteOptions = {
  readonly site: Site;
  readonly baseUrl: string;
  readonly isOnItsOwn: (request: FastifyRequest) => boolean;
};

const IMMUTABLE = 'public, max-age=31536000, immutable';
const REFERENCE = '/docs/reference';
/** Addresses that pages had before. */
const MOVED: ReadonlyMap<string, string> = new Map([
  ['/docs/test-values', '/docs/sandbox'],
  ['/docs/test-values.md', '/docs/sandbox.md'],
]);

export function serveSite(scope: FastifyInstance, { site, baseUrl, isOnItsOwn }: SiteOptions): void {
  function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile, status = 200): FastifyReply {
    const isReference = pathOf(request.url) === REFERENCE;
    reply.headers({
      'content-type': file.type,
      'cache-control': file.isImmutable ? IMMUTABLE : REVALIDATED,
      'content-security-policy': sitePolicy(baseUrl, { isReference, isOnItsOwn: isOnItsOwn(request) }),
      // A sandboxed page has no origin: browsers give it scripts and the search index only with this header.
      ...(!file.isPage && { 'access-control-allow-origin': '*' }),
    });
    return reply.send(present(request, reply, file, status));
  }

  // Before the routes: the site has pages at addresses that are served without it too.
  scope.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url);
    const file = site.find(path);
    if (file) return sendFile(request, reply, file);
    // Links of others and typed addresses often end with a slash; our own do not.
    const shorter = path.endsWith('/') ? path.slice(0, -1) : undefined;
    if (shorter !== undefined && site.find(shorter)?.isPage) return reply.redirect(shorter, 308);
    const moved = MOVED.get(shorter ?? path);
    if (moved !== undefined && site.find(moved)) return reply.redirect(moved, 308);
  });
  // Where programs look for it.
  scope.get('/llms.txt', async (_request, reply) => reply.redirect('/docs/llms.txt', 302));
  scope.get('/docs/*', async (request, reply) => {
    if (!site.notFound || !prefersPage(request.headers.accept)) throw new ServiceError('not-found');
    return sendFile(request, reply, site.notFound, 404);
  });
}
