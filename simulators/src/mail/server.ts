// The mail server: SMTP on one port, its inbox and the endpoints for tests over HTTP on another, both only on this
// machine. It never relays.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from '../carrier/submit.ts';
import { plain, type Reply } from '../wire.ts';
import { MailInbox } from './inbox.ts';
import { PAGE_HEADERS, writeMailPage } from './inbox-page.ts';
import { BadPlan, MailControl } from './plan.ts';
import { startSmtp } from './smtp.ts';

export type RunningMail = { readonly url: string; readonly smtpUrl: string; close(): Promise<void> };

const HOST = '127.0.0.1';
const BODY_MAX = 100_000;

type EnquiryHandler = { readonly inbox: MailInbox; readonly control: MailControl };

/** HTTP on this port, SMTP on the next one; 0 for any two. */
export async function startMail({ port }: { readonly port: number }): Promise<RunningMail> {
  const handler: EnquiryHandler = { inbox: new MailInbox(), control: new MailControl() };
  const smtp = await startSmtp({ port: port === 0 ? 0 : port + 1, host: HOST, ...handler });
  const server = createServer((request, response) => {
    void answer(request, handler)
      .catch((error: unknown) => {
        console.error(error);
        return plain(500, 'the simulator failed');
      })
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, HOST, resolve);
    });
  } catch (error) {
    await smtp.close();
    throw error;
  }
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${taken}`,
    smtpUrl: smtp.url,
    async close() {
      await smtp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, handler: EnquiryHandler): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
  const { method = 'GET' } = request;
  const body = await readBody(request);
  if (body === undefined) return plain(413, 'too large');
  const reply =
    answerInbox(`${method} ${pathname}`, searchParams, handler) ??
    answerControl(`${method} ${pathname}`, body, handler);
  return reply ?? plain(404, 'not here; see simulators/WIRE.md');
}

function answerInbox(call: string, query: URLSearchParams, { inbox }: EnquiryHandler): Reply | undefined {
  const to = query.get('to')?.toLowerCase() || undefined;
  const [, id] = /^GET \/inbox\/([\w-]+)\.eml$/.exec(call) ?? [];
  if (id !== undefined) {
    const raw = inbox.find(id)?.raw;
    return raw === undefined ? plain(404, 'no such mail') : { ...plain(200, ''), body: raw };
  }
  switch (call) {
    case 'GET /inbox':
      return {
        status: 200,
        headers: PAGE_HEADERS,
        body: writeMailPage(inbox.list(to), query.get('refresh') !== 'off'),
      };
    case 'GET /inbox.json':
      return json(200, { mails: inbox.list(to).map(({ raw: _, ...mail }) => mail) });
    case 'DELETE /inbox.json':
      inbox.empty();
      return json(204, null);
    default:
      return undefined;
  }
}

function answerControl(call: string, body: string, { inbox, control }: EnquiryHandler): Reply | undefined {
  switch (call) {
    case 'GET /control/attempts':
      return json(200, { attempts: inbox.attempts() });
    case 'GET /control':
      return json(200, { rules: control.rules() });
    case 'POST /control':
      try {
        return json(201, control.add(JSON.parse(body)));
      } catch (error) {
        if (error instanceof BadPlan || error instanceof SyntaxError) return json(400, { error: error.message });
        throw error;
      }
    case 'DELETE /control':
      control.clear();
      return json(204, null);
    default:
      return undefined;
  }
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
