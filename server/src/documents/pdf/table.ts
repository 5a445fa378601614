// A table of the view on pages. A row never breaks over two pages; the header is repeated there as an artifact.
import type { Row, Table } from '../view/view.ts';
import type { Line } from './lines.ts';
import { COLOURS, type Element, PAGE, type Pen, type Style, TEXT } from './pen.ts';

const PAD = 3.5;
/** Under the letters there is room anyway. */
const PAD_BELOW = 2;

export type TableStyle = { readonly size: number };

type Cells = { readonly lines: readonly (readonly Line[])[]; readonly height: number };

type Layout = {
  readonly style: Style;
  readonly xs: readonly number[];
  readonly widths: readonly number[];
  readonly head: Cells;
  readonly rows: readonly Cells[];
};

function layOut(pen: Pen, { columns, rows }: Table, { size }: TableStyle): Layout {
  const style: Style = { ...TEXT, size, gap: 1 };
  const widths = columns.map(({ share }) => share * PAGE.width);
  const xs = widths.map((_, place) => PAGE.left + widths.slice(0, place).reduce((sum, width) => sum + width, 0));
  const cellsOf = (texts: readonly string[], isHead: boolean): Cells => {
    const lines = texts.map((text, place) =>
      pen.linesOf(
        [{ text, weight: isHead || place === 0 ? 'bold' : 'regular' }],
        style,
        (widths[place] ?? 0) - 2 * PAD,
      ),
    );
    const most = Math.max(...lines.map((each) => each.length));
    return { lines, height: pen.heightOf(most, style) + PAD + PAD_BELOW };
  };
  return {
    ...{
      style,
      xs,
      widths,
      head: cellsOf(
        columns.map(({ title }) => title),
        true,
      ),
    },
    rows: rows.map(({ cells }) => cellsOf(cells, false)),
  };
}

/** How much room the table's begin needs: its header and its first row. */
export function beginOfTable(pen: Pen, table: Table, options: TableStyle): number {
  const { head, rows } = layOut(pen, { ...table, rows: table.rows.slice(0, 1) }, options);
  return head.height + (rows[0]?.height ?? 0);
}

export function heightOfTable(pen: Pen, table: Table, options: TableStyle): number {
  const { head, rows } = layOut(pen, table, options);
  return rows.reduce((sum, { height }) => sum + height, head.height);
}

export function writeTable(pen: Pen, parent: Element, table: Table, options: TableStyle): void {
  const { columns, rows } = table;
  const layout = layOut(pen, table, options);
  const { xs, widths, style } = layout;
  const element = pen.begin(parent, 'Table');
  const drawCell = (lines: readonly Line[], place: number, colour: string, top: number) =>
    pen.drawLines(
      lines,
      { ...style, colour },
      {
        ...{ x: (xs[place] ?? 0) + PAD, y: top + PAD, width: (widths[place] ?? 0) - 2 * PAD },
        align: columns[place]?.align ?? 'start',
      },
    );

  function writeHead(isRepeated: boolean): void {
    const { head } = layout;
    const top = pen.y;
    pen.artifact(() => pen.document.rect(PAGE.left, top, PAGE.width, head.height).fill(COLOURS.tint));
    const drawHead = (place: number) => drawCell(head.lines[place] ?? [], place, COLOURS.ink, top);
    if (isRepeated) {
      pen.artifact(() => {
        for (const place of columns.keys()) drawHead(place);
      });
    } else {
      const row = pen.begin(element, 'TR');
      for (const place of columns.keys()) pen.add(row, 'TH', () => drawHead(place), { scope: 'Column' });
      row.end();
    }
    pen.y = top + head.height;
  }

  function writeRow({ mark }: Row, { lines, height }: Cells): void {
    if (pen.ensure(height)) writeHead(true);
    const top = pen.y;
    pen.artifact(() => {
      if (mark !== null) pen.document.rect(PAGE.left, top, PAGE.width, height).fill(COLOURS.warnTint);
      const bottom = top + height;
      pen.document
        .moveTo(PAGE.left, bottom)
        .lineTo(PAGE.left + PAGE.width, bottom)
        .lineWidth(0.5)
        .stroke(COLOURS.line);
    });
    const row = pen.begin(element, 'TR');
    for (const [place, cell] of lines.entries()) {
      const isLast = place === lines.length - 1;
      const colour = mark === 'differs' && isLast ? COLOURS.warn : COLOURS.ink;
      const draw = () => drawCell(cell, place, colour, top);
      if (place === 0) pen.add(row, 'TH', draw, { scope: 'Row' });
      else pen.add(row, 'TD', draw);
    }
    row.end();
    pen.y = top + height;
  }

  pen.ensure(layout.head.height + (layout.rows[0]?.height ?? 0));
  writeHead(false);
  for (const [place, row] of rows.entries()) {
    const cells = layout.rows[place];
    if (cells) writeRow(row, cells);
  }
  element.end();
  pen.y += 9;
}
