// Source Sans 3, regular and semi-bold, for every PDF: whole fonts with all Latin letters. Fonts are read once; shapes and
// widths of words are remembered across documents, since shaping is most of a document's work.
import { readFileSync } from 'node:fs';
import { create, type Font, type GlyphRun } from 'fontkit';
import { drawnLetter } from '../view/letters.ts';

export type Weight = 'regular' | 'bold';

export type Fonts = {
  readonly byWeight: Readonly<Record<Weight, Font>>;
  /** Only letters that both weights have. */
  readonly drawable: (text: string) => string;
  /** Of a text without spaces, for the size 1. */
  readonly widthOf: (text: string, weight: Weight) => number;
};

const FILES: Readonly<Record<Weight, string>> = {
  regular: '400Regular/SourceSans3_400Regular.ttf',
  bold: '600SemiBold/SourceSans3_600SemiBold.ttf',
};

/** Reports can have any words: no memory may grow without limit. */
const REMEMBERED_MAX = 50_000;

type Memory = { readonly kept: Map<string, unknown>; readonly own: Map<string, unknown> };

/** `kept` has the words of invented reports and stays; `own` has those of people's reports. */
const memories: Memory[] = [];

function remember<Value>(make: (key: string) => Value): (key: string) => Value {
  const memory = { kept: new Map<string, Value>(), own: new Map<string, Value>() };
  memories.push(memory);
  return (key) => {
    const before = memory.kept.get(key) ?? memory.own.get(key);
    if (before !== undefined) return before;
    if (memory.own.size >= REMEMBERED_MAX) memory.own.clear();
    const made = make(key);
    memory.own.set(key, made);
    return made;
  };
}

/** Call it before the first report of a person is painted. */
export function keepWords(): void {
  for (const { kept, own } of memories) for (const [key, value] of own) kept.set(key, value);
  forgetWords();
}

/** Forgets the words of people's reports: an erased report must not live on here. */
export function forgetWords(): void {
  for (const { own } of memories) own.clear();
}

/**
 * Some letters share a glyph: the hyphen has three code points that are drawn. fontkit remembers a glyph with the letter for which it was first made,
 * and pdfkit writes that letter into the document for copying and for screen readers. So a letter of one person's report would
 * stand in all later documents, and the same report would not give the same bytes.
 */
function nameGlyphsAnew(font: Font): void {
  const find = font.getGlyph.bind(font);
  font.getGlyph = (id, codePoints = []) => {
    const glyph = find(id, codePoints);
    const isNamed = codePoints.length === 0 || String(glyph.codePoints) === String(codePoints);
    return isNamed ? glyph : (Object.create(glyph, { codePoints: { value: codePoints } }) as typeof glyph);
  };
}

function load(weight: Weight): Font {
  const path = new URL(FILES[weight], import.meta.resolve('@expo-google-fonts/source-sans-3/package.json'));
  const font = create(readFileSync(path));
  if (!('layout' in font)) throw new Error('this file holds several fonts');
  nameGlyphsAnew(font);
  const shape = font.layout.bind(font);
  const shapeOf = remember((text) => {
    const { glyphs, positions, advanceWidth } = shape(text);
    return { glyphs, positions, advanceWidth };
  });
  // pdfkit scales the positions in place, so each caller has its own copies.
  font.layout = (text, ...features) => {
    if (features[0] !== undefined) return shape(text, ...features);
    const { glyphs, positions, advanceWidth } = shapeOf(text);
    return { glyphs, positions: positions.map((position) => ({ ...position })), advanceWidth } as GlyphRun;
  };
  return font;
}

function createFonts(): Fonts {
  const byWeight = { regular: load('regular'), bold: load('bold') };
  const { regular, bold } = byWeight;
  const letterOf = remember((letter) =>
    drawnLetter(letter, (code) => regular.hasGlyphForCodePoint(code) && bold.hasGlyphForCodePoint(code)),
  );
  const widthIn = (font: Font) => remember((text) => font.layout(text).advanceWidth / font.unitsPerEm);
  const widths = { regular: widthIn(regular), bold: widthIn(bold) };
  return {
    byWeight,
    drawable: (text) => Array.from(text, letterOf).join(''),
    widthOf: (text, weight) => widths[weight](text),
  };
}

let fonts: Fonts | undefined;

export function loadFonts(): Fonts {
  fonts ??= createFonts();
  return fonts;
}
