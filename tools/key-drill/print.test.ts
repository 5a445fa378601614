import { expect, test } from 'vitest';
import { createTally, hasFound } from '../chaos/tally.ts';
import { CONTROLS } from './settings.ts';

const REASONS: Readonly<Record<string, string>> = {
  'at-once': 'TREFOIL_HASH_KEYS begins with a key that running processes do not have: first give it to all of them',
  'not-rotated': 'TREFOIL_VAULT_KEYS lacks old, which rows still need: add it at the end',
};

test.each(CONTROLS)('$id counts as found by its own reason, and by no other finding', (control) => {
  for (const { id } of CONTROLS) {
    const tally = createTally();
    tally.find('every node becomes ready', `with the settings of the step: Error: api did not start: ${REASONS[id]}`);
    expect(hasFound(tally, control.finding)).toBe(id === control.id);
  }
  const tally = createTally();
  expect(hasFound(tally, control.finding)).toBe(false);
  tally.find('every phase has load', 'old keys');
  tally.find('every node becomes ready', 'with the settings of the step: Error: api did not start: the port is taken');
  expect(hasFound(tally, control.finding)).toBe(false);
});
