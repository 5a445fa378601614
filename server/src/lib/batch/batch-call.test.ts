// The states of a call of the queue as a table: every way from one state to another is allowed or is a fault.
import { expect, test } from 'vitest';
import { type CallState, move } from './batch-call.ts';

const STATES: readonly CallState[] = ['waiting', 'running', 'parked', 'answered', 'refused'];
const ALLOWED: readonly string[] = [
  'waiting → running',
  'waiting → refused',
  'running → answered',
  'running → waiting',
  'running → parked',
  'running → refused',
  'parked → running',
  'parked → waiting',
  'parked → refused',
];

for (const from of STATES) {
  for (const to of STATES) {
    const isAllowed = ALLOWED.includes(`${from} → ${to}`);
    test(`${from} → ${to}: ${isAllowed ? 'goes there' : 'a fault, and the call stays where it is'}`, () => {
      const call = { state: from };
      if (isAllowed) move(call, to);
      else expect(() => move(call, to)).toThrow(`cannot change from ${from} to ${to}`);
      expect(call.state).toBe(isAllowed ? to : from);
    });
  }
}
