// The pages of a sign-in (docs/decisions/0131-pages.md): password, second factor, and the second factor alone for a
// signed-in person who needs a fresh proof. Their result goes to the OAuth library, which issues the code.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { INTERACTION_OVER } from '../page-kit/notice-views.ts';
import { formOf, registerPages, sendPage } from '../page-kit/page-scope.ts';
import { openInteraction } from './open-interaction.ts';
import { begin, type SignInPages, type Step, takeCode, takePasskey, takePassword } from './sign-in-steps.ts';

export function registerSignInPages(app: FastifyInstance, pages: SignInPages): void {
  /** Opens the interaction for a step, or says that it has ended. */
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
    scope.get(path, { exposeHeadRoute: false }, withStep(begin));
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
