// The account page: the signed-in person, their tenants and the selected one; and the page after signing out.
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../lib/postgres/database.ts';
import { listMyTenants, listTenantIdsOf, selectTenant } from '../../tenants/list-tenants.ts';
import { getFactorSummary } from '../factors/factor-store.ts';
import { noticeView, SIGNED_OUT } from '../page-kit/notice-views.ts';
import { formOf, type PageOptions, registerPages, sendPage } from '../page-kit/page-scope.ts';
import { findUser } from '../people/people-store.ts';
import type { PersonSession, RequirePerson } from '../sessions/person-session.ts';
import { accountView } from './account-views.ts';

export type AccountPages = PageOptions & {
  readonly database: Database;
  readonly requirePerson: RequirePerson;
};

export function registerAccountPages(app: FastifyInstance, pages: AccountPages): void {
  const { database, requirePerson } = pages;

  async function memberOf({ userId }: PersonSession) {
    const tenantIds = await database.asSystem((tx) => listTenantIdsOf(tx, userId));
    return { kind: 'person' as const, userId, accesses: tenantIds.map((tenantId) => ({ tenantId })) };
  }

  async function describe(session: PersonSession) {
    const [user, factors] = await database.asSystem(async (tx) => [
      await findUser(tx, session.userId),
      await getFactorSummary(tx, session.userId),
    ]);
    if (!user) throw new Error('the person of a sign-in does not exist');
    const { items } = await listMyTenants(database, await memberOf(session));
    const hasFactor = factors.hasTotp || factors.passkeys > 0;
    return { name: `${user.firstName} ${user.lastName}`, email: user.email, hasFactor, tenants: items };
  }

  registerPages(app, pages, (scope) => {
    scope.get('/v1/auth/account', { exposeHeadRoute: false }, async (request, reply) => {
      const session = await requirePerson(request, reply);
      if (!session) return reply;
      const { done, joined } = request.query as { done?: unknown; joined?: unknown };
      const account = await describe(session);
      const company = account.tenants.find(({ id }) => id === joined);
      const selected = done === 'tenant' ? 'The company is selected' : undefined;
      return sendPage(reply, accountView({ ...account, doneText: company ? `Welcome to ${company.name}` : selected }));
    });
    scope.post('/v1/auth/account/tenant', async (request, reply) => {
      const session = await requirePerson(request, reply);
      if (!session) return reply;
      await selectTenant(database, await memberOf(session), formOf(request)('tenantId'));
      return reply.redirect('/v1/auth/account?done=tenant', 303);
    });
    scope.get('/v1/auth/signed-out', { exposeHeadRoute: false }, async (_request, reply) =>
      sendPage(reply, noticeView(SIGNED_OUT)),
    );
  });
}
