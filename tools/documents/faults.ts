// Faults that a checker of PDF/UA-1 and PDF/A-3a must find. Each is planted where pdfkit is called, so that the painter
// itself has no switch for them.
import PDFDocument from 'pdfkit';
import type { MakeDocument } from '../../server/src/documents/pdf/paint-pdf.ts';

type Options = Readonly<Record<string, unknown>>;

/** A document whose elements lack this attribute. */
const without =
  (attribute: string): MakeDocument =>
  (options) => {
    const document = new PDFDocument(options);
    const struct = document.struct.bind(document);
    document.struct = (tag, attributes, children) => {
      const { [attribute]: _, ...others } = (attributes ?? {}) as Options;
      return children === undefined ? struct(tag, others) : struct(tag, others, children);
    };
    return document;
  };

/** Writes this on the first page, outside every tag, before the file is closed. */
const withUntaggedText: MakeDocument = (options) => {
  const document = new PDFDocument(options);
  const end = document.end.bind(document);
  document.end = () => {
    document.switchToPage(0);
    document.font('regular').fontSize(9).text('untagged', 50, 20, { lineBreak: false });
    return end();
  };
  return document;
};

const withMissingGlyph: MakeDocument = (options) => {
  const document = new PDFDocument(options);
  const text = document.text.bind(document) as (...given: unknown[]) => typeof document;
  document.text = (words: string, ...rest: unknown[]) => text(words.replace('Trefoil', 'Trefoil 😀'), ...rest);
  return document;
};

export const FAULTS: Readonly<Record<string, MakeDocument>> = {
  'no-alt': without('alt'),
  'untagged-text': withUntaggedText,
  'bad-metadata': (options) => new PDFDocument({ ...options, info: { ...options.info, Title: 'Smith & <Co>' } }),
  'no-scope': without('scope'),
  'no-language': (options) => {
    const { lang: _, ...others } = options;
    return without('lang')(others);
  },
  'missing-glyph': withMissingGlyph,
};
