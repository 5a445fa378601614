// The page at the root address: for people it says what this service is and where to go, for programs it gives the same
// addresses as JSON (docs/decisions/0173-people-and-programs-at-one-address.md).
import type { FastifyInstance } from 'fastify';
import { prefersPage } from '../../http/body/media-type.ts';
import { html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';
import { type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';

export type StartPage = PageOptions & {
  /** The origin of the documentation; undefined where it has none of its own. */
  readonly docsUrl: string | undefined;
};

const DESCRIPTION = 'UK credit reports from up to three bureaus, merged into one, over one API.';

/** `signIn` is an absolute address: a sign-in that began on another host could not finish. */
function startView(docs: string, signIn: string): Page {
  return {
    title: 'Start',
    body: html`<div class="card">
<h1>UK credit reports over one API</h1>
<p>Trefoil asks up to three bureaus and merges what they know into one report.</p>
<p class="quiet">Members of a company sign in to manage their account, their password and their second factors. Programs use the API
with a credential of their company.</p>
<p class="actions"><a class="button" href="${signIn}">Sign in</a><a class="button second" href="${docs}">Documentation</a></p>
<p class="hint">Also here: the <a href="${docs}/reference">API reference</a>, what each <a href="/docs/errors">error code</a>
means, and the <a href="/openapi.json">OpenAPI document</a> for tools.</p>
</div>`,
  };
}

export function registerStartPage(app: FastifyInstance, options: StartPage): void {
  const { baseUrl, docsUrl } = options;
  const signIn = `${baseUrl}/v1/auth/login`;
  const page = startView(`${docsUrl ?? ''}/docs`, signIn);
  const addresses = {
    name: 'Trefoil',
    description: DESCRIPTION,
    documentation: `${docsUrl ?? baseUrl}/docs`,
    reference: `${docsUrl ?? baseUrl}/docs/reference`,
    openapi: `${baseUrl}/openapi.json`,
    errors: `${baseUrl}/docs/errors`,
    signIn,
  };
  registerPages(app, options, (scope) => {
    scope.get('/', async (request, reply) => {
      reply.header('vary', 'Accept');
      return prefersPage(request.headers.accept) ? sendPage(reply, page) : reply.send(addresses);
    });
  });
}
