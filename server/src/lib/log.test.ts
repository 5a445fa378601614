import { expect, test } from 'vitest';
import { createLog, describeError, type LogFields } from './log.ts';

test('a field that is not declared cannot be logged', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.info('request', { requestId: 'r1', body: { firstName: 'Canary' } } as LogFields);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ requestId: 'r1', msg: 'request' });
  expect(lines.join()).not.toContain('Canary');
});

test('an error is told by kind and place, never by message', () => {
  const error = Object.assign(new Error('duplicate key (Canary)\n    second line Canary'), { code: '23505' });
  const described = describeError(error);
  expect(described).toMatchObject({ errorName: 'Error', errorCode: '23505' });
  expect(JSON.stringify(described)).not.toContain('Canary');
  expect(described.stack).toContain('log.test.ts');
});

test('the level of a line is a word', () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => lines.push(line) });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('event');
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['debug', 'info', 'warn', 'error']);
});
