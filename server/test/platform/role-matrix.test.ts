// Every operation as each role, as a person and as a credential of such a person: what the role may, and nothing of another tenant.
import { OPERATIONS, type Operation, ROLE_SCOPES, ROLES, type Role, type Scope } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grave } from '../support/grave.ts';
import { addPerson } from '../support/people.ts';
import {
  along,
  inTenant,
  needsComplete,
  openWalk,
  type Subjects,
  UNKNOWN_ID,
  type Walk,
  withBrokenBody,
} from '../support/walk-routes.ts';
import { withoutRequestId } from '../support/wire.ts';

let walk: Walk;
beforeAll(async () => {
  walk = await openWalk();
});
afterAll(() => walk.close());

/** Every role as a person and as a credential of such a person, both with tokens that name all scopes. */
const BEARERS = ['person', 'credential'] as const;
const matrix = ROLES.flatMap((role, row) =>
  inTenant.flatMap(([id, operation], column) =>
    along(BEARERS, row, column).map((kind) => [role, kind, id, operation, row + column] as const),
  ),
);
const tokens = new Map<string, Promise<string>>();

function roleToken(role: Role, kind: (typeof BEARERS)[number]): Promise<string> {
  const known = tokens.get(`${role} ${kind}`);
  const token = known ?? makeRoleToken(role, kind);
  tokens.set(`${role} ${kind}`, token);
  return token;
}

async function makeRoleToken(role: Role, kind: (typeof BEARERS)[number]): Promise<string> {
  const { tenantId } = walk.server.demo;
  const { userId, token } = await addPerson(walk.server, tenantId, role);
  return kind === 'person' ? `Bearer ${token}` : walk.credentialToken(tenantId, userId);
}

const mayCall = (role: Role, kind: (typeof BEARERS)[number], operation: Operation) => {
  const { scope, needsStepUp } = operation;
  const held: readonly Scope[] = ROLE_SCOPES[role];
  if (role === 'finance' && needsComplete(operation)) return false;
  return (scope === undefined || held.includes(scope)) && !(needsStepUp && kind === 'credential');
};

test.each(matrix)(
  'as %s, with the token of a %s: %s: 200 where the role has the scope, else 403 and nothing is written',
  async (role, kind, _id, operation) => {
    const token = await roleToken(role, kind);
    if (!mayCall(role, kind, operation)) {
      await walk.expectNothingWritten(async () => {
        for (const request of [walk.requestOf(operation), withBrokenBody(walk.requestOf(operation))]) {
          walk.expectRefused(await walk.call(request, token), 403, 'forbidden');
        }
      });
      return;
    }
    const report = await walk.subjectsOf(operation);
    const reply = await walk.call(walk.requestOf(operation, { report }), token);
    expect(reply.status, reply.text).toBe(200);
    await grave('another tenant', () => {
      const words = [walk.server.other.tenantId, walk.server.other.clientId, ...Object.values(walk.foreign)];
      expect(
        words.filter((word) => reply.text.includes(word)),
        reply.text,
      ).toEqual([]);
    });
  },
);

/** What a role is asked with the token of one kind: a walk over all of it takes one test. */
const askedAs = ROLES.flatMap((role) =>
  BEARERS.map((kind) => [role, kind, matrix.filter((cell) => cell[0] === role && cell[1] === kind)] as const),
);

test.each(askedAs)(
  'as %s, with the token of a %s: 403 forbidden alike in a foreign and an unknown tenant',
  async (role, kind, cells) => {
    const token = await roleToken(role, kind);
    const bodies: object[] = [];
    await walk.expectAllRefused(
      cells.map(([, , id, operation]) => [id, operation]),
      (operation, row) =>
        [walk.server.other.tenantId, UNKNOWN_ID].flatMap((tenantId, index) =>
          along([walk.own, walk.foreign], cells[row]?.[4] ?? 0, index).map(
            (report) => [walk.requestOf(operation, { tenantId, report }), token] as const,
          ),
        ),
      async (reply, id) => {
        await walk.expectNotServed(reply);
        walk.expectRefused(reply, 403, 'forbidden', id);
        bodies.push(withoutRequestId(reply));
      },
    );
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  },
);

test.each(askedAs)(
  'as %s, with the token of a %s: a foreign id and an unknown one get the same answer in the own tenant',
  async (role, kind, cells) => {
    const token = await roleToken(role, kind);
    const names = Object.keys(walk.own) as (keyof Subjects)[];
    const unknown = Object.fromEntries(names.map((name) => [name, UNKNOWN_ID]));
    const named = cells.filter(([, , , { path }]) => /:(?!tenantId)/.test(path));
    const firsts = new Map<string, object>();
    await walk.expectAllRefused(
      named.map(([, , id, operation]) => [id, operation]),
      (operation) => [walk.foreign, unknown].map((report) => [walk.requestOf(operation, { report }), token]),
      async (reply, id) => {
        await walk.expectNotServed(reply);
        const operation = OPERATIONS[id as keyof typeof OPERATIONS];
        expect(reply.status, id).toBe(mayCall(role, kind, operation) ? 404 : 403);
        const first = firsts.get(id) ?? withoutRequestId(reply);
        firsts.set(id, first);
        expect(withoutRequestId(reply), id).toEqual(first);
      },
    );
  },
);

test('403 forbidden: an analyst here who is an owner elsewhere', async () => {
  const { userId, token } = await addPerson(walk.server, walk.server.demo.tenantId, 'analyst');
  const query = `insert into memberships (tenant_id, user_id, role) values ($1, $2, 'owner')`;
  await walk.server.query(query, [walk.server.other.tenantId, userId]);
  const held: readonly Scope[] = ROLE_SCOPES.analyst;
  await walk.expectAllRefused(
    inTenant.filter(([, { scope }]) => scope && !held.includes(scope)),
    (operation) => [[walk.requestOf(operation), `Bearer ${token}`]],
    (reply, id) => walk.expectRefused(reply, 403, 'forbidden', id),
  );
});
