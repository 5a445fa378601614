// Personal data in the clear nowhere, live: a made-up consumer goes through live reports, challenges, messages, receipts
// and their failures, and then neither the person nor a code, a message or a device session may be found anywhere.
import { createHmac } from 'node:crypto';
import type { GenerateRequest } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../tools/testing/eventually.ts';
import { expectBooksToBalance } from '../support/books.ts';
import { formsOf } from '../support/canaries.ts';
import { dumpDatabase, dumpRedis, readMetrics, watchRedis } from '../support/dump.ts';
import { type InboxMessage, type LiveServer, liveBody, startLiveServer } from '../support/live.ts';
import { control, type Provider } from '../support/providers.ts';
import { type Reply, send } from '../support/wire.ts';

const DELIVERED = '+447700900077';
const REFUSED = '+447700900677';
const PERSON = {
  firstName: 'Quillonette',
  middleName: 'Xanthippa',
  lastName: 'Wrexbottomley',
  title: 'Viscountessa',
  dateOfBirth: '1957-11-23',
  ipAddress: '192.0.2.213',
  externalReference: 'ref-canary-5b1e9d',
} as const;
const PLACE = {
  postcode: 'ZE3 9JZ',
  buildingName: 'Gryphonstone Lodge',
  thoroughfare: 'Peregrinators Row',
  townOrCity: 'Fiddlersham',
} as const;
const MAIL_SUFFIX = '.quillonette-zz81@canary.example.org';
const RECEIPT_CANARY = 'receipt-canary-7c1f';

let server: LiveServer;
let redisCommands: string;
const sessions: string[] = [];
const inbox: InboxMessage[] = [];
const replies: Reply[] = [];
beforeAll(async () => {
  server = await startLiveServer();
  await server.fund(server.demo.tenantId, 1_000_000);
  const stopWatching = await watchRedis(server);
  await goThroughLiveFlows();
  redisCommands = await stopWatching();
  for (const to of [DELIVERED, REFUSED]) inbox.push(...(await server.inbox(to)));
});
afterAll(async () => {
  try {
    await expectBooksToBalance(server);
  } finally {
    await server.close();
  }
});

function body(prefix: string, changes: Partial<GenerateRequest> = {}): GenerateRequest {
  const sessionId = changes.sessionId ?? server.mintSession();
  sessions.push(sessionId);
  return liveBody(sessionId, {
    ...PERSON,
    email: `${prefix}${MAIL_SUFFIX}`,
    mobileNumber: DELIVERED,
    addresses: [{ type: 'current', ukAddress: { ...PLACE } }],
    ...changes,
  });
}

async function post(path: string, json: object, headers: Record<string, string> = {}): Promise<Reply> {
  const reply = await send(server.baseUrl, {
    method: 'POST',
    path: `/${server.demo.tenantId}/v1/credit-reports${path}`,
    body: JSON.stringify(json),
    headers: {
      authorization: `Bearer ${await server.trefoil.getToken()}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  replies.push(reply);
  return reply;
}

async function startChallenge(to = DELIVERED): Promise<{ at: string; challengeId: string; id: string }> {
  const reply = await post('', body('challenge', { mobileNumber: to }), {
    'idempotency-key': PERSON.externalReference + replies.length,
  });
  const { data } = JSON.parse(reply.text);
  expect(data.status, reply.text).toBe('authentication-required');
  return { at: `/${data.creditReportId}`, challengeId: data.challenge.challengeId, id: data.creditReportId };
}

/** The messages to the number that is delivered to, newest first, once there are so many. */
const messages = (count: number) =>
  eventually(async () => {
    const found = await server.inbox(DELIVERED);
    expect(found).toHaveLength(count);
    return found;
  });
const codeIn = (message: InboxMessage | undefined) => message?.body.slice(0, 6) ?? '';

async function tellReceipt(fields: Record<string, string>, query: string, isSigned: boolean): Promise<Reply> {
  const { accountSid, authToken } = JSON.parse(server.environment['TREFOIL_SMS'] ?? '{}');
  const all: Record<string, string> = { AccountSid: accountSid, ...fields };
  const path = `/v1/carriers/twilio/receipts?${query}`;
  const content = Object.keys(all)
    .toSorted()
    .map((name) => `${name}${all[name]}`);
  const signature = createHmac('sha1', isSigned ? authToken : 'x')
    .update(`${server.baseUrl}${path}${content.join('')}`)
    .digest('base64');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
  const reply = await send(server.baseUrl, {
    method: 'POST',
    path,
    body: new URLSearchParams(all).toString(),
    headers,
  });
  replies.push(reply);
  return reply;
}

const spoilOnce = (provider: Provider, behaviour: string) =>
  control(server, provider, { match: { lastName: PERSON.lastName }, behaviour, times: 1 });

async function goThroughLiveFlows(): Promise<void> {
  for (const prefix of ['allow', 'block', 'screening-down']) await post('', body(prefix));
  await post('', body('challenge', { sessionId: 'a-forged-session-canary-c07d2f' }));
  await post('', body('challenge', { mobileNumber: '+442079460018' }));
  // What breaks on a wire is where texts are quoted.
  for (const behaviour of ['garbage', 'garbage=html', 'half', 'error', 'wrong-type', 'unknown-codes', 'reset=body']) {
    for (const part of ['albion', 'beacon', 'cygnet'] as const) await spoilOnce(part, behaviour);
    await post('', body('allow'));
    // A good answer in between, or the breakers would open and nobody would be asked any more.
    await post('', body('allow'));
  }
  for (const behaviour of ['garbage', 'unknown-codes', 'error=500']) {
    await spoilOnce('screening', behaviour);
    await post('', body('allow'));
  }

  const first = await startChallenge();
  const [message] = await messages(1);
  const { challengeId } = first;
  await post(`${first.at}/otp-challenge`, { challengeId, code: 'code-canary-41' });
  await post(`${first.at}/resend-sms`, { challengeId });
  const [second] = await messages(2);
  await post(
    `${first.at}/otp-challenge`,
    { challengeId, code: codeIn(second) },
    { 'idempotency-key': 'code-canary-41' },
  );
  await post(`${first.at}/otp-challenge`, { challengeId, code: codeIn(second) });
  await post(`${first.at}/otp-challenge`, { challengeId, code: codeIn(message) });

  const failing = await startChallenge();
  for (let count = 0; count < 4; count += 1) {
    await post(`${failing.at}/otp-challenge`, { challengeId: failing.challengeId, code: '000000' });
  }
  const expiring = await startChallenge();
  await server.query(
    `update challenges set last_sent_at = last_sent_at - interval '301 seconds' where credit_report_id = $1`,
    [expiring.id],
  );
  await post(`${expiring.at}/otp-challenge`, { challengeId: expiring.challengeId, code: codeIn(second) });

  // The carrier's own refusal quotes the number.
  const refused = await startChallenge(REFUSED);
  await eventually(async () => {
    expect(await server.query('select state from sms_sends where credit_report_id = $1', [refused.id])).toEqual([
      { state: 'refused' },
    ]);
  });

  const sid = `SM${'0'.repeat(32)}`;
  for (const isSigned of [true, false]) {
    for (const status of ['delivered', 'undelivered', RECEIPT_CANARY]) {
      const fields = {
        MessageSid: sid,
        MessageStatus: status,
        To: DELIVERED,
        Body: RECEIPT_CANARY,
        [RECEIPT_CANARY]: PERSON.lastName,
      };
      await tellReceipt(fields, `tenant=${server.demo.tenantId}&send=${failing.id}`, isSigned);
      await tellReceipt(fields, `tenant=${PERSON.lastName}&send=${RECEIPT_CANARY}`, isSigned);
    }
  }
  // A report that cannot be opened: the failure is logged, with nothing of what it was about.
  const broken = await startChallenge();
  await server.query(`update credit_reports set sealed_request = '' where id = $1`, [broken.id]);
  const reply = await post(`${broken.at}/otp-challenge`, { challengeId: broken.challengeId, code: codeIn(second) });
  expect(reply.status).toBe(500);
  await post(`${broken.at}/resend-sms`, { challengeId: broken.challengeId });
}

/** Whole words only: six digits in a row are found in every long dump of numbers. */
const findsCode = (text: string, code: string) => new RegExp(`(?<![0-9A-Za-z.])${code}(?![0-9A-Za-z])`).test(text);

function find(text: string): string[] {
  const codes = [...new Set(inbox.map(codeIn))];
  const values = [
    ...Object.values(PERSON),
    ...Object.values(PLACE),
    MAIL_SUFFIX.slice(1),
    'zz81@canary',
    RECEIPT_CANARY,
    'code-canary-41',
    ...[DELIVERED, REFUSED].flatMap((number) => [number, number.slice(3)]),
    '23111957',
    'ZE39JZ',
    'is your code for',
    ...sessions.flatMap((session) => [session, session.slice(10, 60)]),
    ...inbox.map((each) => each.body),
  ];
  const found = values.flatMap((value) => formsOf(value).filter((form) => text.includes(form)));
  const foundCodes = codes.flatMap((code) => {
    const [clear = '', , , ...encoded] = formsOf(code);
    const long = encoded.filter((form) => form.length >= 12 && text.includes(form));
    return [...(findsCode(text, clear) ? [`the code ${code}`] : []), ...long];
  });
  return [...found, ...foundCodes];
}

test('the flows went where they were meant to: every status, messages sent, a failure logged', () => {
  const data = replies.flatMap(({ status, text }) => (status === 200 ? [JSON.parse(text).data.status] : []));
  expect(new Set(data)).toEqual(
    new Set(['complete', 'blocked', 'failed', 'authentication-required', 'retry', undefined]),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 204, 400, 403, 409, 410, 500]));
  expect(inbox.length).toBeGreaterThanOrEqual(4);
});

test('nothing of the consumer, no code, no message and no session is in the database', async () => {
  const dump = await dumpDatabase(server);
  expect(dump).toContain('INSERT INTO public.sms_sends');
  expect(dump).toContain('INSERT INTO public.mobile_uses');
  expect(find(dump)).toEqual([]);
});

test('… nor in Redis', async () => {
  expect(find(await dumpRedis(server))).toEqual([]);
  expect(redisCommands).toContain('rate:tenant:');
  expect(find(redisCommands)).toEqual([]);
});

test('… nor in the log', () => {
  expect(server.logText()).toContain('request failed');
  expect(find(server.logText())).toEqual([]);
});

test('… nor in the metrics', async () => {
  const metrics = await readMetrics(server);
  expect(metrics).toContain('trefoil_sms_submits_total{outcome="refused"}');
  expect(metrics).toContain('trefoil_sms_receipts_total{outcome="ignored"}');
  expect(find(metrics)).toEqual([]);
});

test('… nor in a refusal, nor in any header of an answer', () => {
  for (const { status, text, headers } of replies) {
    if (status >= 400) expect(find(text), text).toEqual([]);
    expect(find(JSON.stringify(headers))).toEqual([]);
  }
});

test('the search has teeth: a code, a message, a session and a number that are planted are found', async () => {
  await server.query('create table planted (value text, bytes bytea)');
  try {
    const [message] = inbox;
    for (const value of [codeIn(message), message?.body ?? '', sessions[0] ?? '', DELIVERED, PERSON.lastName]) {
      expect(value).not.toBe('');
      await server.query('insert into planted values ($1, null)', [value]);
      expect(find(await dumpDatabase(server)), value).not.toEqual([]);
      await server.query('delete from planted');
      await server.query('insert into planted values (null, $1)', [Buffer.from(value)]);
      expect(find(await dumpDatabase(server)), `bytes of ${value}`).not.toEqual([]);
      await server.query('delete from planted');
    }
  } finally {
    await server.query('drop table planted');
  }
});
