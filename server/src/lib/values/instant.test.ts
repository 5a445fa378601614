import { expect, test } from 'vitest';
import { parseInstant } from './instant.ts';

const rows = [
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T09:00Z', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01T09:00:00Z', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01T09:00:00.25+01:00', '2026-03-01T08:00:00.250Z'],
  ['2024-02-29T23:59:59-00:30', '2024-03-01T00:29:59.000Z'],
  ['2026-02-29', undefined],
  ['2026-02-29T09:00:00Z', undefined],
  ['2026-03-01T09:00:00', undefined],
  ['2026-03-01T24:00:00Z', undefined],
  ['2026-03-01 09:00:00Z', undefined],
  ['2026-03-01T09:00:00 01:00', undefined],
  ['01/03/2026', undefined],
  ['yesterday', undefined],
  ['', undefined],
] as const;
for (const [text, expected] of rows) {
  test(`${text || '(empty)'} is ${expected ?? 'no instant'}`, () => {
    expect(parseInstant(text)?.toISOString()).toBe(expected);
  });
}
