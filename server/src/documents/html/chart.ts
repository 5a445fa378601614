// The chart of car finance agreements as SVG. Its places come from the view; here they become lengths.
import { type Html, html } from '../../identity/page-kit/html.ts';
import type { Bar, Timeline } from '../view/view.ts';

const WIDTH = 880;
const EDGE = 10;
const ROW = 27;
const TOP = 50;
const BAR = 15;
const ARROW = 8;
const WIDTH_OF = { narrow: 6, small: 9, capital: 11, other: 14 } as const;

const across = (part: number) => Math.round((EDGE + part * (WIDTH - 2 * EDGE)) * 10) / 10;

/** A browser sets labels in a font of its own, so a letter counts as wide as in a wide font. */
function widthOf(letter: string): number {
  if (/[\s.,;:'’()/Iijlft-]/.test(letter)) return WIDTH_OF.narrow;
  if (/[a-ln-vx-z0-9]/.test(letter)) return WIDTH_OF.small;
  return /[A-LN-VX-Z]/.test(letter) ? WIDTH_OF.capital : WIDTH_OF.other;
}

/** A label longer than its room is cut at its end, since the list below has it whole. */
function cut(label: string, share: number): string {
  let room = share * (WIDTH - 2 * EDGE) - 2 * EDGE;
  let kept = '';
  for (const letter of label) {
    room -= widthOf(letter);
    if (room < 0) return `${kept.trimEnd()}…`;
    // The ellipsis needs room too.
    if (room >= WIDTH_OF.other) kept += letter;
  }
  return label;
}

function labelOf({ label, labelAt, labelShare, from, to }: Bar, y: number): Html {
  const text = cut(label, labelShare);
  const baseline = y + BAR - 3;
  if (labelAt === 'before') {
    return html`<text class="label before" x="${across(from) - 9}" y="${baseline}">${text}</text>`;
  }
  return labelAt === 'after'
    ? html`<text class="label" x="${across(to) + 12}" y="${baseline}">${text}</text>`
    : html`<text class="label inside" x="${across(from) + 8}" y="${baseline}">${text}</text>`;
}

function barOf(bar: Bar, place: number): Html {
  const y = TOP + place * ROW;
  const [left, right] = [across(bar.from), across(bar.to)];
  const half = y + BAR / 2;
  const arrow =
    bar.end === 'running' && html`<path class="bar" d="M${right} ${y}L${right + ARROW} ${half}L${right} ${y + BAR}Z"/>`;
  const earlier =
    bar.beganEarlier && html`<path class="bar" d="M${left} ${y}L${left - ARROW} ${half}L${left} ${y + BAR}Z"/>`;
  return html`<rect class="bar" x="${left}" y="${y}" width="${Math.max(1, Math.round((right - left) * 10) / 10)}" height="${BAR}"/>${arrow}${earlier}${labelOf(bar, y)}`;
}

export function chartOf({ alt, bars, years, limit, bracket, today, caption }: Timeline): Html {
  const base = TOP + bars.length * ROW + 4;
  const ends = [across(bracket.from), across(bracket.to)] as const;
  const shownYears = years.filter(({ isShown }) => isShown);
  return html`<figure><div class="chart" role="region" aria-label="Chart" tabindex="0"><svg viewBox="0 0 ${WIDTH} ${base + 26}" role="img" aria-label="${alt}">
<rect class="shade" x="${EDGE}" y="28" width="${across(limit.at) - EDGE}" height="${base - 28}"/>
<text class="soft" x="${ends[0]}" y="12">${bracket.label}</text>
<path class="fine" d="M${ends[0]} 21H${ends[1]}M${ends[0]} 17v8M${ends[1]} 17v8"/>
<text class="soft" x="${EDGE + 7}" y="43">${limit.label}</text>
${bars.map(barOf)}
<path class="fine" stroke-dasharray="3 3" d="M${across(today)} 28V${base}"/>
<path class="lines" d="M${EDGE} ${base}H${WIDTH - EDGE}${years.map(({ at }) => `M${across(at)} ${base}v4`).join('')}"/>
${shownYears.map(({ label, at }) => html`<text class="soft middle" x="${Math.max(across(at), EDGE + 10)}" y="${base + 19}">${label}</text>`)}
</svg></div><figcaption>${caption}</figcaption></figure>`;
}
