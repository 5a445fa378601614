// The database against the contract, and migrations from empty.
import { ROLE_SCOPES } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../src/lib/migrate.ts';
import { generateBody, startServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('the roles table says what the contract says', async () => {
  const rows = await server.query<{ name: string; scopes: string[] }>('select name, scopes from roles');
  const sorted = (scopes: readonly string[]) => scopes.toSorted();
  expect(Object.fromEntries(rows.map(({ name, scopes }) => [name, sorted(scopes)]))).toEqual(
    Object.fromEntries(Object.entries(ROLE_SCOPES).map(([name, scopes]) => [name, sorted(scopes)])),
  );
});

test('migrating again applies nothing', async () => {
  const ownerUrl = server.environment['TREFOIL_OWNER_DATABASE_URL'] ?? '';
  expect(await migrate(ownerUrl)).toEqual([]);
});

test('the same externalReference has the same hash in one tenant and another in the next', async () => {
  const body = generateBody({ externalReference: 'case-7' });
  await server.trefoil.generate(body);
  await server.trefoil.generate(body);
  await server.otherTrefoil.generate(body);
  const rows = await server.query<{ hash: string; count: number }>(
    `select encode(external_reference_hash, 'hex') as hash, count(*)::int from credit_reports group by 1 order by 2`,
  );
  expect(rows.map(({ count }) => count)).toEqual([1, 2]);
});
