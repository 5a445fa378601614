// Spans in the JSON form of OTLP 1: what a collector takes at /v1/traces. Pure. Only names from closed lists, ids, times and
// the attributes of the allow-list go in.
import { SPAN_NAMES, type Span } from './span.ts';
import { isRequestName, listAttributes } from './span-attributes.ts';

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
/** The flag "sampled". */
const FLAGS = 1;

/** Nanoseconds do not fit into a number; microseconds do. */
const toNano = (ms: number) => `${Math.round(ms * 1_000)}000`;

const nameOf = ({ name }: Span) =>
  (SPAN_NAMES as readonly string[]).includes(name) || isRequestName(name) ? name : 'request';

/** `originMs` is the time of day at which `performance.now()` was 0. */
function toOtlp(span: Span, originMs: number) {
  const { trace, kind, spanId, parent, startMs, endMs, attributes, links, isFailed } = span;
  return {
    traceId: trace.traceId,
    spanId,
    ...(parent && { parentSpanId: parent.spanId }),
    flags: FLAGS,
    name: nameOf(span),
    kind: KINDS[kind],
    startTimeUnixNano: toNano(originMs + startMs),
    endTimeUnixNano: toNano(originMs + endMs),
    attributes: listAttributes(attributes),
    ...(links.length > 0 && { links }),
    ...(isFailed && { status: { code: STATUS_ERROR } }),
  };
}

export type Resource = { readonly version: string; readonly instanceId: string };

export function writeOtlp(spans: readonly Span[], { version, instanceId }: Resource, originMs: number): string {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  return JSON.stringify({
    resourceSpans: [
      {
        resource: {
          attributes: [
            text('service.name', 'trefoil'),
            text('service.version', version),
            text('service.instance.id', instanceId),
          ],
        },
        scopeSpans: [{ scope: { name: 'trefoil', version }, spans: spans.map((span) => toOtlp(span, originMs)) }],
      },
    ],
  });
}
