// The chart of car finance agreements, as places from 0 to 1. It begins in 2007, since the financial regulator's rules on
// motor finance commission do, and ends with the report's year.
import { paragraph } from './blocks.ts';
import { longDay } from './dates.ts';
import type { Material } from './material.ts';
import type { Bar, Paragraph, Timeline } from './view.ts';
import { count } from './words.ts';

export type Span = {
  readonly number: number;
  readonly lender: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly isRunning: boolean;
};

const BEGIN = '2007-01-01';
const RULES_FROM = '2007-04-06';
const RULES_TO = '2024-11-01';
/** More bars than this do not fit beside each other on a page. */
const BARS_MAX = 20;
/** A label beside its bar needs this much of the width; otherwise it goes where there is more room. */
const ROOM_MIN = 0.3;
/** So that a short agreement is still seen. */
const WIDTH_MIN = 0.006;

const toMs = (date: string) => Date.parse(date.length === 7 ? `${date}-01` : date);

function scaleTo(day: string) {
  const [begin, end] = [toMs(BEGIN), toMs(`${Number(day.slice(0, 4)) + 1}-01-01`)];
  return (date: string) => Math.round(Math.max(0, Math.min(1, (toMs(date) - begin) / (end - begin))) * 10_000) / 10_000;
}

function place(label: string, span: Pick<Bar, 'from' | 'to' | 'end' | 'beganEarlier'>): Bar {
  const [before, after, inside] = [span.from, 1 - span.to, span.to - span.from];
  if (before >= ROOM_MIN) return { ...span, label, labelAt: 'before', labelShare: before };
  const best = Math.max(before, after, inside);
  const labelAt = best === after ? 'after' : best === inside ? 'inside' : 'before';
  return { ...span, label, labelAt, labelShare: best };
}

function toBar({ number, lender, from, to, isRunning }: Span & { readonly from: string }, day: string): Bar {
  const at = scaleTo(day);
  const end = to !== null ? 'known' : isRunning ? 'running' : 'unknown';
  const left = at(from);
  const right = end === 'unknown' ? left : at(to ?? day);
  const note = end === 'unknown' ? ' (end not given)' : '';
  return place(`${number}  ${lender}${note}`, {
    ...{ from: Math.min(left, 1 - WIDTH_MIN), to: Math.max(right, Math.min(left, 1 - WIDTH_MIN) + WIDTH_MIN), end },
    beganEarlier: toMs(from) < toMs(BEGIN),
  });
}

function inWords({ number, lender, from, to, isRunning }: Span): string {
  const until = to !== null ? longDay(to) : isRunning ? 'today' : 'a day that is not given';
  return `${number}: ${lender}, from ${longDay(from ?? '')} to ${until}`;
}

/** Undefined if no agreement has a start. `notes`: which agreements are not on it, and why. */
export function timelineOf(
  spans: readonly Span[],
  { day, limitDay, limitWords, carFinanceInAll }: Pick<Material, 'day' | 'limitDay' | 'limitWords' | 'carFinanceInAll'>,
): { readonly chart: Timeline | undefined; readonly notes: readonly Paragraph[] } {
  const dated = spans.filter((span): span is Span & { readonly from: string } => span.from !== null);
  const undated = spans.filter(({ from }) => from === null);
  const notes = [
    ...(dated.length > BARS_MAX
      ? [paragraph(`The chart shows the ${BARS_MAX} newest of ${count(carFinanceInAll, 'agreement')}.`, 'quiet')]
      : []),
    ...(undated.length > 0
      ? [
          paragraph(
            `Not on the chart, because no agency says when it started: ${undated.map(({ number }) => number).join(', ')}.`,
            'quiet',
          ),
        ]
      : []),
  ];
  if (dated.length === 0) return { chart: undefined, notes };
  const at = scaleTo(day);
  // The report lists the newest first; a reader of a chart begins at its top left.
  const shown = dated.slice(0, BARS_MAX).toSorted((a, b) => toMs(a.from) - toMs(b.from));
  const lastYear = Number(day.slice(0, 4));
  const firstYear = Number(BEGIN.slice(0, 4));
  const chart: Timeline = {
    kind: 'timeline',
    alt: `Chart of car finance agreements from 2007 to today. ${shown.map(inWords).join('. ')}. The part before ${limitWords} is shaded: agreements that ended there have normally left the files.`,
    bars: shown.map((span) => toBar(span, day)),
    years: Array.from({ length: lastYear - firstYear + 1 }, (_, index) => ({
      label: String(firstYear + index),
      at: at(`${firstYear + index}-01-01`),
      isShown: index % 2 === 0,
    })),
    limit: { at: at(limitDay), label: `Ended before ${limitWords}? Normally no longer on file` },
    bracket: {
      ...{ from: at(RULES_FROM), to: at(RULES_TO) },
      label: `${longDay(RULES_FROM)} to ${longDay(RULES_TO)}: agreements within the FCA’s motor finance rules`,
    },
    today: at(day),
    caption:
      'The bracket shows dates only. Whether a claim exists is not something a credit file can say. As of July 2026, parts of the FCA’s rules are suspended while a tribunal hears challenges to them.',
  };
  return { chart, notes };
}
