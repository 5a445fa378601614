// The account page: who is signed in, their tenants, and which of them is selected; and the page after signing out.
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../lib/database.ts';
import type { Log } from '../../lib/log.ts';
import { listMyTenants, selectTenant } from '../../tenants/list-tenants.ts';
import { getFactorSummary } from '../proofs/proof-store.ts';
import type { PersonSession, RequirePerson } from '../sign-in/person-session.ts';
import { listTenantIdsOf } from '../sign-in/sign-in-store.ts';
import { findUser } from '../store.ts';
import { accountView } from './account-views.ts';
import { noticeView, SIGNED_OUT } from './notice-views.ts';
import { formOf, registerPages, sendPage } from './page-scope.ts';

export type AccountPages = {
  readonly baseUrl: string;
  readonly log: Log;
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
    if (!user) throw new Error('a sign-in stands for nobody');
    const { items } = await listMyTenants(database, await memberOf(session));
    const hasFactor = factors.hasTotp || factors.passkeys > 0;
    return { name: `${user.firstName} ${user.lastName}`, email: user.email, hasFactor, tenants: items };
  }

  registerPages(app, pages, (scope) => {
    scope.get('/v1/auth/account', { exposeHeadRoute: false }, async (request, reply) => {
      const session = await requirePerson(request, reply);
      if (!session) return reply;
      const { done } = request.query as { done?: unknown };
      const doneText = done === 'tenant' ? 'The tenant is selected' : undefined;
      return sendPage(reply, accountView({ ...(await describe(session)), doneText }));
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
