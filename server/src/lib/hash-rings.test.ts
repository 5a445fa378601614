// Which rings may run beside and after each other (docs/decisions/0260-the-hash-key-is-a-ring.md).
import { expect, test } from 'vitest';
import { describeConflict, findRingConflict } from './hash-rings.ts';

const RINGS = { before: ['old'], added: ['old', 'new'], swapped: ['new', 'old'], after: ['new'] } as const;
type State = keyof typeof RINGS;

const running = (state: State) => ({ fingerprints: RINGS[state], isRunning: true, secondsAgo: 20 });
const ended = (state: State, hours: number) => ({
  fingerprints: RINGS[state],
  isRunning: false,
  secondsAgo: hours * 3_600,
});

/** What a start in the row's state meets while a process of the column's state runs. */
const BESIDE: Readonly<Record<State, readonly (string | undefined)[]>> = {
  // before, added, swapped, after
  before: [undefined, undefined, 'too-old', 'foreign'],
  added: [undefined, undefined, undefined, 'too-new'],
  swapped: ['too-new', undefined, undefined, undefined],
  after: ['foreign', 'too-old', undefined, undefined],
};
const states = Object.keys(RINGS) as State[];
for (const own of states) {
  for (const [place, other] of states.entries()) {
    const expected = BESIDE[own][place];
    test(`${own} beside ${other}: ${expected ?? 'starts'}`, () => {
      const conflict = findRingConflict(RINGS[own], [running(other), running(own)]);
      expect(conflict?.kind).toBe(expected);
      if (conflict) expect(describeConflict(conflict)).toMatch(/^TREFOIL_HASH_KEYS .*[^.]$/);
    });
  }
}

const AFTERWARDS: [own: State, other: State, hours: number, expected: object | undefined][] = [
  ['after', 'before', 24.5, { kind: 'foreign', hoursLeft: 1 }],
  ['after', 'before', 1, { kind: 'foreign', hoursLeft: 24 }],
  ['after', 'before', 25, undefined],
  // Those wrote under both keys.
  ['after', 'added', 1, undefined],
  ['swapped', 'before', 1, undefined],
  // Back again.
  ['before', 'swapped', 1, undefined],
  ['before', 'after', 1, { kind: 'foreign', hoursLeft: 24 }],
];
for (const [own, other, hours, expected] of AFTERWARDS) {
  test(`${own}, ${hours} hours after ${other} has ended: ${expected ? 'refused' : 'starts'}`, () =>
    expect(findRingConflict(RINGS[own], [ended(other, hours)])).toEqual(expected));
}

test('the first process of all starts', () => expect(findRingConflict(RINGS.before, [])).toBeUndefined());
