import { expect, test } from 'vitest';
import { ServiceError } from '../errors.ts';
import { readCursor, writeCursor } from './cursor.ts';

const isNumber = (text: string) => /^[1-9]\d*$/.test(text);

test('a position comes back as it was', () => {
  for (const position of ['1', '42', '900719925474099']) {
    expect(readCursor(writeCursor(position), isNumber)).toBe(position);
  }
});

test('what was not given out is refused: another position, other spellings, other bytes', () => {
  for (const cursor of [
    '',
    '!',
    writeCursor('0'),
    writeCursor('x'),
    `${writeCursor('42')}=`,
    `${writeCursor('42')} `,
  ]) {
    expect(() => readCursor(cursor, isNumber)).toThrow(ServiceError);
  }
});
