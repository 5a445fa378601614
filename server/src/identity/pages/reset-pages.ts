// The pages for a forgotten password. The token is in the path, which is never logged and never sent elsewhere.
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';
import { describeError } from '../../lib/log.ts';
import { isEmail } from '../../lib/values/email.ts';
import {
  askForReset,
  findReset,
  mayAskForReset,
  type ResetDependencies,
  resetPassword,
} from '../factors/reset-password.ts';
import { LINK_OVER, noticeView } from '../page-kit/notice-views.ts';
import { formOf, type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';
import { PASSWORD_FAULTS } from './password-words.ts';
import { ASKED, chooseView, forgottenView, RESET_DONE } from './reset-views.ts';

export type ResetPages = PageOptions & ResetDependencies;

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
      if (!(await mayAskForReset(pages, request.clientAddress))) throw new ServiceError('rate-limited');
      // Not awaited: a known address takes longer than an unknown one, and the response time must not reveal which it was.
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
