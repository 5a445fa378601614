// Where pages are registered: forms are read, only our own pages may post them, and whatever goes wrong becomes a calm
// page for a browser and the published error body for everybody else.
import { ERRORS } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSafeMethod, requireOwnOrigin } from '../../http/authenticate.ts';
import { createErrorHandler, toServiceError } from '../../http/errors.ts';
import { ServiceError } from '../../lib/errors.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { withoutWords } from '../provider/token-errors.ts';
import { contentPolicy, type Page, renderPage } from './layout.ts';
import { noticeView } from './notice-views.ts';

export type PageOptions = { readonly baseUrl: string; readonly log: Log };

/** Above the largest answer of a device that makes a passkey. */
const FORM_LIMIT_BYTES = 32 * 1024;

type Form = Readonly<Record<string, string>>;

/** The fields of a posted form; a field that was not sent reads as an empty text. */
export function formOf(request: FastifyRequest): (name: string) => string {
  const fields = new Map(Object.entries((request.body ?? {}) as Form));
  return (name) => fields.get(name) ?? '';
}

export type Sending = { readonly status?: number; readonly formTargets?: readonly string[] };

export async function sendPage(reply: FastifyReply, page: Page, { status = 200, formTargets }: Sending = {}) {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentPolicy(formTargets),
      'x-frame-options': 'DENY',
      // Under `no-referrer` browsers would post our forms with `Origin: null`.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(renderPage(page));
}

/** A redirect after a form is held to the page's policy too, so it names where the application wants the person back. */
export function formTargetOf(redirectUri: string): string[] {
  const url = URL.parse(redirectUri);
  if (!url) return [];
  return [/^https?:$/.test(url.protocol) ? url.origin : url.protocol];
}

const wantsPage = ({ headers }: FastifyRequest) => /\btext\/html\b/i.test(headers.accept ?? '');

const TITLES: Readonly<Record<number, string>> = {
  403: 'This is not allowed',
  404: 'There is nothing here',
  429: 'Too many attempts',
  503: 'Please try again in a moment',
};

export function registerPages(
  app: FastifyInstance,
  { baseUrl, log }: PageOptions,
  define: (scope: FastifyInstance) => void,
): void {
  const answerError = createErrorHandler(log);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_LIMIT_BYTES },
      (_request, body, done) => {
        const fields = [...new URLSearchParams(String(body))];
        // No browser types it, and the database keeps no text with it.
        if (fields.some(([, value]) => value.includes('\0'))) done(new ServiceError('validation-error'));
        else done(null, Object.fromEntries(fields));
      },
    );
    scope.addHook('onRequest', async (request) => {
      // Before anything is read: other sites must not be able to sign anybody in or out, or change anything.
      if (!isSafeMethod(request)) requireOwnOrigin(request, baseUrl);
    });
    scope.setErrorHandler(async (thrown, request, reply) => {
      const error = withoutWords(thrown);
      if (!wantsPage(request)) return answerError(error, request, reply);
      const refusal = toServiceError(error);
      const { status } = ERRORS[refusal.code];
      if (status >= 500 && refusal.cause) {
        log.error('page failed', {
          requestId: request.id,
          route: request.routeOptions.url,
          code: refusal.code,
          ...describeError(refusal.cause),
        });
      }
      const title = TITLES[status] ?? 'Something went wrong';
      reply.headers(refusal.headers);
      const page = noticeView({
        title,
        text: refusal.message,
        link: { path: '/v1/auth/account', label: 'Go to your account' },
        requestId: request.id,
      });
      return sendPage(reply, page, { status });
    });
    define(scope);
  });
}
