// Asks a person whether an application other than our own may act for them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import type { Database } from '../../lib/postgres/database.ts';
import type { FindAppName } from '../apps/find-app-name.ts';
import { INTERACTION_OVER } from '../page-kit/notice-views.ts';
import { formOf, formTargetOf, type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';
import { findUser } from '../people/people-store.ts';
import { type OpenInteraction, openInteraction } from './open-interaction.ts';
import { consentView } from './sign-in-views.ts';

export type ConsentPage = PageOptions & {
  readonly database: Database;
  readonly provider: Provider;
  readonly findAppName: FindAppName;
};

/** Grants everything that is missing and nothing else: earlier consent stays in the grant. */
async function grantMissing(provider: Provider, interaction: OpenInteraction, userId: string): Promise<string> {
  const { clientId, grantId, missingScopes, missingResourceScopes } = interaction;
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = known ?? new provider.Grant({ accountId: userId, clientId });
  if (missingScopes.length > 0) grant.addOIDCScope(missingScopes.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes)) {
    grant.addResourceScope(resource, scopes.join(' '));
  }
  return grant.save();
}

export function registerConsentPage(app: FastifyInstance, page: ConsentPage): void {
  const { provider, database } = page;

  async function show(interaction: OpenInteraction, userId: string, reply: FastifyReply) {
    const user = await database.asSystem((tx) => findUser(tx, userId));
    const view = consentView({
      action: `/v1/auth/consent/${encodeURIComponent(interaction.uid)}`,
      appName: (await page.findAppName(interaction.clientId)) ?? 'An application',
      appHost: URL.parse(interaction.redirectUri)?.host ?? '',
      email: user?.email ?? '',
      scopes: [...interaction.missingScopes, ...Object.values(interaction.missingResourceScopes).flat()],
    });
    return sendPage(reply, view, { formTargets: formTargetOf(interaction.redirectUri) });
  }

  async function decide(interaction: OpenInteraction, userId: string, isAllowed: boolean) {
    if (!isAllowed) {
      return interaction.finish({ error: 'access_denied', error_description: 'The person did not allow it.' });
    }
    return interaction.finish({ consent: { grantId: await grantMissing(provider, interaction, userId) } });
  }

  const withPerson =
    (take: (interaction: OpenInteraction, userId: string, request: FastifyRequest) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const interaction = await openInteraction(provider, request, reply);
      const userId = interaction?.session?.userId;
      if (interaction?.prompt !== 'consent' || userId === undefined) {
        return sendPage(reply, INTERACTION_OVER, { status: 400 });
      }
      return take(interaction, userId, request);
    };

  registerPages(app, page, (scope) => {
    const path = '/v1/auth/consent/:uid';
    scope.get(path, { exposeHeadRoute: false }, async (request, reply) =>
      withPerson((interaction, userId) => show(interaction, userId, reply))(request, reply),
    );
    scope.post(
      path,
      withPerson((interaction, userId, request) =>
        decide(interaction, userId, formOf(request)('decision') === 'allow'),
      ),
    );
  });
}
