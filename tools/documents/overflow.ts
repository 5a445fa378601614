// Finds text beyond its page: what the painter draws is measured where pdfkit is called.
import PDFDocument from 'pdfkit';
import type { MakeDocument } from '../../server/src/documents/pdf/paint-pdf.ts';
import { FOOT, PAGE } from '../../server/src/documents/pdf/pen.ts';

/** Lines are measured word by word: a pair of letters may stand a little further apart. */
const SLACK = 1;
/** The footer itself ends above this. */
const EDGE = 820;

/** `found` gets each text that leaves the page's margins, or runs into the footer. */
export function watchingOverflow(found: string[]): MakeDocument {
  return (options) => {
    const document = new PDFDocument(options);
    const text = document.text.bind(document) as (...given: unknown[]) => typeof document;
    document.text = (words: string, ...rest: unknown[]) => {
      const [x, y] = rest as [number, number];
      const right = x + document.widthOfString(words);
      const bottom = y + document.currentLineHeight(true);
      const isFooter = y === FOOT.words;
      const isBelow = bottom > (isFooter ? EDGE : FOOT.line);
      if (x < PAGE.left - 15 || right > PAGE.left + PAGE.width + SLACK || isBelow) found.push(words);
      return text(words, ...rest);
    };
    return document;
  };
}
