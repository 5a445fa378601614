// People for tests: members with a role and a token as a sign-in would give it, and calls in their name.
import { randomUUID } from 'node:crypto';
import { type Role, SCOPES } from '@trefoil/contract';
import { newId } from '../../src/lib/ids.ts';
import { changeRate, createTenant } from '../../src/tenants/change-tenant.ts';
import { createWallet } from '../../src/wallet/create-wallet.ts';
import type { TestServer } from '../harness.ts';
import { nowSeconds, signToken } from './tokens.ts';
import { type Reply, send } from './wire.ts';

export type TestPerson = { readonly userId: string; readonly email: string; readonly token: string };

export type SignInOptions = {
  readonly scope?: string;
  /** How long ago the second factor was proved; null for never. Just now unless told. */
  readonly secondFactorAgoMs?: number | null;
};

/** An access token of a sign-in that was just made. */
export async function personToken(
  server: TestServer,
  userId: string,
  { scope = SCOPES.join(' '), secondFactorAgoMs = 0 }: SignInOptions = {},
): Promise<string> {
  const signInId = randomUUID();
  await server.query(
    `insert into sign_ins (id, user_id, client_id, scope, authenticated_at, second_factor_at)
     values ($1, $2, 'trefoil-web', $3, clock_timestamp(), clock_timestamp() - make_interval(secs => $4))`,
    [signInId, userId, scope, secondFactorAgoMs === null ? null : secondFactorAgoMs / 1_000],
  );
  return signToken(server, {
    iss: server.baseUrl,
    aud: 'urn:trefoil:api',
    sub: userId,
    client_id: 'trefoil-web',
    sid: signInId,
    scope,
    iat: nowSeconds(),
    exp: nowSeconds() + 600,
    jti: randomUUID(),
  });
}

/** A new person, signed in; without a role, a member of nothing. */
export async function addPerson(
  server: TestServer,
  tenantId: string,
  role: Role | undefined,
  options: SignInOptions = {},
): Promise<TestPerson> {
  const userId = newId();
  const email = `p-${userId}@example.com`;
  await server.query(`insert into users (id, email, first_name, last_name) values ($1, $2, 'Petra', 'Person')`, [
    userId,
    email,
  ]);
  if (role) {
    const query = 'insert into memberships (tenant_id, user_id, role) values ($1, $2, $3)';
    await server.query(query, [tenantId, userId, role]);
  }
  return { userId, email, token: await personToken(server, userId, options) };
}

/** A tenant of its own, so that a test sees nobody else's changes. */
export async function addTenantWithOwner(server: TestServer): Promise<{ tenantId: string; owner: TestPerson }> {
  const tenantId = await server.database.asSystem(async (tx) => {
    const id = await createTenant(tx, 'Test Claims');
    await createWallet(tx, id);
    await changeRate(tx, id, 100_000, 200_000);
    return id;
  });
  return { tenantId, owner: await addPerson(server, tenantId, 'owner') };
}

/** For tests about something else than the second factor that a new company requires. */
export const letPasswordsIn = ({ query }: Pick<TestServer, 'query'>, tenantId: string) =>
  query('update tenants set require_second_factor = false where id = $1', [tenantId]);

export type CallReply = {
  readonly status: number;
  /** Of an error. */
  readonly code: string | undefined;
  /** Of an enveloped answer. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly reply: Reply;
};

/** A call in the name of whoever the token stands for. */
export async function callAs(
  { baseUrl }: Pick<TestServer, 'baseUrl'>,
  { token }: { readonly token: string },
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<CallReply> {
  const reply = await send(baseUrl, {
    method,
    path,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const parsed = JSON.parse(reply.text) as { code?: string; data?: Readonly<Record<string, unknown>> };
  return { status: reply.status, code: parsed.code, data: parsed.data ?? {}, reply };
}

export type AuditLine = {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** The tenant's audit log, oldest first. */
export function auditOf(server: TestServer, tenantId: string): Promise<AuditLine[]> {
  return server.query<AuditLine>(
    'select actor, action, subject_id as subject, details from audit_log where tenant_id = $1 order by seq',
    [tenantId],
  );
}
