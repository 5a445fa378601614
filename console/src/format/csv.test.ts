import { expect, test } from 'vitest';
import { withoutHeader } from './csv.ts';

test('only the first line goes, whatever follows it', () => {
  expect(withoutHeader('id,note\r\n1,"a\r\nb"\r\n2,\r\n')).toBe('1,"a\r\nb"\r\n2,\r\n');
  expect(withoutHeader('id,note\r\n')).toBe('');
});
