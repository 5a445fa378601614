// The rights that the migrations grant, as the doctor compares them. After a migration that grants or walls something,
// `npx vitest run server/test/doctor/access.test.ts -u` writes the file anew; read the difference before you commit it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAccess } from '../../src/doctor/store.ts';
import { startServer, type TestServer } from '../harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

test('server/src/doctor/access.txt has the rights of a database that was just migrated, and both roles see the same', async () => {
  const lines = await server.database.asSystem(listAccess);
  expect(await server.database.forTenants([], listAccess)).toEqual(lines);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../src/doctor/access.txt');
});
