import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeLicences, listTexts } from './licences.ts';

test('what is no package, such as Node and the fonts, is listed with its text, and a text stands once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trefoil-licences-'));
  try {
    writeFileSync(join(folder, 'node.txt'), 'Text of Node.\n');
    writeFileSync(join(folder, 'inter.txt'), 'Text of the font.\n');
    const font = { name: '@fonts/inter', version: '5.3.0', licence: 'OFL-1.1', text: 'Text of the font.' };
    const text = describeLicences([font, ...listTexts(folder)]);
    for (const row of ['node: see its text', 'inter: see its text', '@fonts/inter 5.3.0: OFL-1.1'])
      expect(text.split('\n')).toContain(row);
    expect(text.split('Text of the font.')).toHaveLength(2);
    expect(text).toContain('Text of Node.');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
