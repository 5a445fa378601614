// The chart of car finance agreements, in vectors. Its places come from the view; here they become lengths.
import type { Bar, Timeline } from '../view/view.ts';
import { cutToWidth } from './lines.ts';
import { COLOURS, type Element, PAGE, type Pen, type Style, TEXT } from './pen.ts';

const ROW = 17;
const BAR = 10;
const ARROW = 6;
/** From the chart's top to its first bar. */
const HEAD = 34;
const FOOT = 22;
const HATCH = 9;

const FINE: Style = { ...TEXT, size: 7.5, colour: COLOURS.quiet };
const LABEL: Style = { ...TEXT, size: 8, weight: 'bold' };

const across = (part: number) => PAGE.left + part * PAGE.width;

export const heightOfChart = ({ bars }: Timeline) => HEAD + bars.length * ROW + FOOT;

function drawShade({ document }: Pen, right: number, top: number, base: number): void {
  const height = base - top;
  document.rect(PAGE.left, top, right - PAGE.left, height).fill(COLOURS.shade);
  document
    .save()
    .rect(PAGE.left, top, right - PAGE.left, height)
    .clip();
  for (let x = PAGE.left - height; x < right; x += HATCH) document.moveTo(x, base).lineTo(x + height, top);
  document.lineWidth(0.4).stroke(COLOURS.hatch).restore();
}

function drawLabel(pen: Pen, { label, labelAt, labelShare, from, to }: Bar, y: number): void {
  const width = labelShare * PAGE.width - 2 * ARROW - 4;
  const text = cutToWidth(label, 'bold', pen.fonts, { size: LABEL.size, width });
  const place = { y: y - 0.7, width: width + 1 };
  if (labelAt === 'before') pen.draw(text, LABEL, { ...place, x: across(from) - width - 7, align: 'end' });
  else if (labelAt === 'after') pen.draw(text, LABEL, { ...place, x: across(to) + ARROW + 4 });
  else pen.draw(text, { ...LABEL, colour: COLOURS.white }, { ...place, x: across(from) + 6 });
}

function drawBar(pen: Pen, bar: Bar, y: number): void {
  const { document } = pen;
  const [left, right, half] = [across(bar.from), across(bar.to), y + BAR / 2];
  document.rect(left, y, right - left, BAR).fill(COLOURS.accent);
  if (bar.end === 'running') {
    document.polygon([right, y], [right + ARROW, half], [right, y + BAR]).fill(COLOURS.accent);
  }
  if (bar.beganEarlier) document.polygon([left, y], [left - ARROW, half], [left, y + BAR]).fill(COLOURS.accent);
  drawLabel(pen, bar, y);
}

function drawBracket(pen: Pen, { from, to, label }: Timeline['bracket'], top: number): void {
  const { document } = pen;
  pen.draw(label, FINE, { x: across(from), y: top - 1, width: PAGE.width });
  document.moveTo(across(from), top + 13).lineTo(across(to), top + 13);
  for (const end of [from, to]) document.moveTo(across(end), top + 10).lineTo(across(end), top + 16);
  document.lineWidth(0.8).stroke(COLOURS.quiet);
}

function drawYears(pen: Pen, years: Timeline['years'], base: number): void {
  const { document } = pen;
  for (const { at, isShown } of years) document.moveTo(across(at), base).lineTo(across(at), base + (isShown ? 4 : 2));
  document.lineWidth(0.5).stroke(COLOURS.quiet);
  for (const { label, at } of years.filter(({ isShown }) => isShown)) {
    pen.draw(label, FINE, { x: across(at) - 15, y: base + 5, width: 30, align: 'middle' });
  }
}

export function writeChart(pen: Pen, parent: Element, chart: Timeline): void {
  const height = heightOfChart(chart);
  pen.ensure(height);
  const { document } = pen;
  const top = pen.y;
  const base = top + HEAD + chart.bars.length * ROW;
  pen.add(
    parent,
    'Figure',
    () => {
      drawShade(pen, across(chart.limit.at), top + 17, base);
      pen.draw(chart.limit.label, FINE, { x: PAGE.left + 6, y: top + 19, width: PAGE.width });
      drawBracket(pen, chart.bracket, top);
      drawYears(pen, chart.years, base);
      document
        .moveTo(PAGE.left, base)
        .lineTo(PAGE.left + PAGE.width, base)
        .lineWidth(0.8)
        .stroke(COLOURS.ink);
      const today = across(chart.today);
      document
        .moveTo(today, top + 17)
        .lineTo(today, base)
        .dash(2, { space: 2 })
        .lineWidth(0.6);
      document.stroke(COLOURS.ink).undash();
      for (const [place, bar] of chart.bars.entries()) drawBar(pen, bar, top + HEAD + place * ROW);
    },
    { alt: chart.alt, bbox: [PAGE.left, top, PAGE.left + PAGE.width, top + height], placement: 'Block' },
  );
  pen.y = top + height;
  pen.write(parent, 'P', [{ text: chart.caption, weight: 'regular' }], FINE, { after: 8 });
}
