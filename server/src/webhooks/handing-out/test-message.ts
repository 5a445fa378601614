// Messages that are no events: a test of an endpoint, or one with the body that an event of some type has.
import { randomBytes } from 'node:crypto';
import { type EventType, TEST_MESSAGE_TYPE, TEST_SEQUENCE, WEBHOOK_MESSAGES } from '@trefoil/contract';
import { newId } from '../../lib/ids.ts';
import type { TestDelivery } from '../delivery-store.ts';
import { TEST_ATTEMPTS_MAX } from '../rules/schedule.ts';

export type TestType = EventType | typeof TEST_MESSAGE_TYPE;

type Fields = Readonly<Record<string, unknown>>;

const exampleOf = (type: TestType): Fields => WEBHOOK_MESSAGES.find((message) => message.type === type)?.example ?? {};

/** The ids of the documented example are new in each message, and name nothing. */
const withNewIds = (data: Fields): Fields =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, name.endsWith('Id') ? newId() : value]));

type Order = { readonly isTest: boolean; readonly type?: TestType | undefined };

/** For an endpoint of this mode. */
export function newTest(
  tenantId: string,
  endpointId: string,
  { isTest, type = TEST_MESSAGE_TYPE }: Order,
): TestDelivery {
  const eventId = `evt_test_${randomBytes(8).toString('hex')}`;
  const createdAt = new Date().toISOString();
  const example = exampleOf(type);
  const data = withNewIds(example['data'] as Fields);
  const place = 'sequence' in example && { sequence: TEST_SEQUENCE };
  const event = { ...example, ...place, id: eventId, type, createdAt, tenantId, test: isTest, data };
  return {
    ...{ id: newId(), endpointId, eventId, eventType: type },
    ...{ body: JSON.stringify(event), attemptsMax: TEST_ATTEMPTS_MAX },
  };
}
