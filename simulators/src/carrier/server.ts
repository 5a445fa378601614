// The SMS carrier as an HTTP server: submits and asks, the inbox, the endpoints for tests. Only the receipts leave this
// machine, to the address that came with the message.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CREDENTIALS } from '../credentials.ts';
import { runAfter } from '../sleep.ts';
import { type HttpCall, plain, type Reply } from '../wire.ts';
import { tellReceipt, tellReceipts } from './callback.ts';
import { CarrierControl } from './control.ts';
import { Inbox, type Message } from './inbox.ts';
import { PAGE_HEADERS, writeInboxPage } from './inbox-page.ts';
import { BadPlan, type Plan } from './plan.ts';
import { json, type Refused, readAsk, readSubmit, refused, SERVER_ERROR, shown } from './submit.ts';

export type CarrierOptions = {
  readonly port: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** How long an undisturbed response takes. */
  readonly latencyMs?: number;
};

export type RunningCarrier = { readonly url: string; close(): Promise<void> };

const BODY_MAX = 100_000;
const HUGE_BYTES = 20_000_000;
const REPEATS_MAX = 1_000;
const ACCOUNT = CREDENTIALS.carrier;

type Carrier = { readonly inbox: Inbox; readonly control: CarrierControl; readonly latencyMs: number };

export async function startCarrier(options: CarrierOptions): Promise<RunningCarrier> {
  const { port, host = '127.0.0.1', latencyMs = 2 } = options;
  const carrier: Carrier = { inbox: new Inbox(), control: new CarrierControl(), latencyMs };
  const server = createServer((request, response) => {
    serve(request, response, carrier).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
      console.error(error);
    });
  });
  // This side must not end a hung submit.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        carrier.inbox.empty();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, carrier: Carrier): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return put(response, plain(413, 'too large'));
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]));
  const call: HttpCall = { method: request.method ?? 'GET', path: url.pathname, headers, body };
  const submit = readSubmit(call, ACCOUNT);
  if (submit?.kind === 'refused') return put(response, submit.reply);
  if (submit) return answerSubmit(response, submit.message, carrier);
  const ask = readAsk(call, ACCOUNT);
  if (ask?.kind === 'refused') return put(response, ask.reply);
  if (ask) return answerAsk(response, ask.sid, carrier);
  const reply = answerInbox(call, url.searchParams, carrier) ?? (await answerControl(call, carrier));
  put(response, reply ?? refused(404, 20_404, `The requested resource ${call.path} was not found`).reply);
}

async function answerSubmit(response: ServerResponse, message: Message, carrier: Carrier): Promise<void> {
  const { inbox, control, latencyMs } = carrier;
  inbox.countSubmit(message.sendId);
  const plan = control.planFor(message);
  const refusal = refusalOf(message, plan);
  if (refusal) return put(response, refusal.reply);
  // The carrier does not accept it: a submit that is never answered is never sent. `lost` simulates the other unknown.
  if (plan.submit === 'hang') return;
  // Without receipts, the only known state is that it was sent.
  message.state = plan.state ?? (plan.receipts.length === 0 ? 'sent' : 'queued');
  inbox.add(message);
  if (plan.isEarly) await tellReceipts(inbox, message, plan, ACCOUNT);
  else response.once('close', () => void tellReceipts(inbox, message, plan, ACCOUNT));
  runAfter(latencyMs, () => putAnswer(response, shown(message, ACCOUNT, 201, 'queued'), plan));
}

function answerAsk(response: ServerResponse, sid: string, { inbox, control, latencyMs }: Carrier): void {
  const message = inbox.get(sid);
  if (message) message.asks += 1;
  const plan = message && control.planForAsk(message);
  if (plan?.submit === 'hang') return;
  const reply = message ? replyToAsk(message, plan) : refused(404, 20_404, `${sid} was not found`).reply;
  runAfter(latencyMs, () => putAnswer(response, reply, plan));
}

function replyToAsk(message: Message, plan: Plan | undefined): Reply {
  if (plan?.submit === 'refuse') return refused(404, plan.errorCode, `${message.sid} was not found`).reply;
  if (plan?.submit === 'throttle') return refused(429, 20_429, 'Too Many Requests').reply;
  const about = plan?.isAboutOther ? { ...message, sid: `SM${'0'.repeat(32)}` } : message;
  return shown(about, ACCOUNT, 200, plan?.state ?? message.state);
}

function refusalOf({ to }: Message, { submit, errorCode }: Plan): Refused | undefined {
  // The carrier's own text quotes the number, as the real carrier's does.
  if (submit === 'refuse') return refused(400, errorCode, `Attempt to send to unsubscribed recipient ${to}`);
  if (submit === 'throttle') return refused(429, 20_429, 'Too Many Requests');
  return undefined;
}

function putAnswer(response: ServerResponse, reply: Reply, plan?: Plan): void {
  if (plan?.submit === 'reset') response.socket?.resetAndDestroy();
  else put(response, plan?.submit === 'lost' ? SERVER_ERROR : { ...reply, body: spoil(reply.body, plan?.submit) });
}

function spoil(body: string, submit: Plan['submit'] | undefined): string {
  if (submit === 'garbage') return body.slice(0, body.length / 2);
  return submit === 'huge' ? `${body.slice(0, -1)},"note":"${'X'.repeat(HUGE_BYTES)}"}` : body;
}

function answerInbox({ method, path }: HttpCall, query: URLSearchParams, { inbox }: Carrier): Reply | undefined {
  const to = query.get('to')?.replaceAll(/\s/g, '') || undefined;
  // In a query a plus means a space, so a number without it means the same.
  const wanted = to === undefined || to.startsWith('+') ? to : `+${to}`;
  if (method === 'GET' && path === '/inbox') {
    const body = writeInboxPage(inbox.list(wanted), { to: wanted, isRefreshing: query.get('refresh') !== 'off' });
    return { status: 200, headers: PAGE_HEADERS, body };
  }
  if (path !== '/inbox.json') return undefined;
  if (method === 'GET')
    return json(
      200,
      inbox.list(wanted).map(({ stop: _, callback: __, overrides: ___, ...message }) => ({
        ...message,
        submits: inbox.submitsOf(message.sendId),
      })),
    );
  if (method !== 'DELETE') return undefined;
  inbox.empty();
  return json(204, null);
}

async function answerControl({ method, path, body }: HttpCall, carrier: Carrier): Promise<Reply | undefined> {
  const { control, inbox } = carrier;
  if (path === '/control/submits' && method === 'GET') return json(200, { submits: inbox.submits() });
  try {
    if (path === '/control/receipts' && method === 'POST') return await repeatReceipt(JSON.parse(body), inbox);
    if (path !== '/control') return undefined;
    if (method === 'GET') return json(200, { rules: control.rules() });
    if (method === 'POST') return json(201, control.add(JSON.parse(body)));
  } catch (error) {
    if (error instanceof BadPlan || error instanceof SyntaxError) return json(400, { error: error.message });
    throw error;
  }
  if (method !== 'DELETE') return undefined;
  control.clear();
  inbox.forgetSubmits();
  return json(204, null);
}

/** Sends a receipt now, whatever was sent before: late, repeated, contradicting, or with a wrong signature. */
async function repeatReceipt(wish: unknown, inbox: Inbox): Promise<Reply> {
  const { sid, sendId, status, times = 1, isForged = false } = (wish ?? {}) as Record<string, unknown>;
  if (typeof status !== 'string' || !/^[a-z_]{1,40}$/.test(status)) throw new BadPlan('status must be a state');
  if (!(Number.isInteger(times) && Number(times) > 0 && Number(times) <= REPEATS_MAX))
    throw new BadPlan(`times must be 1 to ${REPEATS_MAX}`);
  const message = inbox.find({ sid, sendId });
  if (message === undefined) return json(404, { error: 'no such message in the inbox' });
  if (isForged !== true) message.state = status;
  const signer = isForged === true ? { ...ACCOUNT, authToken: 'not the token' } : ACCOUNT;
  const answers: (number | null)[] = [];
  for (let count = 0; count < Number(times); count++) answers.push(await tellReceipt(inbox, message, status, signer));
  return json(200, { answers });
}

function put(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= BODY_MAX) chunks.push(chunk);
  }
  return length > BODY_MAX ? undefined : Buffer.concat(chunks).toString('utf8');
}
