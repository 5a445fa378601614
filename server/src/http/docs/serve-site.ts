// Serves the built documentation site below /docs. Its files are public and the same for everybody; its pages have the
// policies of policy.ts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';
import { acceptedEncodings, prefersPage } from '../body/media-type.ts';
import { addVary } from '../headers.ts';
import { pathOf } from '../route-table.ts';
import { sitePolicy } from './policy.ts';
import type { Site, SiteFile } from './read-site.ts';

export type SiteOptions = {
  readonly site: Site;
  readonly baseUrl: string;
  readonly isOnItsOwn: (request: FastifyRequest) => boolean;
};

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Browsers keep it and ask each time whether it is still the same. */
const REVALIDATED = 'no-cache';
const REFERENCE = '/docs/reference';

/** RFC 9110, 13.1.2; the header may list several tags, each also in its weak form. */
const isUnchanged = ({ headers }: FastifyRequest, etag: string) =>
  (headers['if-none-match'] ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);

export function serveSite(scope: FastifyInstance, { site, baseUrl, isOnItsOwn }: SiteOptions): void {
  function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile, status = 200): FastifyReply {
    const isReference = pathOf(request.url) === REFERENCE;
    reply.headers({
      'content-type': file.type,
      'cache-control': file.isImmutable ? IMMUTABLE : REVALIDATED,
      etag: file.etag,
      'content-security-policy': sitePolicy(baseUrl, { isReference, isOnItsOwn: isOnItsOwn(request) }),
      // A sandboxed page has no origin: browsers give it scripts and the search index only with this header.
      ...(!file.isPage && { 'access-control-allow-origin': '*' }),
    });
    if (file.compressed) addVary(reply, 'Accept-Encoding');
    if (status === 200 && isUnchanged(request, file.etag)) return reply.code(304).send();
    const isCompressed =
      file.compressed && acceptedEncodings(request.headers['accept-encoding'], ['br']).includes('br');
    if (isCompressed) reply.header('content-encoding', 'br');
    return reply.code(status).send(isCompressed ? file.compressed : file.body);
  }

  // Before the routes: the site has pages at addresses that are served without it too.
  scope.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url);
    const file = site.find(path);
    if (file) return sendFile(request, reply, file);
    // Links of others and typed addresses often end with a slash; our own do not.
    const shorter = path.endsWith('/') ? path.slice(0, -1) : undefined;
    if (shorter !== undefined && site.find(shorter)?.isPage) return reply.redirect(shorter, 308);
  });
  scope.get('/docs/*', async (request, reply) => {
    if (!site.notFound || !prefersPage(request.headers.accept)) throw new ServiceError('not-found');
    return sendFile(request, reply, site.notFound, 404);
  });
}
