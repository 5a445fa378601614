// What one number may still be used for, at and around each of the three caps.
import { expect, test } from 'vitest';
import { CHALLENGES_MAX, MESSAGES_MAX, MISTAKES_MAX, mayChallenge, mayGuess, mayMessage } from './mobile-caps.ts';

test('the caps are those of the decision: 5 challenges, 10 messages, 15 wrong codes', () => {
  expect([CHALLENGES_MAX, MESSAGES_MAX, MISTAKES_MAX]).toEqual([5, 10, 15]);
});

const rows = [
  // challenges, messages, mistakes; may challenge, message, guess
  [0, 0, 0, true, true, true],
  [4, 9, 14, true, true, true], // the last of each
  [5, 9, 14, false, true, true], // an open challenge may still send again
  [4, 10, 14, false, false, true], // a challenge needs room for its message
  [4, 9, 15, false, false, false], // nobody can answer, so nothing is sent
  [5, 10, 15, false, false, false],
  [6, 11, 16, false, false, false], // beyond, however it came to that
  [0, 0, 15, false, false, false],
  [0, 10, 0, false, false, true],
  [5, 0, 0, false, true, true],
] as const;
for (const [challenges, messages, mistakes, challenge, message, guess] of rows) {
  test(`${challenges} challenges, ${messages} messages, ${mistakes} wrong codes`, () => {
    const uses = { challenges, messages, mistakes };
    expect([mayChallenge(uses), mayMessage(uses), mayGuess(uses)]).toEqual([challenge, message, guess]);
  });
}
