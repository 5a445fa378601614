// Changes of webhook endpoints when the answer is lost: a second send without a key would end a secret; with one, it has no second effect.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { hangUp, refuse, startFailingClient, tenantId } from './failing-server.ts';
import { TrefoilNoAnswerError } from './index.ts';

const { server, trefoil } = await startFailingClient();
afterAll(() => server.close());
beforeEach(() => server.reset());

const ALL = `/${tenantId}/v1/webhook-endpoints`;
const CALLS: [call: () => Promise<unknown>, line: string][] = [
  [() => trefoil.changeWebhookEndpoint('e', { ordered: true }), `PATCH ${ALL}/e {"ordered":true}`],
  [() => trefoil.deleteWebhookEndpoint('e'), `DELETE ${ALL}/e `],
  [() => trefoil.rotateWebhookSecret('e'), `POST ${ALL}/e/rotate-secret `],
];
const KEYED: [call: () => Promise<unknown>, line: string][] = [
  [() => trefoil.testWebhookEndpoint('e'), `POST ${ALL}/e/test `],
  [() => trefoil.testWebhookEndpoint('e', { type: 'wallet.low' }), `POST ${ALL}/e/test {"type":"wallet.low"}`],
  [() => trefoil.replayWebhookEvents('e', { since: '2026-03-02' }), `POST ${ALL}/e/replay {"since":"2026-03-02"}`],
  [() => trefoil.resendWebhookDelivery('d'), `POST ${ALL}/deliveries/d/resend `],
];
for (const [call, line] of CALLS) {
  test(`${line.replace(ALL, '…')}: sent once when the connection breaks, again after 429, and without a key`, async () => {
    server.state.fates = [hangUp];
    const error = await call().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TrefoilNoAnswerError);
    expect(error).toMatchObject({ wasSent: true, message: expect.stringMatching(/look before you repeat/) });
    expect(server.asked().map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([line]);
    server.reset();
    server.state.fates = [refuse(429, 'rate-limited', { 'retry-after': '0' })];
    await call();
    expect(server.keys()).toEqual([undefined, undefined]);
  });
}

for (const [call, line] of KEYED) {
  test(`${line.replace(ALL, '…')}: sent again when the connection breaks, with the same key`, async () => {
    server.state.fates = [hangUp];
    await call();
    expect(server.asked().map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([line, line]);
    const [first, second] = server.keys();
    expect(first).toMatch(/./);
    expect(second).toBe(first);
  });
}

test('an id that is missing is named before anything is sent', () => {
  const missing = undefined as unknown as string;
  return expect(trefoil.getWebhookEndpoint(missing)).rejects.toThrow(
    'endpointId is undefined: pass the id as a string.',
  );
});
