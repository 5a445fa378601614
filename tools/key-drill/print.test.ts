import { expect, test } from 'vitest';
import { createTally, hasFound, type Tally } from '../chaos/tally.ts';
import { CONTROLS, FRESH_EVIDENCE, FRESH_TOKEN, makeSteps, OLDER_EVIDENCE, OLDER_TOKEN, STEPS } from './settings.ts';

const notReady = (reason: string) => (tally: Tally) =>
  tally.find('every node becomes ready', `with the settings of the step: Error: api did not start: ${reason}`);

const FOUND: Readonly<Record<string, (tally: Tally) => void>> = {
  'at-once': notReady(
    'TREFOIL_HASH_KEYS begins with a key that running processes do not have: first give it to all of them',
  ),
  'not-rotated': notReady('TREFOIL_VAULT_KEYS lacks old, which rows still need: add it at the end'),
  'signing-early': (tally) => tally.find(FRESH_TOKEN, 'refused'),
  'signing-gone': (tally) => tally.find(OLDER_TOKEN, 'refused'),
  'evidence-early': (tally) => tally.find(FRESH_EVIDENCE, 'unknown-key'),
  'evidence-gone': (tally) => tally.find(OLDER_EVIDENCE, 'unknown-key'),
};

test.each(CONTROLS)('$id counts as found by its own reason, and by no other finding', (control) => {
  for (const { id } of CONTROLS) {
    const tally = createTally();
    FOUND[id]?.(tally);
    expect(hasFound(tally, control.finding)).toBe(id === control.id);
  }
  const tally = createTally();
  expect(hasFound(tally, control.finding)).toBe(false);
  tally.find('every phase has load', 'old keys');
  notReady('the port is taken')(tally);
  expect(hasFound(tally, control.finding)).toBe(false);
});

const kidsOf = (list: string | undefined) => (JSON.parse(list ?? '[]') as { kid: string }[]).map(({ kid }) => kid);

test.each(['TREFOIL_SIGNING_KEYS', 'TREFOIL_EVIDENCE_KEYS'])(
  '%s: every node knows a key before one uses it',
  (name) => {
    const ring = name === 'TREFOIL_SIGNING_KEYS' ? 'signing' : 'evidence';
    const kidsWith = (wrong?: string) => {
      const steps = makeSteps({}, wrong);
      return STEPS.map((step) => kidsOf(steps[step][name]));
    };
    const right = kidsWith();
    const [[old] = [], known = []] = right;
    const [next] = known.filter((kid) => kid !== old);
    const [[oldEarly] = [], early = []] = kidsWith(`${ring}-early`);
    const [[oldGone] = [], , gone = []] = kidsWith(`${ring}-gone`);
    expect(right.map(([first]) => first)).toEqual([old, old, next, next, next]);
    expect(known).toEqual([old, next]);
    expect(early[1]).toBe(oldEarly);
    expect(gone).not.toContain(oldGone);
  },
);
