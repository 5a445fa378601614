// Where pages are registered: it parses forms, accepts them only from our own pages, and turns every error into a calm
// page for a browser and into the published error body for other clients.
import { ERRORS } from '@trefoil/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import { isSafeMethod, requireOwnOrigin } from '../../http/authenticate.ts';
import { prefersPage } from '../../http/body/media-type.ts';
import { takeForms } from '../../http/body/parameters.ts';
import { createErrorHandler, toServiceError } from '../../http/errors.ts';
import { createOwnNameHook } from '../../http/own-name.ts';
import type { ShowUnknown } from '../../http/server.ts';
import { ServiceError } from '../../lib/errors.ts';
import { describeError, type Log } from '../../lib/log.ts';
import { isUnavailable } from '../../lib/postgres/unavailable.ts';
import { contentPolicy, type Page, renderPage } from './layout.ts';
import { type Notice, noticeView } from './notice-views.ts';

export type PageOptions = {
  readonly baseUrl: string;
  readonly log: Log;
  /** Refuses a network that requests too many pages. */
  readonly limitPages: (request: FastifyRequest) => Promise<void>;
  /** Where an error page leads; by default to the person's account. */
  readonly errorLink?: Notice['link'];
};

const ACCOUNT_LINK = { path: '/v1/auth/account', label: 'Go to your account' };

/** Above the largest answer of a device that creates a passkey. */
const FORM_LIMIT_BYTES = 32 * 1024;

type Form = Readonly<Record<string, string>>;

/** The fields of a posted form; a missing field reads as an empty text. */
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
      'content-security-policy': contentPolicy(formTargets, page.script),
      'x-frame-options': 'DENY',
      // Under `no-referrer` browsers would post our forms with `Origin: null`.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(renderPage(page));
}

/** Browsers apply the page's policy to a redirect after a form too, so the policy names the application's redirect URI. */
export function formTargetOf(redirectUri: string): string[] {
  const url = URL.parse(redirectUri);
  if (!url) return [];
  return [/^https?:$/.test(url.protocol) ? url.origin : url.protocol];
}

const TITLES: Readonly<Record<number, string>> = {
  403: 'This is not allowed',
  404: 'Page not found',
  405: 'This address has no page',
  429: 'Too many attempts',
  503: 'Please try again in a moment',
};

function sendErrorPage(reply: FastifyReply, refusal: ServiceError, link: Notice['link']) {
  const { status } = ERRORS[refusal.code];
  const title = TITLES[status] ?? 'Something went wrong';
  const page = noticeView({ title, text: refusal.message, link, requestId: reply.request.id });
  return sendPage(reply.headers(refusal.headers), page, { status });
}

/** For a browser at an unknown address, or at one that has no page. */
export const sendUnknownPage: ShowUnknown = (refusal, reply) =>
  sendErrorPage(reply.header('vary', 'Accept'), refusal, { path: '/', label: 'Go to the start page' });

/** The OAuth library wraps errors in its own: unwrapped, an unavailable database is reported as such. */
const unwrap = (error: unknown) =>
  error instanceof errors.OIDCProviderError && isUnavailable(error.cause) ? error.cause : error;

export function registerPages(
  app: FastifyInstance,
  { baseUrl, log, limitPages, errorLink = ACCOUNT_LINK }: PageOptions,
  define: (scope: FastifyInstance) => void,
): void {
  const answerError = createErrorHandler({ log, baseUrl });
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    takeForms(scope, FORM_LIMIT_BYTES, (text) => {
      const fields = [...new URLSearchParams(text)];
      // No browser types a NUL, and PostgreSQL stores no text with one.
      if (fields.some(([, value]) => value.includes('\0'))) throw new ServiceError('validation-error');
      return Object.fromEntries(fields);
    });
    // First: these pages need no sign-in, and most of them query the database.
    scope.addHook('onRequest', limitPages);
    scope.addHook('onRequest', createOwnNameHook(baseUrl));
    scope.addHook('onRequest', async (request) => {
      // Before the body is read: other sites must not be able to sign a person in or out, or change anything.
      if (!isSafeMethod(request)) requireOwnOrigin(request, baseUrl);
    });
    scope.setErrorHandler(async (thrown, request, reply) => {
      const error = unwrap(thrown);
      if (!prefersPage(request.headers.accept)) return answerError(error, request, reply);
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
      return sendErrorPage(reply, refusal, errorLink);
    });
    define(scope);
  });
}
