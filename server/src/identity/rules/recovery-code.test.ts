import { expect, test } from 'vitest';
import { readRecoveryCode, writeRecoveryCode } from './recovery-code.ts';

test('what is written can be read, however somebody copies it', () => {
  expect(writeRecoveryCode('0a1b2c3d4e5f')).toBe('0a1b-2c3d-4e5f');
  for (const text of ['0a1b-2c3d-4e5f', ' 0A1B 2C3D 4E5F ', '0a1b2c3d4e5f', 'oaIb-2c3d-4e5f', 'Oalb2c3d4e5f']) {
    expect(readRecoveryCode(text)).toBe('0a1b2c3d4e5f');
  }
});

test('what cannot be a code is none', () => {
  for (const text of ['', '0a1b-2c3d-4e5', '0a1b-2c3d-4e5ff', '0a1b-2c3d-4e5u', '0a1b-2c3d-4e5ü']) {
    expect(readRecoveryCode(text)).toBeUndefined();
  }
});
