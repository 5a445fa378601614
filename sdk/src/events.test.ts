// One event by its id, and what the compiler knows of an event once its type is known.
import { afterAll, beforeEach, expect, test } from 'vitest';
import { answer, refuse, startFailingClient, tenantId } from './failing-server.ts';
import { type components, EVENT_TYPES, type WebhookMessage } from './index.ts';

const { server, trefoil } = await startFailingClient();
afterAll(() => server.close());
beforeEach(() => server.reset());

test('getEvent asks for one event by its id, and is refused for an unknown one', async () => {
  const event = { id: 'evt_94d049bb133111eb', type: 'wallet.low', data: { balance: 1, threshold: 2 } };
  server.state.fates = [answer({ meta: {}, data: event }), refuse(404, 'not-found')];
  const { data } = await trefoil.getEvent(event.id);
  expect(data).toEqual(event);
  await expect(trefoil.getEvent('evt_0')).rejects.toMatchObject({ status: 404, code: 'not-found' });
  const path = `/${tenantId}/v1/events`;
  expect(server.asked().map(({ url }) => url)).toEqual([`${path}/${event.id}`, `${path}/evt_0`]);
});

/** Compiles only if `type` says which data there is, for every type: in the library, and as generators see the document. */
function figureOf(message: WebhookMessage | components['schemas']['WebhookMessage']): string | number | undefined {
  switch (message.type) {
    case 'credit-report.completed':
      return message.data.status satisfies 'complete';
    case 'credit-report.challenged':
      return message.data.challengeId satisfies string;
    case 'credit-report.blocked':
      return message.data.status satisfies 'blocked';
    case 'credit-report.failed':
    case 'credit-report.expired':
      return message.data.failureReason ?? message.data.status;
    case 'challenge.sent':
    case 'challenge.delivered':
    case 'challenge.undelivered':
      return message.data.messageId ?? (message.data.challengeId satisfies string);
    case 'challenge.verified':
      return message.data.challengeId satisfies string;
    case 'wallet.charged':
    case 'wallet.refunded':
    case 'wallet.topped-up':
    case 'wallet.adjusted':
      return message.data.amount satisfies number;
    case 'wallet.low':
      return message.data.threshold - message.data.balance;
    case 'webhook.test':
      return Object.keys(message.data satisfies Record<string, never>).length;
    default:
      return message satisfies never;
  }
}

test('type tells which data an event has; before it is known, a field of any type can be read', () => {
  const known: Exclude<WebhookMessage['type'], 'webhook.test'>[] = [...EVENT_TYPES];
  expect(known).toContain('wallet.low');
  const { data } = { type: 'wallet.low', data: { balance: 5, threshold: 12 } } as WebhookMessage;
  expect([data.creditReportId, data.balance, data.externalReference]).toEqual([undefined, 5, undefined]);
  expect(figureOf({ type: 'wallet.low', data } as WebhookMessage)).toBe(7);
});
