// The page that the mail about a first factor links to. Opening it changes nothing, since mail programs open links by themselves:
// the button follows the link, and the security page then lets this sign-in add a factor.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { followLink, type LinkDependencies, mayFollow } from '../first-factor/factor-links.ts';
import { html } from '../page-kit/html.ts';
import type { Page } from '../page-kit/layout.ts';
import { noticeView } from '../page-kit/notice-views.ts';
import { type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';
import type { RequirePerson } from '../sessions/person-session.ts';

export type FirstFactorPage = PageOptions & LinkDependencies & { readonly requirePerson: RequirePerson };

const OVER = noticeView({
  title: 'This link no longer works',
  text: 'It was already used, has expired, is incomplete, or belongs to another person. You can ask for a new one.',
  link: { path: '/v1/auth/security', label: 'Go to your security settings' },
});

const FOLLOW: Page = {
  title: 'Set up your second factor',
  body: html`<div class="card">
<h1>Set up your second factor</h1>
<p>If you asked for this link, continue: then you can set up an authenticator app or a passkey in this browser.</p>
<p class="quiet">If you did not ask for it, another person knows your password. Do not continue, and
<a href="/v1/auth/forgotten-password">choose a new password</a>.</p>
<form method="post"><button class="full">Continue</button></form>
</div>`,
};

export function registerFirstFactorPage(app: FastifyInstance, page: FirstFactorPage): void {
  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
  const over = (reply: FastifyReply) => sendPage(reply, OVER, { status: 404 });

  registerPages(app, page, (scope) => {
    const path = '/v1/auth/first-factor/:token';
    scope.get(path, { exposeHeadRoute: false }, async (request, reply) => {
      const session = await page.requirePerson(request, reply);
      if (!session) return reply;
      return (await mayFollow(page, session, tokenOf(request))) ? sendPage(reply, FOLLOW) : over(reply);
    });
    scope.post(path, async (request, reply) => {
      const session = await page.requirePerson(request, reply);
      if (!session) return reply;
      const isFollowed = await followLink(page, session, tokenOf(request));
      return isFollowed ? reply.redirect('/v1/auth/security?done=link', 303) : over(reply);
    });
  });
}
