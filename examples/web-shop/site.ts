// The shop's web server: which address gets which page. Credentials, report ids and challenge ids stay on this side.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Trefoil, TrefoilError, TrefoilNoAnswerError } from '@trefoil/sdk';
import { type Asked, createAsking, type Told } from './ask-trefoil.ts';
import { formPage } from './pages/form-page.ts';
import { html, layout } from './pages/html.ts';
import { orderPage, type Shown } from './pages/order-page.ts';
import { staffOrderPage, staffPage } from './pages/staff-pages.ts';
import { readForm, requestOf } from './request-of-form.ts';
import type { Settings } from './settings.ts';
import type { Order, Store } from './store.ts';
import { receiveWebhook, statusOf } from './webhook.ts';

type Reply = { readonly status: number; readonly headers?: Record<string, string>; readonly text?: string };

const BODY_BYTES_MAX = 64 * 1024;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const FILES: Readonly<Record<string, string>> = {
  '/style.css': 'text/css; charset=utf-8',
  '/device-session.js': 'text/javascript; charset=utf-8',
  '/form.js': 'text/javascript; charset=utf-8',
  '/watch.js': 'text/javascript; charset=utf-8',
};

const page = (text: string, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  text,
});
const seeOther = (location: string): Reply => ({ status: 303, headers: { location } });
const digest = (text: string) => createHash('sha256').update(text).digest();

/** The bytes as they came. Undefined when there are more than a form or a webhook has. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Behind a proxy of your own, and only then, use what the proxy says in X-Forwarded-For instead. */
const addressOf = ({ socket }: IncomingMessage) => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

const visitorOf = ({ headers }: IncomingMessage) => /(?:^|;\s*)visitor=([0-9a-f-]{36})/.exec(headers.cookie ?? '')?.[1];

export function createSite(settings: Settings, trefoil: Trefoil, store: Store): Server {
  const { isTest, webhookSecrets, staffPassword } = settings;
  const { origin: trefoilOrigin } = new URL(settings.baseUrl);
  const asking = createAsking(trefoil, store);
  const staffLogin = digest(`Basic ${Buffer.from(`staff:${staffPassword}`).toString('base64')}`);
  const notFound = page(
    layout({ title: 'Not found', body: html`<section class="card"><h1>There is no such page</h1></section>`, isTest }),
    404,
  );
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${trefoilOrigin}`,
    `connect-src 'self' ${trefoilOrigin}`,
    "style-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const fixed = {
    // No page comes from the browser's memory: its keys and its order would be old.
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };

  const emptyForm = (visitor: string | undefined): Reply => {
    const reply = page(formPage({ orderId: randomUUID(), form: {}, faults: {}, trefoilOrigin, isTest }));
    // A real shop, over TLS, calls it `__Host-visitor` and adds Secure.
    const cookie = `visitor=${visitor ?? randomUUID()}; HttpOnly; SameSite=Lax; Path=/; Max-Age=86400`;
    return { ...reply, headers: { ...reply.headers, 'set-cookie': cookie } };
  };

  /** A corrected form is a new order: the request of the old one is never sent again. */
  function showAsked(asked: Asked, orderId: string): Reply {
    if (asked.kind === 'settled') return seeOther(`/orders/${orderId}`);
    const { form, faults } = asked;
    return page(formPage({ orderId: randomUUID(), form, faults, trefoilOrigin, isTest }), 400);
  }

  async function makeOrder(request: IncomingMessage, values: URLSearchParams): Promise<Reply> {
    const visitor = visitorOf(request);
    const orderId = values.get('orderId') ?? '';
    // Without the cookie, another site's page may have sent this.
    if (!visitor || !UUID.test(orderId)) return seeOther('/');
    const form = readForm(values);
    const sender = { sessionId: values.get('sessionId') ?? '', ipAddress: addressOf(request), isTest };
    const order = store.insertOrder(orderId, visitor, { request: requestOf(form, orderId, sender), form });
    if (order?.visitor !== visitor) return notFound;
    return showAsked(await asking.askForReport(order), orderId);
  }

  const lineOf = (order: Order) => {
    const events = order.creditReportId ? store.listEvents(order.creditReportId) : [];
    return { order, events, status: statusOf(order, events) };
  };

  /** Free of charge, for as long as the report is kept. So the shop keeps no copy. */
  async function readReport({ creditReportId }: Order): Promise<Shown> {
    try {
      const { data } = await trefoil.getReport(creditReportId ?? '');
      if (data.status !== 'complete' || !data.creditReport || !data.coverage) return { kind: 'unavailable' };
      return { kind: 'report', creditReport: data.creditReport, coverage: data.coverage };
    } catch (error) {
      if (!(error instanceof TrefoilError || error instanceof TrefoilNoAnswerError)) throw error;
      console.error(`the report could not be read: ${error.message}`);
      return { kind: 'unavailable' };
    }
  }

  async function showOrder(order: Order, told: Told = { words: '' }): Promise<Reply> {
    const { status } = lineOf(order);
    const shown = status === 'complete' ? await readReport(order) : undefined;
    const keys = { code: randomUUID(), resend: randomUUID() };
    return page(orderPage({ order, status, shown, keys, told, isTest }));
  }

  async function actOnOrder(order: Order, action: string, values: URLSearchParams): Promise<Reply> {
    if (action === 'again') return showAsked(await asking.askForReport(order), order.id);
    if (action !== 'code' && action !== 'resend') return notFound;
    const key = values.get('key') ?? '';
    if (!UUID.test(key) || lineOf(order).status !== 'code-needed') return seeOther(`/orders/${order.id}`);
    const told =
      action === 'code'
        ? await asking.submitCode(order, (values.get('code') ?? '').trim(), key)
        : await asking.resend(order, key);
    return told.words ? showOrder(store.findOrder(order.id) ?? order, told) : seeOther(`/orders/${order.id}`);
  }

  function serveStaff(request: IncomingMessage, path: string): Reply {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), staffLogin)) {
      return { status: 401, headers: { 'www-authenticate': 'Basic realm="Staff"' } };
    }
    if (path === '/staff/orders') {
      const received = { ...store.countEvents(), refusals: store.listRefusals() };
      return page(staffPage(store.listOrders().map(lineOf), received, isTest));
    }
    const [, id = '', part] = /^\/staff\/orders\/([0-9a-f-]{36})(\/version)?$/.exec(path) ?? [];
    const order = store.findOrder(id);
    if (!order) return notFound;
    const line = lineOf(order);
    const deliveries = line.events.reduce((sum, event) => sum + event.deliveries, 0);
    const version = `${line.status} ${deliveries}`;
    return part ? { status: 200, text: version } : page(staffOrderPage(line, version, isTest));
  }

  async function serveOrder(
    request: IncomingMessage,
    path: string,
    values: URLSearchParams | undefined,
  ): Promise<Reply> {
    const [, id = '', action = ''] = /^\/orders\/([0-9a-f-]{36})(?:\/(code|resend|again|status))?$/.exec(path) ?? [];
    const order = store.findOrder(id);
    // Another visitor's order and none look the same.
    if (!order || order.visitor !== visitorOf(request)) return notFound;
    if (values) return actOnOrder(order, action, values);
    if (action === 'status') return { status: 200, text: lineOf(order).status };
    return action ? seeOther(`/orders/${id}`) : showOrder(order);
  }

  async function serve(request: IncomingMessage): Promise<Reply> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const type = FILES[path];
    if (request.method === 'POST') {
      const body = await readBody(request);
      if (!body) return { status: 413 };
      if (path === '/webhooks') return receiveWebhook(store, webhookSecrets, body, request.headers);
      const values = new URLSearchParams(body.toString());
      return path === '/orders' ? makeOrder(request, values) : serveOrder(request, path, values);
    }
    if (request.method !== 'GET') return { status: 405, headers: { allow: 'GET, POST' } };
    if (path === '/') return emptyForm(visitorOf(request));
    if (type) {
      const text = readFileSync(new URL(`public${path}`, import.meta.url), 'utf8');
      return { status: 200, headers: { 'content-type': type }, text };
    }
    return path.startsWith('/staff/') ? serveStaff(request, path) : serveOrder(request, path, undefined);
  }

  return createServer((request, response) => {
    serve(request)
      .catch((error: unknown): Reply => {
        console.error(error);
        return { status: 500, text: 'Something went wrong here. Please try again.' };
      })
      .then(({ status, headers, text }) => response.writeHead(status, { ...fixed, ...headers }).end(text))
      .catch((error: unknown) => console.error(error));
  });
}
