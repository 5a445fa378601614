import { expect, test } from 'vitest';
import type { ScreeningOutcome } from '../port.ts';
import { stricterOf } from './stricter.ts';

const said = (kind: 'allow' | 'challenge' | 'block', reason: string): ScreeningOutcome => ({ kind, reasons: [reason] });
const SILENT: ScreeningOutcome = { kind: 'unavailable', reason: 'timeout' };

// provider, house, together
const rows = [
  ['allow', 'allow', 'allow'],
  ['allow', 'challenge', 'challenge'],
  ['challenge', 'allow', 'challenge'],
  ['allow', 'block', 'block'],
  ['block', 'allow', 'block'],
  ['block', 'challenge', 'block'],
] as const;
for (const [provider, house, kind] of rows) {
  test(`${provider} and ${house}: ${kind}, with the reasons of both`, () => {
    expect(stricterOf(said(provider, 'p'), said(house, 'h'))).toEqual({ kind, reasons: ['p', 'h'] });
  });
}

test('a provider that says nothing: blocked if the house blocks, else no decision', () => {
  expect(stricterOf(SILENT, said('block', 'h'))).toEqual({ kind: 'block', reasons: ['h'] });
  expect(stricterOf(SILENT, said('allow', 'h'))).toBe(SILENT);
  expect(stricterOf(SILENT, said('challenge', 'h'))).toBe(SILENT);
});
