// The pages of a sign-in (docs/decisions/0131): password, second factor, and the second factor alone for somebody who is
// signed in and needs a fresh proof. What they prove goes to the OAuth library, which issues the code.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openInteraction } from '../sign-in/open-interaction.ts';
import { type SignInPages, type Step, show, takeCode, takePasskey, takePassword } from '../sign-in/sign-in-steps.ts';
import { INTERACTION_OVER } from './notice-views.ts';
import { formOf, registerPages, sendPage } from './page-scope.ts';

export function registerSignInPages(app: FastifyInstance, pages: SignInPages): void {
  /** Opens the interaction for a step, or says that it is over. */
  const withStep =
    (take: (step: Step, request: FastifyRequest) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const interaction = await openInteraction(pages.provider, request, reply);
      if (!interaction) return sendPage(reply, INTERACTION_OVER, { status: 400 });
      if (interaction.prompt === 'consent') {
        return reply.redirect(`/v1/auth/consent/${encodeURIComponent(interaction.uid)}`, 303);
      }
      return take({ pages, interaction, reply }, request);
    };

  registerPages(app, pages, (scope) => {
    const path = '/v1/auth/sign-in/:uid';
    scope.get(
      path,
      { exposeHeadRoute: false },
      withStep((step) => show(step)),
    );
    scope.post(path, withStep(takePassword));
    scope.post(
      `${path}/code`,
      withStep((step, request) => takeCode(step, { kind: 'totp', text: formOf(request)('code') })),
    );
    scope.post(
      `${path}/recovery-code`,
      withStep((step, request) => takeCode(step, { kind: 'recovery', text: formOf(request)('recoveryCode') })),
    );
    scope.post(
      `${path}/passkey`,
      withStep((step, request) => takePasskey(step, formOf(request)('answer'))),
    );
  });
}
