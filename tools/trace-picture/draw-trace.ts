// Draws the spans of one trace as a timeline in SVG, for light and for dark. Pure: the same spans give the same picture.
import { attributesOf, type CollectedSpan } from '../../server/test/support/collector.ts';
import { type Axis, createAxis } from './time-axis.ts';

const LABELS = 268;
const BARS = 640;
const DURATION = 62;
const ROW = 23;
const TOP = 62;
const BOTTOM = 54;
const WIDTH = LABELS + BARS + DURATION + 20;

const KINDS = [
  ['request', 'a request'],
  ['wait', 'waits for the queue'],
  ['transaction', 'a transaction'],
  ['outside', 'another company'],
  ['own', 'our own work'],
] as const;
type Kind = (typeof KINDS)[number][0];

const KIND_OF: Readonly<Record<string, Kind>> = {
  'queue wait': 'wait',
  transaction: 'transaction',
  'settle delivery': 'transaction',
  ...{ screening: 'outside', bureau: 'outside', carrier: 'outside', webhook: 'outside' },
};

const REQUESTS: Readonly<Record<string, string>> = {
  'POST /:tenantId/v1/credit-reports': 'generate',
  'POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge': 'submit the code',
};

type Row = {
  readonly label: string;
  readonly depth: number;
  readonly kind: Kind;
  readonly startMs: number;
  readonly endMs: number;
};

const toMs = (nano: string, originNano: bigint) => Number(BigInt(nano) - originNano) / 1e6;

function labelOf(span: CollectedSpan): string {
  const { 'trefoil.work': work, 'trefoil.bureau': bureau, 'trefoil.event.type': type } = attributesOf(span);
  const detail = work ?? bureau ?? type;
  return REQUESTS[span.name] ?? (detail === undefined ? span.name : `${span.name}: ${detail}`);
}

/** Each span below its parent, in the order of their starts. */
function listRows(spans: readonly CollectedSpan[]): Row[] {
  const originNano = spans.map((span) => BigInt(span.startTimeUnixNano)).reduce((a, b) => (a < b ? a : b));
  const sorted = spans.toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)));
  const known = new Set(spans.map(({ spanId }) => spanId));
  const below = (parent: string | undefined, depth: number): Row[] =>
    sorted
      .filter(({ parentSpanId }) => (known.has(parentSpanId ?? '') ? parentSpanId : undefined) === parent)
      .flatMap((span) => [
        {
          ...{ label: labelOf(span), depth },
          kind: span.kind === 2 ? 'request' : (KIND_OF[span.name] ?? 'own'),
          startMs: toMs(span.startTimeUnixNano, originNano),
          endMs: toMs(span.endTimeUnixNano, originNano),
        },
        ...below(span.spanId, depth + 1),
      ]);
  return below(undefined, 0);
}

const number = (value: number) => String(Math.round(value * 10) / 10);
const describeMs = (ms: number) =>
  ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : ms >= 10 ? `${ms.toFixed(0)} ms` : `${ms.toFixed(1)} ms`;

function drawRow({ label, depth, kind, startMs, endMs }: Row, place: number, axis: Axis): string {
  const y = TOP + place * ROW;
  const [x, end] = [LABELS + axis.x(startMs), LABELS + axis.x(endMs)];
  const width = Math.max(2, end - x);
  return [
    `<text class="${depth === 0 || kind === 'request' ? 'strong' : 'label'}" x="${12 + depth * 16}" y="${y + 16}">${label}</text>`,
    `<rect class="${kind}" x="${number(x)}" y="${y + 5}" width="${number(width)}" height="13" rx="2"/>`,
    `<text class="time" x="${number(x + width + 5)}" y="${y + 16}">${describeMs(endMs - startMs)}</text>`,
  ].join('\n  ');
}

const drawStripe = (_row: Row, place: number) =>
  place % 2 === 0 ? `<rect class="stripe" x="0" y="${TOP + place * ROW}" width="${WIDTH}" height="${ROW}"/>` : '';

function drawGaps({ gaps }: Axis, height: number): string {
  return gaps
    .map(({ x, width, ms }) => {
      const at = LABELS + x;
      return [
        `<rect class="gap" x="${number(at)}" y="${TOP - 6}" width="${width}" height="${number(height)}"/>`,
        `<text class="time" text-anchor="middle" x="${number(at + width / 2)}" y="${TOP - 12}">${describeMs(ms)}</text>`,
      ].join('\n  ');
    })
    .join('\n  ');
}

function drawLegend(y: number): string {
  return KINDS.map(([kind, words], place) => {
    const x = 12 + place * 186;
    return `<rect class="${kind}" x="${x}" y="${y}" width="14" height="13" rx="2"/><text class="label" x="${x + 21}" y="${y + 11}">${words}</text>`;
  }).join('\n  ');
}

const STYLE = `
    text { font: 13px system-ui, sans-serif; }
    .page { fill: #ffffff; } .stripe { fill: #f5f5f4; } .gap { fill: #e7e5e4; opacity: .75; }
    .label { fill: #292524; } .strong { fill: #1c1917; font-weight: 700; } .title { fill: #1c1917; font-size: 16px; font-weight: 700; }
    .time { fill: #57534e; font-size: 11.5px; }
    .request { fill: #1d4ed8; } .wait { fill: #ca8a04; } .transaction { fill: #15803d; } .outside { fill: #b91c5c; } .own { fill: #6b7280; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #1c1917; } .stripe { fill: #262220; } .gap { fill: #44403c; }
      .label { fill: #e7e5e4; } .strong, .title { fill: #fafaf9; } .time { fill: #d6d3d1; }
      .request { fill: #60a5fa; } .wait { fill: #facc15; } .transaction { fill: #4ade80; } .outside { fill: #f472b6; } .own { fill: #a8a29e; }
    }`;

export function drawTrace(spans: readonly CollectedSpan[]): string {
  const rows = listRows(spans);
  const axis = createAxis(rows, BARS);
  const height = TOP + rows.length * ROW + BOTTOM;
  const endMs = Math.max(...rows.map((row) => row.endMs));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">
  <title>One challenged live report, from generate to the webhook</title>
  <style>${STYLE}
  </style>
  <rect class="page" width="${WIDTH}" height="${height}"/>
  <text class="title" x="12" y="26">One challenged live report, from generate to the webhook: ${describeMs(endMs)}</text>
  ${rows.map(drawStripe).filter(Boolean).join('\n  ')}
  ${drawGaps(axis, rows.length * ROW + 10)}
  ${rows.map((row, place) => drawRow(row, place, axis)).join('\n  ')}
  ${drawLegend(height - 32)}
</svg>
`;
}
