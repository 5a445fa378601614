// Which letters a document shows. The report's data keep every letter as it was reported.

const PLAIN = /^[\x20-\x7e]*$/;
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Controls, format characters (they reorder or hide text) and code points without a meaning. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu;
/** A pile of accents grows into the lines above and below. */
const PILED = /(\p{M}{2})\p{M}+/gu;

/** Composed, without anything that reorders or hides text. */
export function plainLetters(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.toWellFormed().normalize('NFC').replace(BREAKS, ' ').replace(UNSEEN, '').replace(PILED, '$1');
}

/** Every text of a view passes here, so that no part of it can forget to. */
export function withPlainLetters<T>(value: T): T {
  if (typeof value === 'string') return plainLetters(value) as T;
  if (Array.isArray(value)) return value.map(withPlainLetters) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withPlainLetters(each)])) as T;
}

const MARK = /\p{M}/u;

/** For a painter with one font: a letter that the font lacks becomes its base letter, or a question mark. */
export function drawnLetter(letter: string, has: (codePoint: number) => boolean): string {
  const isDrawn = (each: string) => has(each.codePointAt(0) ?? 0);
  if (isDrawn(letter)) return letter;
  // A mark that does not compose with its letter is left out: the letter before it is drawn.
  if (MARK.test(letter)) return '';
  const base = [...letter.normalize('NFKD')].filter((each) => isDrawn(each) && !MARK.test(each)).join('');
  return base === '' ? '?' : base;
}
