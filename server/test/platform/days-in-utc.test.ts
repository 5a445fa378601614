// Days that are counted and told are those of UTC, also where the database was set to another zone.
import { expect, test } from 'vitest';
import { startServer } from '../harness.ts';
import { send } from '../support/wire.ts';

test('200: the day of messages ends at midnight UTC, whatever zone the database has', async () => {
  const server = await startServer();
  try {
    await server.query(`alter database ${server.databaseName} set timezone = 'Pacific/Kiritimati'`);
    const node = await server.startNode();
    const authorization = `Bearer ${await server.trefoil.getToken()}`;
    const path = `/${server.demo.tenantId}/v1/wallet`;
    const reply = await send(node.baseUrl, { method: 'GET', path, headers: { authorization } });
    await node.close();
    expect(JSON.parse(reply.text)).toMatchObject({
      data: { smsDay: { resetsAt: expect.stringMatching(/T00:00:00\.000Z$/) } },
    });
  } finally {
    await server.close();
  }
});
