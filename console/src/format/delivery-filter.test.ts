import { expect, test } from 'vitest';
import { deliveriesQueryOf, readDeliveryFilter } from './delivery-filter.ts';

test('an address is read as far as it is a filter', () => {
  const filter = { state: 'waiting', type: 'wallet', event: 'evt_9e3779b97f4a7c15', to: '2026-09-17T14:30' };
  expect(readDeliveryFilter({ ...filter, mode: 'test', from: 'yesterday' })).toEqual(filter);
  expect(readDeliveryFilter({ state: 'lost', type: 'something.new', event: 'CASE-1000', to: 7 })).toEqual({});
  expect(readDeliveryFilter({ type: 'webhook.test', event: 'evt_test_3c6ef372fe94f82a' })).toEqual({
    ...{ type: 'webhook.test', event: 'evt_test_3c6ef372fe94f82a' },
  });
});

test('the API is asked in its own words, with the instants of London’s times', () => {
  const filter = { state: 'failed', type: 'wallet.low', event: 'evt_9e3779b97f4a7c15' } as const;
  expect(deliveriesQueryOf({ ...filter, from: '2026-09-17T14:30', to: '2026-12-01T00:00' })).toEqual({
    ...{ state: 'failed', eventType: 'wallet.low', eventId: 'evt_9e3779b97f4a7c15' },
    ...{ from: '2026-09-17T13:30:00.000Z', to: '2026-12-01T00:00:00.000Z' },
  });
  expect(deliveriesQueryOf({ state: undefined })).toEqual({});
});
