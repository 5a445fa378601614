// The tenant's own web server: it serves the page and calls Trefoil for it. The credentials never leave this server.
// The browser never sees a report's id: it holds a cookie for its journey, and the ids stay here.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Trefoil } from '@trefoil/sdk';
import { type Answer, createJourneys, type Journeys } from './journeys.ts';

export type SiteOptions = {
  readonly trefoil: Trefoil;
  /** The origin that serves the fingerprint script. */
  readonly baseUrl: string;
  readonly isTest: boolean;
};

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/style.css': ['style.css', 'text/css; charset=utf-8'],
  '/device-session.js': ['device-session.js', 'text/javascript; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/steps.js': ['steps.js', 'text/javascript; charset=utf-8'],
  '/code-step.js': ['code-step.js', 'text/javascript; charset=utf-8'],
};

const BODY_BYTES_MAX = 16 * 1024;

/** Allows what the page needs: its own files, Trefoil's script and that script's posts. */
function policyOf(origin: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    `connect-src 'self' ${origin}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function headersOf(origin: string) {
  return {
    'cache-control': 'no-store',
    'content-security-policy': policyOf(origin),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
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
    default:
      return undefined;
  }
}

export function createSite({ trefoil, baseUrl, isTest }: SiteOptions): Server {
  const { origin } = new URL(baseUrl);
  const headers = headersOf(origin);
  const journeys = createJourneys(trefoil, isTest);
  const read = (file: string) => readFileSync(new URL(`public/${file}`, import.meta.url), 'utf8');

  function serveFile(path: string, response: ServerResponse): void {
    const [file, type] = FILES[path] ?? [];
    if (!file) {
      response.writeHead(404, headers).end();
      return;
    }
    const text = read(file).replaceAll('{{trefoil}}', origin);
    response.writeHead(200, { ...headers, 'content-type': type ?? '' }).end(text);
  }

  async function serveApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await answerApi(journeys, request);
    if (!answer) {
      response.writeHead(400, headers).end();
      return;
    }
    const { journeyId, ...body } = answer;
    // A real site, over TLS, uses `__Host-journey` with Secure.
    const cookie = journeyId && {
      'set-cookie': `journey=${journeyId}; HttpOnly; SameSite=Strict; Path=/; Max-Age=1800`,
    };
    response.writeHead(200, { ...headers, 'content-type': 'application/json', ...cookie }).end(JSON.stringify(body));
  }

  return createServer((request, response) => {
    if (request.method === 'GET') {
      serveFile((request.url ?? '/').split('?', 1)[0] ?? '/', response);
    } else if (request.method === 'POST') {
      serveApi(request, response).catch(() => response.writeHead(500, headers).end());
    } else {
      response.writeHead(405, { ...headers, allow: 'GET, POST' }).end();
    }
  });
}
