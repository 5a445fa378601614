// Traces through the real server to a real collector: a challenged live report is one trace from generate to the webhook, other
// companies are told it, log lines name it, and nothing personal is in a single exported byte.
import type { GenerateRequest } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { contextOf } from '../../src/lib/traces/tracer.ts';
import { formsOf } from '../support/canaries.ts';
import { attributesOf, type CollectedSpan, type Collector, hang, startCollector } from '../support/collector.ts';
import { type HeaderRelay, startHeaderRelay } from '../support/header-relay.ts';
import { type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { type Receiver, startReceiver, verify } from '../support/receiver.ts';
import { DEVELOPMENT } from '../support/webhooks.ts';
import { send } from '../support/wire.ts';

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const MOBILE = '+447700900461';
const PERSON = {
  firstName: 'Quillonette',
  middleName: 'Xanthippa',
  lastName: 'Wrexbottomley',
  dateOfBirth: '1957-11-23',
  externalReference: 'ref-canary-5b1e9d',
  ipAddress: '192.0.2.213',
} as const;
const PLACE = { postcode: 'ZE3 9JZ', buildingName: 'Gryphonstone Lodge', townOrCity: 'Fiddlersham' } as const;

let collector: Collector;
let receiver: Receiver;
let server: LiveServer;
let secret: string;
const relays: Record<string, HeaderRelay> = {};
const sessions: string[] = [];

/** The providers' addresses lead through relays that see the headers. */
async function throughRelays(environment: Record<string, string>): Promise<Record<string, string>> {
  const parse = (name: string) => JSON.parse(environment[name] ?? '{}');
  const relay = async (name: string, target: string) => {
    const started = await startHeaderRelay(target);
    relays[name] = started;
    return started.url;
  };
  const bureaus = parse('TREFOIL_BUREAUS') as Record<string, { baseUrl: string }>;
  for (const [name, bureau] of Object.entries(bureaus)) bureau.baseUrl = await relay(name, bureau.baseUrl);
  const screening = parse('TREFOIL_SCREENING');
  const sms = parse('TREFOIL_SMS');
  return {
    TREFOIL_BUREAUS: JSON.stringify(bureaus),
    TREFOIL_SCREENING: JSON.stringify({ ...screening, baseUrl: await relay('screening', screening.baseUrl) }),
    TREFOIL_SMS: JSON.stringify({ ...sms, apiBaseUrl: await relay('sms', sms.apiBaseUrl) }),
  };
}

const traces = (changes: object = {}) => ({
  TREFOIL_TRACES: JSON.stringify({ baseUrl: collector.url, ratio: 1, ...changes }),
});

beforeAll(async () => {
  collector = await startCollector();
  receiver = await startReceiver();
  server = await startLiveServer({ environment: { ...DEVELOPMENT, ...traces() }, change: throughRelays });
  await server.fund(server.demo.tenantId, 1_000_000);
  ({ secret = '' } = (await server.trefoil.createWebhookEndpoint({ url: receiver.url })).data);
});
afterAll(async () => {
  await server.close();
  for (const each of [receiver, collector, ...Object.values(relays)]) await each.close();
});

async function post(baseUrl: string, path: string, json: object, headers: Record<string, string> = {}) {
  const reply = await send(baseUrl, {
    method: 'POST',
    path: `/${server.demo.tenantId}/v1/credit-reports${path}`,
    body: JSON.stringify(json),
    headers: {
      authorization: `Bearer ${await server.trefoil.getToken()}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  return { ...reply, data: reply.status === 200 ? JSON.parse(reply.text).data : undefined };
}

function body(changes: Partial<GenerateRequest> = {}): GenerateRequest {
  const sessionId = server.mintSession();
  sessions.push(sessionId);
  const addresses = [{ type: 'current' as const, ukAddress: { thoroughfare: 'Peregrinators Row', ...PLACE } }];
  return liveBody(sessionId, {
    ...PERSON,
    email: 'challenge.canary@example.org',
    mobileNumber: MOBILE,
    addresses,
    ...changes,
  });
}

const spansOf = (creditReportId: string) =>
  collector.spans().filter(({ traceId }) => traceId === contextOf(creditReportId).traceId);
const nameOf = (span: CollectedSpan) => {
  const { 'trefoil.work': work, 'trefoil.bureau': bureau, 'trefoil.event.type': type } = attributesOf(span);
  return [span.name, work ?? bureau ?? type].filter(Boolean).join(' ');
};

const GENERATE = 'POST /:tenantId/v1/credit-reports';
const SUBMIT = 'POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge';

/** One challenged live report, from generate to the webhook that says it is complete. */
async function goThrough(headers: Record<string, string> = {}): Promise<string> {
  const before = (await server.inbox(MOBILE)).length;
  const { data } = await post(server.baseUrl, '', body(), headers);
  expect(data.status).toBe('authentication-required');
  const { creditReportId, challenge } = data;
  await eventually(async () => expect(await server.inbox(MOBILE)).toHaveLength(before + 1));
  const code = await server.code(MOBILE);
  const submitted = await post(
    server.baseUrl,
    `/${creditReportId}/otp-challenge`,
    { challengeId: challenge.challengeId, code },
    headers,
  );
  expect(submitted.data.status).toBe('complete');
  await eventually(() => expect(spansOf(creditReportId).map(nameOf)).toContain('webhook credit-report.completed'));
  return creditReportId;
}

test('a challenged live report is one trace from generate to the webhook, and every span has its parent in it', async () => {
  const id = await goThrough({ traceparent: TRACEPARENT });
  const expected = [
    // Generate.
    [GENERATE, undefined],
    ['checks', GENERATE],
    ['queue wait reserve', GENERATE],
    ['transaction reserve', GENERATE],
    ['screening', GENERATE],
    ['queue wait settle', GENERATE],
    ['transaction settle', GENERATE],
    // The message, in the background.
    ['message', GENERATE],
    ['transaction', 'message'],
    ['carrier', 'message'],
    // Submit.
    [SUBMIT, GENERATE],
    ['checks', SUBMIT],
    ['transaction', SUBMIT],
    ['bureau equifax', SUBMIT],
    ['bureau experian', SUBMIT],
    ['bureau transunion', SUBMIT],
    ['merge', SUBMIT],
    ['seal', SUBMIT],
    ['queue wait settle', SUBMIT],
    ['transaction settle', SUBMIT],
    // The webhooks.
    ['webhook credit-report.challenged', GENERATE],
    ['webhook credit-report.completed', GENERATE],
    ['settle delivery', 'webhook credit-report.completed'],
  ];
  const found = () => {
    const spans = spansOf(id);
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    return spans.map((span) => {
      const parent = byId.get(span.parentSpanId ?? '');
      return [nameOf(span), parent && nameOf(parent)];
    });
  };
  await eventually(() => expect(found()).toEqual(expect.arrayContaining(expected)));
  const spans = spansOf(id);
  // Only the root has no parent, and none has a parent that is not there.
  expect(found().filter(([, parent]) => parent === undefined)).toEqual([[GENERATE, undefined]]);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans)
    expect(BigInt(end)).toBeGreaterThanOrEqual(BigInt(start));
  const [root, submit] = [GENERATE, SUBMIT].map((name) => spans.find((each) => each.name === name));
  for (const request of [root, submit]) {
    expect(request?.links).toEqual([CALLER]);
    expect(attributesOf(request as CollectedSpan)).toMatchObject({
      'http.request.method': 'POST',
      'http.response.status_code': '200',
      'trefoil.tenant.id': server.demo.tenantId,
    });
  }
  expect(root?.spanId).toBe(contextOf(id).spanId);
});

test('screening, bureaus, carrier and receiver are told the span that called them; the signature holds', async () => {
  const id = await goThrough();
  await eventually(() => expect(spansOf(id).map(nameOf)).toContain('carrier'));
  const idsOf = (name: string) =>
    spansOf(id)
      .filter((span) => nameOf(span) === name)
      .map(({ spanId }) => spanId);
  const toldTo = (headers: readonly (Record<string, unknown> | undefined)[]) =>
    headers.map((each) => String(each?.['traceparent'])).filter((each) => each.includes(contextOf(id).traceId));
  for (const [relay, name] of [
    ['screening', 'screening'],
    ['equifax', 'bureau equifax'],
    ['experian', 'bureau experian'],
    ['transunion', 'bureau transunion'],
    ['sms', 'carrier'],
  ] as const) {
    const told = toldTo(relays[relay]?.seen ?? []);
    const [spanId] = idsOf(name);
    expect(told.length, relay).toBeGreaterThan(0);
    expect(new Set(told), relay).toEqual(new Set([`00-${contextOf(id).traceId}-${spanId}-01`]));
  }
  for (const received of receiver.received) verify(secret, received);
  const told = toldTo(receiver.received.map(({ headers }) => headers));
  expect(told.length).toBeGreaterThan(0);
  expect(idsOf('webhook credit-report.completed').some((spanId) => told.some((each) => each.includes(spanId)))).toBe(
    true,
  );
});

test('log lines of a traced request have its trace and span', async () => {
  const { data } = await post(server.baseUrl, '', body({ email: 'allow@example.com' }));
  const { traceId, spanId } = contextOf(data.creditReportId);
  const lines = server
    .logText()
    .split('\n')
    .filter((line) => line.includes(traceId))
    .map((line) => JSON.parse(line));
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'request', trace_id: traceId, span_id: spanId, status: 200 }),
  );
});

for (const mode of ['live', 'sandbox']) {
  test(`${mode}: a retry with the same key is in the trace of the report that it is answered with`, async () => {
    const json = { ...body({ email: 'allow@example.com' }), ...(mode === 'sandbox' && { test: true }) };
    const key = { 'idempotency-key': `canary-${mode}` };
    const { data } = await post(server.baseUrl, '', json, key);
    const again = await post(server.baseUrl, '', json, key);
    expect(again.data.creditReportId).toBe(data.creditReportId);
    const { spanId: rootId } = contextOf(data.creditReportId);
    const own = () => spansOf(data.creditReportId).filter(({ name }) => name === GENERATE);
    await eventually(() => expect(own()).toHaveLength(2));
    expect(own().map(({ spanId, parentSpanId }) => [spanId === rootId, parentSpanId])).toEqual([
      [true, undefined],
      [false, rootId],
    ]);
  });
}

test('a settlement by a job is in the trace of its report', async () => {
  const { data } = await post(server.baseUrl, '', body());
  const { creditReportId } = data;
  await server.query('update challenges set due_at = now() where credit_report_id = $1', [creditReportId]);
  await server.query(
    `update challenges set last_sent_at = last_sent_at - interval '301 seconds' where credit_report_id = $1`,
    [creditReportId],
  );
  const settles = () => spansOf(creditReportId).filter((span) => nameOf(span) === 'transaction settle');
  await eventually(() => expect(settles()).toHaveLength(2));
  expect(new Set(settles().map(({ parentSpanId }) => parentSpanId))).toEqual(
    new Set([contextOf(creditReportId).spanId]),
  );
});

test('a refused request is a trace of its own: its checks and its status', async () => {
  const reply = await post(server.baseUrl, '', { lastName: PERSON.lastName });
  expect(reply.status).toBe(400);
  const isIt = (span: CollectedSpan) => attributesOf(span)['http.response.status_code'] === '400';
  const find = () => collector.spans().find(isIt);
  await eventually(() => expect(find()).toBeDefined());
  // Whether the checks must look the credential up depends on when that was last done.
  const isOwn = ({ traceId, name }: CollectedSpan) => traceId === find()?.traceId && name !== 'transaction';
  const own = collector.spans().filter(isOwn);
  expect(own.map(({ name }) => name).toSorted()).toEqual([GENERATE, 'checks'].toSorted());
});

test('what the checks look up across tenants is a transaction of the request', async () => {
  // A node that has looked nothing up so far.
  const node = await server.startNode({ ...traces(), TREFOIL_JOBS: 'off' });
  try {
    const { data } = await post(node.baseUrl, '', body({ email: 'allow@example.com' }));
    await eventually(() => {
      const spans = spansOf(data.creditReportId);
      const lookUps = spans.filter((span) => attributesOf(span)['trefoil.pool'] === 'look-ups');
      const parents = lookUps.map(({ parentSpanId }) => spans.find(({ spanId }) => spanId === parentSpanId)?.name);
      expect(new Set(parents)).toEqual(new Set([GENERATE]));
    });
  } finally {
    await node.close();
  }
});

const WORST = [
  'x',
  `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`,
  `ff-${CALLER.traceId}-${CALLER.spanId}-01`,
  `00-${CALLER.traceId}-${CALLER.spanId}-01-${PERSON.lastName}`,
  `${TRACEPARENT}, ${TRACEPARENT}`,
  '-'.repeat(8_000),
  'é'.repeat(100),
];
test('a traceparent that is not one changes nothing: the report is made, with no link', async () => {
  for (const traceparent of WORST) {
    const { status, data } = await post(server.baseUrl, '', body({ email: 'allow@example.com' }), { traceparent });
    expect(status, traceparent.slice(0, 60)).toBe(200);
    await eventually(() => expect(spansOf(data.creditReportId).map(({ name }) => name)).toContain(GENERATE));
    expect(spansOf(data.creditReportId).every(({ links }) => links === undefined)).toBe(true);
  }
});

test('continue: the request is in the caller’s trace, sampled as the caller says', async () => {
  // A collector of its own: the spans that the jobs make of these reports go to the other.
  const apart = await startCollector();
  const settings = traces({ baseUrl: apart.url, callers: 'continue', ratio: 0 });
  const node = await server.startNode({ ...settings, TREFOIL_JOBS: 'off' });
  const ids: string[] = [];
  try {
    for (const traceparent of [TRACEPARENT.replace(/01$/, '00'), '', TRACEPARENT]) {
      const { data } = await post(node.baseUrl, '', body({ email: 'allow@example.com' }), { traceparent });
      ids.push(data.creditReportId);
    }
  } finally {
    // Sends what is left: nothing more comes after it.
    await node.close();
    await apart.close();
  }
  const requests = apart.spans().filter(({ name }) => name === GENERATE);
  expect(requests).toMatchObject([{ parentSpanId: CALLER.spanId, links: [contextOf(ids[2] ?? '')] }]);
  // The two other requests are not recorded: one for the caller's flag, one for the ratio.
  expect(new Set(apart.spans().map(({ traceId }) => traceId))).toEqual(new Set([CALLER.traceId]));
});

test('ratio 0 and sendTo []: nothing is exported, and nobody is told', async () => {
  const quiet = await startCollector();
  const node = await server.startNode({ ...traces({ baseUrl: quiet.url, ratio: 0 }), TREFOIL_JOBS: 'off' });
  const silent = await server.startNode({ ...traces({ sendTo: [] }), TREFOIL_JOBS: 'off' });
  try {
    const told = () => (relays['equifax']?.seen ?? []).filter((headers) => headers['traceparent']).length;
    const before = told();
    for (const { baseUrl } of [node, silent]) {
      const { data } = await post(baseUrl, '', body({ email: 'allow@example.com' }));
      expect(data.status).toBe('complete');
    }
    expect(told()).toBe(before);
    await node.close();
    expect(quiet.bytes).toEqual([]);
  } finally {
    await silent.close();
    await quiet.close();
  }
});

test('a collector that hangs delays no request and no stop', async () => {
  const stuck = await startCollector(hang);
  const node = await server.startNode({ ...traces({ baseUrl: stuck.url }), TREFOIL_JOBS: 'off' });
  try {
    const startedMs = performance.now();
    for (let count = 0; count < 5; count += 1) {
      const { status } = await post(node.baseUrl, '', body({ email: 'allow@example.com' }));
      expect(status).toBe(200);
    }
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  } finally {
    const closingMs = performance.now();
    await node.close();
    expect(performance.now() - closingMs).toBeLessThan(8_000);
    await stuck.close();
  }
});

test('nothing of the consumer, no report id, no code, no session and no secret is in any exported byte', async () => {
  const inbox = await server.inbox(MOBILE);
  expect(inbox.length).toBeGreaterThanOrEqual(2);
  expect(sessions.length).toBeGreaterThan(5);
  const token = await server.trefoil.getToken();
  const { TREFOIL_SMS: sms, TREFOIL_SCREENING: screening, TREFOIL_BUREAUS: bureaus } = server.environment;
  const reports = await server.query<{ id: string }>('select id::text from credit_reports');
  expect(reports.length).toBeGreaterThan(10);
  const values = [
    ...reports.map(({ id }) => id),
    ...Object.values(PERSON),
    ...Object.values(PLACE),
    ...[MOBILE, MOBILE.slice(3), 'ZE39JZ', '23111957', 'challenge.canary@example.org', 'Peregrinators Row'],
    ...sessions.flatMap((session) => [session, session.slice(10, 60)]),
    ...inbox.map((message) => message.body),
    ...[token, secret, secret.replace('whsec_', ''), server.demo.clientSecret],
    ...[JSON.parse(sms ?? '').authToken, JSON.parse(screening ?? '').apiKey],
    ...Object.values(JSON.parse(bureaus ?? '') as Record<string, { credentials: object }>).flatMap(({ credentials }) =>
      Object.values(credentials).map(String),
    ),
    receiver.url,
  ];
  const exported = collector.bytes.join('\n');
  expect(exported.length).toBeGreaterThan(10_000);
  const found = values.flatMap((value) => formsOf(value).filter((form) => exported.includes(form)));
  expect(found).toEqual([]);
  // Codes as whole words: six digits in a row are in every time.
  for (const message of inbox) expect(exported).not.toContain(`"${message.body.slice(0, 6)}"`);
  // The search has teeth.
  const planted = `${exported}${Buffer.from(PERSON.lastName).toString('base64')}`;
  expect(formsOf(PERSON.lastName).some((form) => planted.includes(form))).toBe(true);
});
