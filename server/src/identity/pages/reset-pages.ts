// The pages of a forgotten password. The token stands in the path, which is never logged and never sent elsewhere.
import type { FastifyInstance } from 'fastify';
import { isEmail } from '../../lib/email.ts';
import { ServiceError } from '../../lib/errors.ts';
import { describeError, type Log } from '../../lib/log.ts';
import {
  askForReset,
  findReset,
  mayAskForReset,
  type ResetDependencies,
  resetPassword,
} from '../proofs/reset-password.ts';
import { LINK_OVER, noticeView } from './notice-views.ts';
import { formOf, registerPages, sendPage } from './page-scope.ts';
import { PASSWORD_FAULTS } from './password-words.ts';
import { ASKED, chooseView, forgottenView, RESET_DONE } from './reset-views.ts';

export type ResetPages = ResetDependencies & { readonly baseUrl: string; readonly log: Log };

export function registerResetPages(app: FastifyInstance, pages: ResetPages): void {
  const over = noticeView(LINK_OVER);

  registerPages(app, pages, (scope) => {
    scope.get('/v1/auth/forgotten-password', { exposeHeadRoute: false }, async (_request, reply) =>
      sendPage(reply, forgottenView()),
    );
    scope.post('/v1/auth/forgotten-password', async (request, reply) => {
      const email = formOf(request)('email').trim();
      if (!isEmail(email)) {
        return sendPage(reply, forgottenView({ email: 'Enter your whole e-mail address.' }), { status: 400 });
      }
      if (!(await mayAskForReset(pages, request.ip))) throw new ServiceError('rate-limited');
      // Not waited for: a known address takes longer than an unknown one, and nobody shall see that.
      void askForReset(pages, email).catch((error: unknown) =>
        pages.log.error('a password reset was not queued', describeError(error)),
      );
      return sendPage(reply, ASKED);
    });

    const path = '/v1/auth/reset-password/:token';
    const tokenOf = (params: unknown) => (params as { token: string }).token;
    scope.get(path, { exposeHeadRoute: false }, async ({ params }, reply) =>
      (await findReset(pages, tokenOf(params)))
        ? sendPage(reply, chooseView())
        : sendPage(reply, over, { status: 404 }),
    );
    scope.post(path, async (request, reply) => {
      const outcome = await resetPassword(pages, tokenOf(request.params), formOf(request)('password'));
      if (outcome.kind === 'over') return sendPage(reply, over, { status: 404 });
      if (outcome.kind === 'refused') {
        return sendPage(reply, chooseView({ password: PASSWORD_FAULTS[outcome.fault] }), { status: 400 });
      }
      return sendPage(reply, noticeView(RESET_DONE));
    });
  });
}
