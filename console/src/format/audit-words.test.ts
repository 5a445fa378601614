import { expect, test } from 'vitest';
import { ACTION_CHOICES, labelOf, sentenceOf } from './audit-words.ts';

test('an action has a sentence, with what changed where the line says it', () => {
  expect(sentenceOf({ action: 'report.read', details: {} })).toBe('read a report');
  expect(sentenceOf({ action: 'member.changed', details: { from: 'analyst', to: 'admin' } })).toBe(
    'changed the role of a person from analyst to admin',
  );
});

test('an action that has no sentence is shown as it is', () => {
  expect(sentenceOf({ action: 'something.new', details: {} })).toBe('something.new');
});

test('what the list can be narrowed to has a sentence', () => {
  for (const [action] of ACTION_CHOICES) expect(sentenceOf({ action, details: {} })).not.toBe(action);
});

test('a detail has a label that begins with a capital', () => {
  expect(['count', 'withBody', 'reportSha256'].map(labelOf)).toEqual(['Count', 'With body', 'Report sha256']);
});
