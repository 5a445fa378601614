// A carrier that reports over its own connection, as SMPP does: its receipts are stored and charged like those that come by
// HTTP, and it has no address for receipts.
import { createTrefoil } from '@trefoil/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import type { Carrier, CarrierReceipt, SmsMessage } from '../../src/sms/port.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { grave } from '../support/grave.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { addTenant } from '../support/tenant.ts';

const MOBILE = '+447700900180';
const SMS_PRICE = 40;

let server: LiveServer;
let node: { readonly baseUrl: string; close(): Promise<void> };
let push: (receipt: CarrierReceipt) => Promise<void>;
const sent: SmsMessage[] = [];

const carrier: Carrier = {
  name: 'pushing',
  async send(message) {
    sent.push(message);
    return { kind: 'accepted', carrierRef: `ref-${message.sendId}` };
  },
  pushReceipts(take) {
    push = take;
  },
  close: async () => undefined,
};

beforeAll(async () => {
  server = await startLiveServer();
  node = await server.startNode({}, { ports: { carrier } });
});
afterAll(async () => {
  await node.close();
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

test('a pushed receipt charges its message once, however often it comes', async () => {
  const tenant = await addTenant(server, 100_000);
  const trefoil = createTrefoil({ ...tenant, baseUrl: node.baseUrl, maxRetries: 0 });
  const body = liveBody(server.mintSession(), { email: 'challenge@example.com', mobileNumber: MOBILE });
  const { data } = await trefoil.generate(body);
  expect(data.status).toBe('authentication-required');
  const message = await eventually(() => {
    const [first] = sent;
    if (!first) throw new Error('nothing was sent');
    return first;
  });
  const { balance } = await server.wallet(tenant.tenantId);
  const { tenantId, sendId } = message;
  const receipt = { tenantId, sendId, carrierRef: `ref-${sendId}`, status: 'delivered' } as const;
  await Promise.all([push(receipt), push(receipt)]);
  await push(receipt);
  await eventually(async () => expect((await server.wallet(tenantId)).held).toBe(0));
  await server.receiptsApplied();
  await grave('one message', async () =>
    expect(await server.wallet(tenantId)).toEqual({ balance: balance - SMS_PRICE, held: 0 }),
  );
});

test('404 where receipts would come by HTTP', async () => {
  const reply = await fetch(`${node.baseUrl}/v1/carriers/pushing/receipts`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'MessageStatus=delivered',
  });
  expect(reply.status).toBe(404);
});
