// What the OAuth library shows to a browser, in our own pages' layout; other clients get the error body.
import type { KoaContextWithOIDC } from 'oidc-provider';
import { Html, html } from '../page-kit/html.ts';
import { contentPolicy, type Page, renderPage } from '../page-kit/layout.ts';
import { noticeView } from '../page-kit/notice-views.ts';
import type { ProviderPages } from './provider.ts';
import { originOf } from './request-origin.ts';

function show(ctx: KoaContextWithOIDC, page: Page, formTargets: readonly string[] = []): void {
  ctx.type = 'html';
  ctx.set('content-security-policy', contentPolicy(formTargets));
  ctx.set('x-frame-options', 'DENY');
  // Under `no-referrer` browsers would post our forms with `Origin: null`.
  ctx.set('referrer-policy', 'same-origin');
  ctx.body = renderPage(page);
}

export const providerPages: ProviderPages = {
  renderError(ctx, error) {
    if (ctx.accepts('json', 'html') !== 'html') {
      ctx.type = 'json';
      ctx.body = error;
      return;
    }
    // The description is for the application's developer; it quotes nothing but parameter names.
    const page = noticeView({
      title: 'The sign-in cannot continue',
      text: `The application sent a request that cannot be answered (${error.error}), or the sign-in took too long. Go back to the application and start again.`,
      requestId: originOf(ctx.req).requestId,
    });
    show(ctx, page);
  },
  renderLogout(ctx, form) {
    const button = '<p><button class="full" type="submit" name="logout" value="yes">Sign out</button></p></form>';
    const body = html`<div class="card">
<h1>Sign out?</h1>
<p>This ends your sign-in on this device.</p>
${new Html(form.replace('</form>', button))}
<p><a href="/v1/auth/account">Stay signed in</a></p>
</div>`;
    const after = ctx.oidc.params?.['post_logout_redirect_uri'];
    show(ctx, { title: 'Sign out', body }, typeof after === 'string' ? [new URL(after).origin] : []);
  },
};
