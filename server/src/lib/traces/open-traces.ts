// The front door of traces: from the operator's setting to a tracer. Off unless it is set; then nothing is created and every
// span costs a look-up (docs/decisions/0247-traces.md).
import { type Static, Type } from 'typebox';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { openHttpLine } from '../outside/http-line.ts';
import { closed, FreeHeaders } from '../setting-schema.ts';
import { VERSION } from '../version.ts';
import { type CollectorState, openSpanExport, TIMEOUT_MS } from './export-spans.ts';
import { PEERS } from './span.ts';
import { createTracer, NO_TRACES, type Tracer } from './tracer.ts';

/** What an operator sets. */
export const TraceSettings = closed({
  /** Of a collector that takes OTLP over HTTP. What is refused here would be ignored in silence, or would end in 404. */
  baseUrl: Type.String({
    description: 'an address with http or https',
    allOf: [
      { format: 'http-url', description: 'an address with http or https' },
      { format: 'bare-url', description: 'an address without user, password and query; put a key into headers' },
      {
        not: { pattern: '/v1/traces/*$' },
        description: 'the address without /v1/traces at its end, which the process adds',
      },
    ],
  }),
  /** Which part of the reports is recorded: 0.1 is one in ten. */
  ratio: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'a number, 0 to 1' })),
  /** Such as an API key of the collector. */
  headers: Type.Optional(FreeHeaders),
  callers: Type.Optional(Type.Enum(['link', 'continue'], { description: 'link or continue' })),
  /** Who is sent the header `traceparent`. */
  sendTo: Type.Optional(
    Type.Array(Type.Enum([...PEERS], { description: `one of ${PEERS.join(', ')}` }), { description: 'a list' }),
  ),
});
export type TraceSettings = Static<typeof TraceSettings>;

const RATIO = 0.1;
/** A collector answers with a few bytes. */
const REPLY_BYTES_MAX = 65_536;

/** One line for each change: a collector in trouble must be seen, and must not fill the log. */
const LINES: Readonly<Record<CollectorState, string>> = {
  well: 'the collector of traces takes spans again',
  refuses: 'the collector of traces refuses spans',
  away: 'the collector of traces is away',
};

export type Traces = { readonly tracer: Tracer; close(): Promise<void> };

type Dependencies = { readonly log: Log; readonly metrics: Pick<Metrics, 'spansDropped'> };

export function openTraces(settings: TraceSettings | undefined, { log, metrics }: Dependencies): Traces {
  if (!settings) return { tracer: NO_TRACES, close: async () => undefined };
  const { baseUrl, ratio = RATIO, headers = {}, callers = 'link', sendTo = PEERS } = settings;
  const line = openHttpLine({ baseUrl, timeoutMs: TIMEOUT_MS, connections: 1, replyBytesMax: REPLY_BYTES_MAX });
  const resource = { version: VERSION, instanceId: newId() };
  const { record, close } = openSpanExport({
    ...{ line, headers, resource },
    onDropped: (count, why) => metrics.spansDropped.inc({ why }, count),
    onState: (state, fields) => log[state === 'well' ? 'info' : 'warn'](LINES[state], fields),
  });
  return { tracer: createTracer({ ratio, callers, tells: sendTo, record }), close };
}
