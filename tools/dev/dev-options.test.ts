import { expect, test } from 'vitest';
import { FOR_CHECKS, readOptions } from './dev-options.ts';

test('without options: the usual port, the service as it is in production', () => {
  expect(readOptions([])).toEqual({
    ...{ port: 8080, rate: undefined, patience: 1 },
    ...{ ephemeral: false, json: false, help: false },
  });
});

test('what tools pass that check something: a database and a port of its own, and a patient service', () => {
  expect(readOptions(FOR_CHECKS)).toMatchObject({ port: 0, patience: 5, ephemeral: true, json: true });
});

test.each([
  ['--port', '65536'],
  ['--rate', '0'],
  ['--patience', '0'],
  ['--patience', '1.5'],
  ['--patience', '101'],
  ['--patience', 'much'],
  ['--pace', '5'],
])('%s %s is refused with a sentence that names the option', (name, value) => {
  expect(readOptions([name, value])).toEqual({ problem: expect.stringContaining(name) });
});
