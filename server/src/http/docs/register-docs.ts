// Everything below /docs: the documentation site where it has been built, the API reference, and a page for each error code.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerErrorPages } from './error-pages.ts';
import { readSite } from './read-site.ts';
import { type ReferenceOptions, registerReference } from './reference.ts';
import { serveSite } from './serve-site.ts';

export type { Prefill } from './reference.ts';

export type DocsOptions = Omit<ReferenceOptions, 'isOnItsOwn'> & {
  readonly baseUrl: string;
  /** Where the site is, if it has been built. */
  readonly siteFolder: string | undefined;
};

export function registerDocs(app: FastifyInstance, options: DocsOptions): void {
  const { baseUrl, docsUrl, siteFolder } = options;
  const docsHost = docsUrl && new URL(docsUrl).host;
  const isOnItsOwn = ({ headers }: FastifyRequest) => docsHost !== undefined && headers.host === docsHost;
  const site = siteFolder === undefined ? undefined : readSite(siteFolder);
  app.register(async (scope) => {
    if (site) serveSite(scope, { site, baseUrl, isOnItsOwn });
    registerErrorPages(scope, baseUrl);
    registerReference(scope, { ...options, isOnItsOwn });
  });
}
