// The other blocks of the view on pages: paragraphs, definitions, cards, and how to check the document.
import { qrCode } from '../qr-code.ts';
import type { Card, Check, Definitions, Paragraph } from '../view/view.ts';
import { COLOURS, type Element, PAGE, type Pen, type Style, TEXT } from './pen.ts';
import { heightOfTable, writeTable } from './table.ts';

const HEADING: Style = { ...TEXT, size: 12.5, weight: 'bold' };
const ASIDE: Style = { ...TEXT, size: 10, weight: 'bold' };
const NOTE: Style = { ...TEXT, colour: COLOURS.quiet };
const FACT_LABEL: Style = { ...TEXT, size: 7.5, colour: COLOURS.quiet, gap: 0 };
const FACT_VALUE: Style = { ...TEXT, weight: 'bold', gap: 0 };
const SMALL: Style = { ...TEXT, size: 9 };

const FACTS_ACROSS = 4;
const CARD_TABLE = { size: 8 };
const CODE = 92;

const TONES: Readonly<Record<Paragraph['tone'], Style>> = {
  plain: TEXT,
  strong: { ...TEXT, weight: 'bold' },
  quiet: { ...TEXT, size: 8, colour: COLOURS.quiet },
};

export function writeParagraph(pen: Pen, parent: Element, { label, text, tone }: Paragraph): void {
  const style = label === null ? TONES[tone] : SMALL;
  const runs = [...(label === null ? [] : [{ text: label, weight: 'bold' as const }]), { text, weight: style.weight }];
  pen.write(parent, 'P', runs, style, { after: label === null ? 6 : 3 });
}

export function writeDefinitions(pen: Pen, parent: Element, { entries }: Definitions): void {
  for (const { term, meaning } of entries) {
    const runs = [
      { text: `${term}:`, weight: 'bold' as const },
      { text: meaning, weight: 'regular' as const },
    ];
    pen.write(parent, 'P', runs, { ...TEXT, size: 8.5 }, { after: 2 });
  }
}

type FactLines = {
  readonly label: ReturnType<Pen['linesOf']>;
  readonly value: ReturnType<Pen['linesOf']>;
  readonly height: number;
};

const FACT_GAP = 6;
const factWidth = (PAGE.width - (FACTS_ACROSS - 1) * FACT_GAP) / FACTS_ACROSS;

/** Rows of facts, each as high as its highest fact. */
function factRows(pen: Pen, { facts }: Card): { readonly height: number; readonly facts: FactLines[] }[] {
  const lines = facts.map(({ label, value }): FactLines => {
    const labelLines = pen.linesOf([{ text: label, weight: 'regular' }], FACT_LABEL, factWidth);
    const valueLines = pen.linesOf([{ text: value, weight: 'bold' }], FACT_VALUE, factWidth);
    const height = pen.heightOf(labelLines.length, FACT_LABEL) + pen.heightOf(valueLines.length, FACT_VALUE);
    return { label: labelLines, value: valueLines, height };
  });
  const rows: { height: number; facts: FactLines[] }[] = [];
  for (let place = 0; place < lines.length; place += FACTS_ACROSS) {
    const own = lines.slice(place, place + FACTS_ACROSS);
    rows.push({ facts: own, height: Math.max(...own.map(({ height }) => height)) + 3 });
  }
  return rows;
}

function writeFacts(pen: Pen, parent: Element, card: Card): void {
  const list = pen.begin(parent, 'L');
  for (const { facts, height } of factRows(pen, card)) {
    const top = pen.y;
    for (const [place, { label, value }] of facts.entries()) {
      const x = PAGE.left + place * (factWidth + FACT_GAP);
      const item = pen.begin(list, 'LI');
      pen.add(item, 'Lbl', () => pen.drawLines(label, FACT_LABEL, { x, y: top, width: factWidth }));
      const below = top + pen.heightOf(label.length, FACT_LABEL);
      pen.add(item, 'LBody', () => pen.drawLines(value, FACT_VALUE, { x, y: below, width: factWidth }));
      item.end();
    }
    pen.y = top + height;
  }
  list.end();
  pen.y += 4;
}

/** The title beside what kind of agreement it is. */
function headOf(pen: Pen, { title, aside }: Card) {
  const asideLines = pen.linesOf([{ text: aside, weight: 'bold' }], ASIDE, PAGE.width / 2);
  const asideWidth = Math.max(...asideLines.map(({ width }) => width));
  const titleWidth = PAGE.width - asideWidth - 16;
  const titleLines = pen.linesOf([{ text: title, weight: 'bold' }], HEADING, titleWidth);
  const height = Math.max(pen.heightOf(titleLines.length, HEADING), pen.heightOf(asideLines.length, ASIDE));
  return { asideLines, titleLines, titleWidth, height };
}

function heightOfCard(pen: Pen, card: Card): number {
  const note = pen.linesOf([{ text: card.note, weight: 'regular' }], NOTE, PAGE.width).length;
  const facts = factRows(pen, card).reduce((sum, { height }) => sum + height, 4);
  const table = card.table === null ? 24 : heightOfTable(pen, card.table, CARD_TABLE);
  return 7 + headOf(pen, card).height + pen.heightOf(note, NOTE) + 6 + facts + table;
}

export function writeCard(pen: Pen, parent: Element, card: Card): void {
  const whole = heightOfCard(pen, card);
  // A card stays together, unless it is higher than a page.
  pen.ensure(whole <= PAGE.bottom - PAGE.top ? whole : 220);
  const section = pen.begin(parent, 'Sect', { title: card.title });
  const top = pen.y;
  pen.artifact(() => {
    pen.document
      .moveTo(PAGE.left, top)
      .lineTo(PAGE.left + PAGE.width, top)
      .lineWidth(1.2)
      .stroke(COLOURS.accent);
  });
  const { asideLines, titleLines, titleWidth, height } = headOf(pen, card);
  const head = top + 7;
  pen.add(section, 'H3', () => pen.drawLines(titleLines, HEADING, { x: PAGE.left, y: head, width: titleWidth }));
  pen.add(section, 'P', () =>
    pen.drawLines(asideLines, ASIDE, { x: PAGE.left, y: head + 2.5, width: PAGE.width, align: 'end' }),
  );
  pen.y = head + height;
  pen.write(section, 'P', [{ text: card.note, weight: 'regular' }], NOTE);
  writeFacts(pen, section, card);
  if (card.table !== null) writeTable(pen, section, card.table, CARD_TABLE);
  if (card.remark !== null) pen.write(section, 'P', [{ text: card.remark, weight: 'regular' }], TEXT, { after: 10 });
  section.end();
  pen.y += 3;
}

function drawCode({ document }: Pen, address: string, x: number, y: number): void {
  const { size, runs } = qrCode(address);
  const cell = CODE / size;
  for (const { row, column, length } of runs) document.rect(x + column * cell, y + row * cell, length * cell, cell);
  document.fill(COLOURS.black);
}

function writeLink(pen: Pen, parent: Element, { address, link, linkName }: Check, width: number): void {
  const style: Style = { ...SMALL, weight: 'bold', colour: COLOURS.accent };
  const lines = pen.linesOf([{ text: link, weight: 'bold' }], style, width);
  const height = pen.heightOf(lines.length, style);
  const paragraph = pen.begin(parent, 'P');
  const element = pen.begin(paragraph, 'Link');
  const top = pen.y;
  element.add(() => pen.drawLines(lines, style, { x: PAGE.left, y: top, width }));
  const used = Math.max(...lines.map((line) => line.width));
  // pdfkit takes a String object for a text; a plain string would be a name.
  const annotation: object = { structParent: element, Contents: Object(linkName) };
  pen.document.link(PAGE.left, top, used, height, address, annotation);
  // At once: pdfkit writes the annotation with the page on which its element ends.
  element.end();
  paragraph.end();
  pen.y = top + height + 6;
}

/** Room for the words and the code beside them. */
export const CHECK_BEGIN = CODE + 40;

export function writeCheck(pen: Pen, parent: Element, check: Check): void {
  pen.ensure(CHECK_BEGIN);
  const top = pen.y;
  const width = PAGE.width - CODE - 20;
  for (const text of check.words) pen.write(parent, 'P', [{ text, weight: 'regular' }], SMALL, { width });
  writeLink(pen, parent, check, width);
  const x = PAGE.left + PAGE.width - CODE;
  pen.add(parent, 'Figure', () => drawCode(pen, check.address, x, top), {
    ...{ alt: check.codeAlt, placement: 'Block' },
    bbox: [x, top, x + CODE, top + CODE],
  });
  pen.y = Math.max(pen.y, top + CODE + 10);
  writeTable(pen, parent, check.table, { size: 8 });
}
