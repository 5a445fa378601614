// The memory of shaped words: fixed words stay, words of people's reports can be forgotten.
import { expect, test } from 'vitest';
import { forgetWords, keepWords, loadFonts } from './fonts.ts';

const glyphsOf = (word: string) => loadFonts().byWeight.regular.layout(word).glyphs;

test('a word is shaped once, until it is forgotten; a kept word stays', () => {
  const fixed = glyphsOf('Agency');
  keepWords();
  const own = glyphsOf('Wrexbottomley');
  expect(glyphsOf('Wrexbottomley')).toBe(own);
  forgetWords();
  expect(glyphsOf('Wrexbottomley')).not.toBe(own);
  expect(glyphsOf('Agency')).toBe(fixed);
});

test('letters that share a glyph keep their own code points, whichever was drawn first in this process', () => {
  const { byWeight } = loadFonts();
  for (const font of Object.values(byWeight)) {
    const shared = ['-\u2010\u2011', '\u00b5\u03bc', '\u0394\u2206', '\u03a9\u2126'];
    for (const letters of [...shared, ...shared.map((each) => [...each].toReversed().join(''))]) {
      const drawn = Array.from(letters, (letter) => font.layout(letter).glyphs.map(({ codePoints }) => codePoints));
      expect(drawn.flat()).toEqual(Array.from(letters, (letter) => [letter.codePointAt(0)]));
      const ids = Array.from(letters, (letter) => font.layout(letter).glyphs[0]?.id);
      expect(new Set(ids).size).toBe(1);
    }
  }
});
