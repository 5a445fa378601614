// The tenant's own web server: it serves the page and calls Trefoil for it. The credentials never leave this server.
// The browser holds a cookie for its journey, and the ids stay here: no call of the page has one.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Trefoil } from '@trefoil/sdk';
import { type Answer, createJourneys, JOURNEY_MS, type Journeys } from './journeys.ts';
import { createReportPages } from './report-pages.ts';

export type SiteOptions = {
  readonly trefoil: Trefoil;
  /** The origin of Trefoil, which serves the fingerprint script and the report's document. */
  readonly baseUrl: string;
  readonly tenantId: string;
  /** Your name, wherever a page says it. Text messages and reports have the name that Trefoil knows: use the same. */
  readonly company: string;
  readonly isTest: boolean;
};

const SCRIPT = 'text/javascript; charset=utf-8';
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/style.css': ['style.css', 'text/css; charset=utf-8'],
  '/device-session.js': ['device-session.js', SCRIPT],
  '/page.js': ['page.js', SCRIPT],
  '/steps.js': ['steps.js', SCRIPT],
  '/faults.js': ['faults.js', SCRIPT],
  '/birth-date.js': ['birth-date.js', SCRIPT],
  '/code-step.js': ['code-step.js', SCRIPT],
  '/ends.js': ['ends.js', SCRIPT],
  '/report.js': ['report.js', SCRIPT],
};

const BODY_BYTES_MAX = 16 * 1024;

/** Allows what the pages need: their own files, Trefoil's script and that script's posts. */
function policyOf(origin: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    `connect-src 'self' ${origin}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  // A page of another origin cannot send this content type without a CORS preflight, and this server answers none.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Behind a proxy of your own, and only then, use the proxy's X-Forwarded-For instead. */
const addressOf = ({ socket }: IncomingMessage) => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

const journeyOf = ({ headers }: IncomingMessage) => /(?:^|;\s*)journey=([\w-]{22,64})/.exec(headers.cookie ?? '')?.[1];

/** A real site, over TLS, uses `__Host-journey` with Secure. Without an id the cookie is deleted. */
const cookieOf = (journeyId = '', seconds = journeyId ? JOURNEY_MS / 1_000 : 0) => ({
  'set-cookie': `journey=${journeyId}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}`,
});

async function answerApi(journeys: Journeys, request: IncomingMessage): Promise<Answer | undefined> {
  const body = await readJson(request);
  if (!body) return undefined;
  switch (request.url ?? '') {
    case '/api/report':
      return journeys.begin(body, addressOf(request));
    case '/api/code':
      return journeys.submitCode(journeyOf(request), body);
    case '/api/resend':
      return journeys.resend(journeyOf(request));
    case '/api/delivery':
      return journeys.delivery(journeyOf(request));
    default:
      return undefined;
  }
}

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`);

export function createSite(options: SiteOptions): Server {
  const { trefoil, isTest } = options;
  const { origin } = new URL(options.baseUrl);
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': policyOf(origin),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  const journeys = createJourneys(trefoil, isTest);
  /** What the files say in double braces. */
  const words: Readonly<Record<string, string>> = {
    trefoil: origin,
    company: escapeHtml(options.company),
    test: isTest
      ? '<p class="note">This is a test: no agency is asked, no text is sent, and the code is 123456.</p>'
      : '',
    footprint: isTest
      ? 'This is a test: it leaves no note on any file.'
      : 'This asks Equifax, Experian and TransUnion. Each agency notes on your file that this search was made.',
    mode: isTest ? 'test' : 'live',
    sent: isTest ? 'A text with a 6-digit code would now go' : 'We sent a text with a 6-digit code',
  };

  /** One of the files, filled in. */
  function render(file: string): string {
    const read = readFileSync(new URL(`public/${file}`, import.meta.url), 'utf8');
    return read.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => words[name] ?? '');
  }

  const reports = createReportPages({ ...options, headers, render });

  async function serveGet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (path === '/report' || path.startsWith('/report/')) {
      await reports.serve(path, journeys.findReport(journeyOf(request)), response);
      return;
    }
    const [file, type] = Object.hasOwn(FILES, path) ? (FILES[path] ?? []) : [];
    if (!file) {
      response.writeHead(404, headers).end();
      return;
    }
    response.writeHead(200, { ...headers, 'content-type': type ?? '' }).end(render(file));
  }

  async function servePost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/report/close') {
      journeys.close(journeyOf(request));
      response.writeHead(303, { ...headers, ...cookieOf(), location: '/report' }).end();
      return;
    }
    const answer = await answerApi(journeys, request);
    if (!answer) {
      response.writeHead(400, headers).end();
      return;
    }
    const { journeyId, ...body } = answer;
    const cookie = journeyId && cookieOf(journeyId);
    response.writeHead(200, { ...headers, 'content-type': 'application/json', ...cookie }).end(JSON.stringify(body));
  }

  return createServer((request, response) => {
    const serve = { GET: serveGet, POST: servePost }[request.method ?? ''];
    if (!serve) {
      response.writeHead(405, { ...headers, allow: 'GET, POST' }).end();
      return;
    }
    serve(request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500, headers);
      response.end();
    });
  });
}
