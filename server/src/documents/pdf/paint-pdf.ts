// Paints a view as a PDF that follows PDF/UA-1 (a screen reader can read it) and PDF/A-3a (it can be kept for decades, with
// files attached). The same view and files give the same bytes.
import PDFDocument from 'pdfkit';
import type { EvidenceFile } from '../../evidence/evidence-files.ts';
import type { Block, Section, View } from '../view/view.ts';
import { CHECK_BEGIN, writeCard, writeCheck, writeDefinitions, writeParagraph } from './blocks.ts';
import { heightOfChart, writeChart } from './chart.ts';
import { metadataOf, UA_PROPERTIES } from './metadata.ts';
import { COLOURS, type Element, FOOT, PAGE, Pen, type Style, TEXT } from './pen.ts';
import { beginOfTable, writeTable } from './table.ts';

const TABLE = { size: 8.5 };
const H1: Style = { ...TEXT, size: 25, weight: 'bold', gap: 0 };
const H2: Style = { ...TEXT, size: 14, weight: 'bold', colour: COLOURS.accent };
const NOTICE: Style = { ...TEXT, weight: 'bold', colour: COLOURS.warn };
const FOOTER: Style = { ...TEXT, size: 7.5, colour: COLOURS.quiet };

/** Makes the empty document; a test can make a faulty one. */
export type MakeDocument = (options: PDFKit.PDFDocumentOptions) => PDFKit.PDFDocument;

const optionsFor = ({ language, title, datedAt }: View): PDFKit.PDFDocumentOptions => {
  const at = new Date(datedAt);
  return {
    size: 'A4',
    margins: { top: PAGE.top, left: PAGE.left, right: PAGE.left, bottom: 0 },
    ...{ pdfVersion: '1.7', subset: 'PDF/A-3a', tagged: true, lang: language, displayTitle: true },
    ...{ bufferPages: true, autoFirstPage: false },
    info: { ...metadataOf(title), CreationDate: at, ModDate: at },
    // Without this pdfkit would load one of its own fonts, which PDF/A does not allow.
    ...({ font: null } as object),
  };
};

function drawBrand({ document }: Pen, y: number): void {
  const x = PAGE.left;
  for (const [cx, cy] of [
    [8, 4.6],
    [4.4, 9.8],
    [11.6, 9.8],
  ] as const) {
    document.circle(x + cx, y + cy, 3.6);
  }
  document.rect(x + 7.5, y + 9, 1, 7).fill(COLOURS.accent);
}

function writeNotice(pen: Pen, parent: Element, notice: string): void {
  const width = PAGE.width - 16;
  const lines = pen.linesOf([{ text: notice, weight: 'bold' }], NOTICE, width);
  const height = pen.heightOf(lines.length, NOTICE) + 6;
  const top = pen.y;
  pen.artifact(() => pen.document.rect(PAGE.left, top, PAGE.width, height).fill(COLOURS.warnTint));
  pen.add(parent, 'P', () => pen.drawLines(lines, NOTICE, { x: PAGE.left + 8, y: top + 4, width }));
  pen.y = top + height + 8;
}

const HEADLINE: Style = { ...TEXT, size: 15, weight: 'bold' };
const POINT: Style = { ...TEXT, size: 10 };

function writeGlance(pen: Pen, parent: Element, { headline, points }: View['glance']): void {
  const inner = PAGE.width - 32;
  const x = PAGE.left + 18;
  const headLines = pen.linesOf([{ text: headline, weight: 'bold' }], HEADLINE, inner);
  const pointLines = points.map((text) => pen.linesOf([{ text, weight: 'regular' }], POINT, inner - 12));
  const heights = pointLines.map((lines) => pen.heightOf(lines.length, POINT) + 3);
  const height = 12 + pen.heightOf(headLines.length, HEADLINE) + 4 + heights.reduce((sum, each) => sum + each, 0) + 7;
  const top = pen.y;
  pen.artifact(() => {
    pen.document.roundedRect(PAGE.left, top, PAGE.width, height, 4).fill(COLOURS.tint);
    pen.document.rect(PAGE.left, top, 4, height).fill(COLOURS.accent);
  });
  pen.add(parent, 'P', () => pen.drawLines(headLines, HEADLINE, { x, y: top + 12, width: inner }));
  let y = top + 12 + pen.heightOf(headLines.length, HEADLINE) + 4;
  const list = pen.begin(parent, 'L');
  for (const [place, lines] of pointLines.entries()) {
    const item = pen.begin(list, 'LI');
    const at = y;
    pen.add(item, 'Lbl', () => pen.draw('•', POINT, { x, y: at, width: 10 }));
    pen.add(item, 'LBody', () => pen.drawLines(lines, POINT, { x: x + 12, y: at, width: inner - 12 }));
    item.end();
    y += heights[place] ?? 0;
  }
  list.end();
  pen.y = top + height + 12;
}

function writeFirst(pen: Pen, view: View): void {
  const top = pen.y;
  pen.artifact(() => {
    drawBrand(pen, top);
    pen.draw('Trefoil', { ...TEXT, size: 11, weight: 'bold' }, { x: PAGE.left + 20, y: top + 0.5, width: 200 });
  });
  pen.y += 26;
  const section = pen.begin(pen.root, 'Sect', { title: view.title });
  if (view.notice !== null) writeNotice(pen, section, view.notice);
  pen.write(section, 'H1', [{ text: view.title, weight: 'bold' }], H1, { after: 2 });
  pen.write(section, 'P', [{ text: view.subject, weight: 'regular' }], { ...TEXT, size: 13 }, { after: 2 });
  const quiet: Style = { ...TEXT, colour: COLOURS.quiet };
  pen.write(section, 'P', [{ text: view.prepared, weight: 'regular' }], quiet, { after: 12 });
  writeGlance(pen, section, view.glance);
  section.end();
}

/** How much of a block must follow its heading on the same page. */
function beginOf(pen: Pen, block: Block | undefined): number {
  if (block?.kind === 'table') return beginOfTable(pen, block, TABLE);
  if (block?.kind === 'timeline') return heightOfChart(block);
  return block?.kind === 'check' ? CHECK_BEGIN : 40;
}

const WRITERS: { readonly [Kind in Block['kind']]: (pen: Pen, parent: Element, block: BlockOf<Kind>) => void } = {
  paragraph: writeParagraph,
  definitions: writeDefinitions,
  timeline: writeChart,
  card: writeCard,
  check: writeCheck,
  table: (pen, parent, table) => writeTable(pen, parent, table, table.columns.length > 6 ? { size: 8 } : TABLE),
};

type BlockOf<Kind> = Extract<Block, { readonly kind: Kind }>;

function writeBlock<Kind extends Block['kind']>(
  pen: Pen,
  parent: Element,
  block: BlockOf<Kind> & { kind: Kind },
): void {
  WRITERS[block.kind](pen, parent, block);
}

function writeSection(pen: Pen, { title, blocks }: Section): void {
  const section = pen.begin(pen.root, 'Sect', { title });
  if (pen.y > PAGE.top) pen.y += 7;
  const lines = pen.linesOf([{ text: title, weight: 'bold' }], H2, PAGE.width);
  pen.ensure(pen.heightOf(lines.length, H2) + 5 + beginOf(pen, blocks[0]));
  pen.write(section, 'H2', [{ text: title, weight: 'bold' }], H2, { after: 5 });
  for (const block of blocks) writeBlock(pen, section, block);
  section.end();
}

/** What stands on every page, once the number of pages is known. */
function writeEdges(pen: Pen, { footer, pageWords, notice }: View): void {
  const { document } = pen;
  const { start, count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(start + page);
    pen.artifact(() => {
      if (notice !== null && page > 0) {
        document.rect(PAGE.left, 22, PAGE.width, 17).fill(COLOURS.warnTint);
        pen.draw(notice, { ...NOTICE, size: 8 }, { x: PAGE.left + 8, y: 24.5, width: PAGE.width - 16 });
      }
      document
        .moveTo(PAGE.left, FOOT.line)
        .lineTo(PAGE.left + PAGE.width, FOOT.line)
        .lineWidth(0.5)
        .stroke(COLOURS.line);
      pen.draw(footer, FOOTER, { x: PAGE.left, y: FOOT.words, width: 400 });
      const words = pageWords.replace('{page}', String(page + 1)).replace('{pages}', String(count));
      pen.draw(words, FOOTER, { x: PAGE.left + 400, y: FOOT.words, width: 99, align: 'end' });
    }, 'Pagination');
  }
}

function attach(document: PDFKit.PDFDocument, { name, mediaType, description, bytes }: EvidenceFile, at: Date): void {
  // A relationship is what PDF/A-3 asks for: the data are the document's source, the rest accompanies them.
  const relationship = name === 'report.json' ? 'Source' : name === 'VERIFY.txt' ? 'Unspecified' : 'Data';
  const options = { name, type: mediaType, description, relationship, creationDate: at, modifiedDate: at };
  document.file(Buffer.from(bytes), options as PDFKit.Mixins.PDFAttachmentOptions);
}

export function paintPdf(
  view: View,
  files: readonly EvidenceFile[] = [],
  makeDocument: MakeDocument = (options) => new PDFDocument(options),
): Promise<Buffer> {
  const document = makeDocument(optionsFor(view));
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  const pen = new Pen(document, view.title);
  writeFirst(pen, view);
  for (const section of view.sections) writeSection(pen, section);
  pen.root.end();
  writeEdges(pen, view);
  for (const file of files) attach(document, file, new Date(view.datedAt));
  document.appendXML(UA_PROPERTIES);
  document.end();
  return done;
}
