// Writes on the pages of one PDF: keeps the place on the page, turns pages, and tags everything. What is not tagged as
// content is an artifact, which screen readers pass over (PDF/UA).
import { type Fonts, loadFonts, type Weight } from './fonts.ts';
import { breakLines, type Line, type Run } from './lines.ts';

export const COLOURS = {
  ...{ ink: '#17211c', quiet: '#505c55', accent: '#14613a', tint: '#eef5f0', line: '#c9d3cd' },
  ...{ warn: '#8a4300', warnTint: '#fdf3e3', shade: '#eceeed', hatch: '#cfd6d2', white: '#ffffff', black: '#000000' },
} as const;

/** In points; A4 is 595 × 842. */
export const PAGE = { left: 48, width: 499, top: 50, bottom: 786 } as const;
/** The line above the footer, and the top of the footer's words. */
export const FOOT = { line: 800, words: 805 } as const;

export type Style = {
  readonly size: number;
  readonly weight: Weight;
  readonly colour: string;
  /** Between lines. */
  readonly gap: number;
};

export const TEXT: Style = { size: 9.5, weight: 'regular', colour: COLOURS.ink, gap: 2 };

export type Element = PDFKit.PDFStructureElement;
/** Attributes that pdfkit takes and its types do not have. */
export type Attributes = PDFKit.Mixins.StructureElementOptions & {
  readonly scope?: 'Row' | 'Column';
  readonly bbox?: readonly [number, number, number, number];
  readonly placement?: 'Block';
};

export type Place = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly align?: 'start' | 'end' | 'middle';
};

/** Source Sans 3: from the top of one line to the top of the next, for the size 1. */
const LINE_HEIGHT = 1.424;

export class Pen {
  readonly document: PDFKit.PDFDocument;
  readonly fonts: Fonts = loadFonts();
  readonly root: Element;
  /** The top of what comes next. */
  y: number = PAGE.top;

  constructor(document: PDFKit.PDFDocument, title: string) {
    this.document = document;
    for (const weight of ['regular', 'bold'] as const) {
      // pdfkit takes a font that fontkit has read; its types do not say so.
      document.registerFont(weight, this.fonts.byWeight[weight] as unknown as ArrayBuffer);
    }
    this.root = document.struct('Document', { lang: 'en-GB', title });
    document.addPage();
    // Attached before anything is added to it: pdfkit then writes each element with its page.
    document.addStructure(this.root);
  }

  /** Turns the page if what comes next would not fit. */
  ensure(height: number): boolean {
    if (this.y + height <= PAGE.bottom || this.y === PAGE.top) return false;
    this.document.addPage();
    this.y = PAGE.top;
    return true;
  }

  begin(parent: Element, tag: string, attributes: Attributes = {}): Element {
    const element = this.document.struct(tag, attributes as PDFKit.Mixins.StructureElementOptions);
    parent.add(element);
    return element;
  }

  /** An element whose content is drawn now. */
  add(parent: Element, tag: string, draw: () => void, attributes: Attributes = {}): void {
    parent.add(this.document.struct(tag, attributes as PDFKit.Mixins.StructureElementOptions, draw));
  }

  artifact(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.document.markContent('Artifact', { type });
    draw();
    this.document.endMarkedContent();
  }

  linesOf(runs: readonly Run[], style: Style, width: number): Line[] {
    return breakLines(runs, this.fonts, { size: style.size, width });
  }

  heightOf(lines: number, { size, gap }: Style): number {
    return lines * (size * LINE_HEIGHT + gap);
  }

  /** Draws lines whose top is at `place.y`. */
  drawLines(lines: readonly Line[], style: Style, { x, y, width, align = 'start' }: Place): void {
    const { document } = this;
    document.fontSize(style.size).fillColor(style.colour);
    for (const [index, { pieces, width: used }] of lines.entries()) {
      const shift = align === 'start' ? 0 : align === 'end' ? width - used : (width - used) / 2;
      const top = y + this.heightOf(index, style);
      for (const piece of pieces) {
        document.font(piece.weight).text(piece.text, x + shift + piece.x, top, { lineBreak: false });
      }
    }
  }

  draw(text: string, style: Style, place: Place): void {
    this.drawLines(this.linesOf([{ text, weight: style.weight }], style, place.width), style, place);
  }

  /** A text in the flow of the page: turns the page if it must, and moves on. */
  write(parent: Element, tag: string, runs: readonly Run[], style: Style, flow: Flow = {}): void {
    const { x = PAGE.left, width = PAGE.width, after = 6 } = flow;
    const lines = this.linesOf(runs, style, width);
    const height = this.heightOf(lines.length, style);
    this.ensure(height);
    this.add(parent, tag, () => this.drawLines(lines, style, { x, y: this.y, width }));
    this.y += height + after;
  }
}

export type Flow = { readonly x?: number; readonly width?: number; readonly after?: number };
