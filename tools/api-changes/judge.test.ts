import { expect, test } from 'vitest';
import { isSound, judge, newestRelease, readAcceptances } from './judge.ts';

const gone = { isBreaking: true, where: 'Thing in answers.name', what: 'the field is gone' };
const added = { isBreaking: false, where: 'Thing in answers.size', what: 'the field is new' };
const goneText = 'Thing in answers.name: the field is gone';

test('additive changes alone are sound, and all are told', () => {
  const verdict = judge([added], []);
  expect(verdict.additive).toEqual(['Thing in answers.size: the field is new']);
  expect(isSound(verdict)).toBe(true);
});

test('a breaking change is refused and named', () => {
  const verdict = judge([gone, added], []);
  expect(verdict.refused).toEqual([goneText]);
  expect(isSound(verdict)).toBe(false);
});

test('a breaking change that a reviewer has accepted is sound, and told with its reason', () => {
  const acceptances = [{ reason: 'It was never filled.', changes: [goneText] }];
  const verdict = judge([gone], acceptances);
  expect(verdict.refused).toEqual([]);
  expect(verdict.accepted).toEqual(acceptances);
  expect(isSound(verdict)).toBe(true);
});

test('an acceptance of a change that is not there is refused', () => {
  const verdict = judge([added], [{ reason: 'It was never filled.', changes: [goneText] }]);
  expect(verdict.unused).toEqual([goneText]);
  expect(isSound(verdict)).toBe(false);
});

const faulty: Record<string, unknown> = {
  'no list': {},
  'no reason': [{ changes: [goneText] }],
  'a blank reason': [{ reason: ' ', changes: [goneText] }],
  'no changes': [{ reason: 'Because.', changes: [] }],
};
for (const [name, value] of Object.entries(faulty)) {
  test(`accepted changes with ${name} are refused`, () => {
    expect(() => readAcceptances(value)).toThrow();
  });
}

test('the newest release is the highest by number, and other files are none', () => {
  const names = [
    '0.9.0.openapi.json',
    '0.10.0.openapi.json',
    '0.10.0.accepted.json',
    'README.md',
    '0.2.11.openapi.json',
  ];
  expect(newestRelease(names)).toBe('0.10.0');
  expect(newestRelease(['README.md'])).toBeUndefined();
});
