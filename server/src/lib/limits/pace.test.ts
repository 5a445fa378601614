// A burst goes through a few at a time, in its order, and other work runs in between.
import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test('so many in each event-loop tick, in the order they came', async () => {
  const pace = createPace(3);
  const order: string[] = [];
  const burst = Array.from({ length: 7 }, (_, place) => pace().then(() => void order.push(`burst ${place}`)));
  const beside = (async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise(setImmediate);
      order.push('beside');
    }
  })();
  await Promise.all([...burst, beside]);
  expect(order).toEqual([
    ...['burst 0', 'burst 1', 'burst 2', 'beside'],
    ...['burst 3', 'burst 4', 'burst 5', 'beside'],
    ...['burst 6', 'beside'],
  ]);
  await pace();
});
