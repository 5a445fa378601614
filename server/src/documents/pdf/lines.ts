// Breaks texts into lines. A word wider than its line is broken between letters, so that nothing leaves its box.
import type { Fonts, Weight } from './fonts.ts';

export type Run = { readonly text: string; readonly weight: Weight };
export type Piece = Run & { readonly x: number };
export type Line = { readonly pieces: readonly Piece[]; readonly width: number };

/** No text of a report needs more; a page has room for about sixty. */
const LINES_MAX = 40;
const SLACK = 0.98;

type Word = Run & { readonly width: number; readonly space: number };

/**
 * Parts of a word that each fit. The widths of single letters are added up, since remembering every beginning of every long
 * word would fill the memory; the slack is for pairs that stand further apart.
 */
function broken(word: string, room: number, widthOf: (text: string) => number): string[] {
  const parts: string[] = [];
  let part = '';
  let used = 0;
  for (const letter of word) {
    const width = widthOf(letter);
    if (part !== '' && used + width > room * SLACK) {
      parts.push(part);
      part = '';
      used = 0;
    }
    part += letter;
    used += width;
  }
  return [...parts, part];
}

function wordsOf({ text, weight }: Run, { drawable, widthOf }: Fonts, { size, width }: Box): Word[] {
  const measure = (part: string) => widthOf(part, weight) * size;
  const space = measure(' ');
  const words = drawable(text).split(' ').filter(Boolean);
  return words.flatMap((word) => {
    const own = measure(word);
    if (own <= width) return [{ text: word, weight, width: own, space }];
    const parts = broken(word, width, measure);
    return parts.map((part) => ({ text: part, weight, width: measure(part), space }));
  });
}

type Box = { readonly size: number; readonly width: number };

/** Words of one line, joined where they have the same weight: one piece is one drawing operation. */
function toLine(words: readonly Word[]): Line {
  const pieces: { text: string; weight: Weight; x: number }[] = [];
  let x = 0;
  for (const [place, word] of words.entries()) {
    const last = pieces.at(-1);
    if (place > 0) x += word.space;
    if (last?.weight === word.weight) last.text += ` ${word.text}`;
    else pieces.push({ text: word.text, weight: word.weight, x });
    x += word.width;
  }
  return { pieces, width: x };
}

/** At least one line, even for an empty text: a row without words still has a height. */
export function breakLines(runs: readonly Run[], fonts: Fonts, box: Box): Line[] {
  const lines: Word[][] = [[]];
  let used = 0;
  for (const word of runs.flatMap((run) => wordsOf(run, fonts, box))) {
    const line = lines.at(-1) ?? [];
    const wanted = line.length === 0 ? word.width : used + word.space + word.width;
    if (line.length > 0 && wanted > box.width) {
      lines.push([word]);
      used = word.width;
    } else {
      line.push(word);
      used = wanted;
    }
  }
  const kept = lines.slice(0, LINES_MAX);
  if (lines.length > LINES_MAX) kept.at(-1)?.splice(-1, 1, { ...(kept.at(-1)?.at(-1) as Word), text: '…' });
  return kept.map(toLine);
}

/** The text, or its beginning with an ellipsis where it is wider than its room. */
export function cutToWidth(text: string, weight: Weight, { drawable, widthOf }: Fonts, { size, width }: Box): string {
  const whole = drawable(text);
  const measure = (part: string) => widthOf(part, weight) * size;
  if (measure(whole) <= width) return whole;
  const letters = Array.from(whole);
  while (letters.length > 1 && measure(`${letters.join('').trimEnd()}…`) > width) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}
