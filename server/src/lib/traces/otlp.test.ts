// Whatever a caller of the tracer passes, only names of the allow-list with values of their form are exported.
import { expect, test } from 'vitest';
import { formsOf } from '../../../test/support/canaries.ts';
import { newId } from '../ids.ts';
import { writeOtlp } from './otlp.ts';
import { recordSpan, type Span } from './span.ts';
import type { SpanAttributes } from './span-attributes.ts';
import { createTracer } from './tracer.ts';

const CANARIES = [
  'Quillonette Wrexbottomley',
  'Wrexbottomley',
  'wrexbottomley',
  'wrexbottomley o’neill',
  '+447700900077',
  'ZE3 9JZ',
  'ref_canary_5b1e9d',
  'ada.canary@example.org',
  '1957-11-23',
  'whsec_c2VjcmV0LWNhbmFyeQ==',
];

function write(attributes: object, name = 'merge'): string {
  const spans: Span[] = [];
  const tracer = createTracer({ ratio: 1, callers: 'link', tells: [], record: (span) => void spans.push(span) });
  recordSpan(tracer.placeOf(newId()), 'merge', { attributes: attributes as SpanAttributes });
  for (const span of spans) span.name = name as Span['name'];
  return writeOtlp(spans, { version: '1', instanceId: newId() }, 0);
}

const NAMES = ['trefoil.outcome', 'http.route', 'http.request.method', 'trefoil.tenant.id', 'trefoil.event.type'];
for (const canary of CANARIES) {
  test(`${canary} is exported by no attribute, no unknown name and no name of a span`, () => {
    const written = [
      ...[...NAMES, 'http.response.status_code', 'consumer.name', canary].map((name) => write({ [name]: canary })),
      write({}, canary),
      write({}, `POST /${canary}`),
    ].join('\n');
    for (const form of formsOf(canary)) expect(written).not.toContain(form);
  });
}

test('what is allowed is exported', () => {
  const tenant = newId();
  const written = write(
    {
      ...{ 'trefoil.outcome': 'no-trace', 'trefoil.tenant.id': tenant, 'http.response.status_code': 200 },
      ...{ 'http.route': '/:tenantId/v1/credit-reports', 'trefoil.event.type': 'credit-report.completed' },
    },
    'POST /:tenantId/v1/credit-reports',
  );
  const [span] = JSON.parse(written).resourceSpans[0].scopeSpans[0].spans;
  expect(span.name).toBe('POST /:tenantId/v1/credit-reports');
  expect(span.attributes).toEqual([
    { key: 'trefoil.outcome', value: { stringValue: 'no-trace' } },
    { key: 'trefoil.tenant.id', value: { stringValue: tenant } },
    { key: 'http.response.status_code', value: { intValue: '200' } },
    { key: 'http.route', value: { stringValue: '/:tenantId/v1/credit-reports' } },
    { key: 'trefoil.event.type', value: { stringValue: 'credit-report.completed' } },
  ]);
  expect(span.startTimeUnixNano).toMatch(/^\d+000$/);
});
