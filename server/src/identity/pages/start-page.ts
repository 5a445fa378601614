// The page at the root address: it leads people who are signed in to where they work, tells others what this service is and
// where to go, and gives programs the same addresses as JSON (docs/decisions/0173-people-and-programs-at-one-address.md).
import type { FastifyInstance } from 'fastify';
import { prefersPage } from '../../http/body/media-type.ts';
import { html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';
import { type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';
import type { ReadSession } from '../sessions/person-session.ts';

export type StartPage = PageOptions & {
  /** The origin of the documentation; undefined where it has none of its own. */
  readonly docsUrl: string | undefined;
  /** Where people begin after they have signed in. */
  readonly homePath: string;
  readonly readSession: ReadSession;
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
  const { baseUrl, docsUrl, homePath, readSession } = options;
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
      if (!prefersPage(request.headers.accept)) return reply.send(addresses);
      if (await readSession(request, reply)) return reply.redirect(homePath, 303);
      return sendPage(reply, page);
    });
  });
}
