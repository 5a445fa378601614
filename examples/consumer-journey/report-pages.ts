// The report, as Trefoil writes it for people: the page around it, the report itself in a frame of that page, and the
// PDF. Only the browser that completed the journey gets them, no address has an id or a name in it, and nothing may be
// kept in a cache.
import type { ServerResponse } from 'node:http';
import type { SiteOptions } from './site.ts';

export type PageOptions = SiteOptions & {
  readonly headers: Readonly<Record<string, string>>;
  render(file: string): string;
};

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const DOCUMENT_WITHIN_MS = 20_000;

const PDF = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="credit-report.pdf"' };

/** The same policy, but the page may be in a frame of ours. */
function framed(policy: string): string {
  const kept = policy.split(';').filter((each) => !/^\s*frame-ancestors\b/.test(each));
  return [...kept, " frame-ancestors 'self'"].join(';');
}

export function createReportPages({ trefoil, baseUrl, tenantId, headers, render }: PageOptions) {
  async function fetchDocument(creditReportId: string, format: string) {
    const path = `/${tenantId}/v1/credit-reports/${creditReportId}/document?format=${format}`;
    const authorization = `Bearer ${await trefoil.getToken()}`;
    const signal = AbortSignal.timeout(DOCUMENT_WITHIN_MS);
    const response = await fetch(new URL(path, baseUrl), { headers: { authorization }, signal });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  }

  /** Trefoil's document under the policy that it came with, or a page that says that there is none. */
  async function serveDocument(path: string, creditReportId: string, response: ServerResponse): Promise<void> {
    const [format, type] = path === '/report/pdf' ? ['pdf', PDF] : ['html', HTML];
    const found = await fetchDocument(creditReportId, format).catch(() => undefined);
    if (found?.status === 200) {
      const policy = framed(found.headers.get('content-security-policy') ?? "default-src 'none'");
      response.writeHead(200, { ...headers, ...type, 'content-security-policy': policy }).end(found.body);
      return;
    }
    const request = found?.headers.get('x-request-id');
    console.error(`A report could not be shown: ${found ? `${found.status}, request ${request}` : 'no answer'}`);
    // Trefoil keeps your reports for a number of days that you choose, and those are over.
    const isDeleted = found?.status === 410;
    const file = isDeleted ? 'report-deleted.html' : 'report-not-now.html';
    const policy = framed(headers['content-security-policy'] ?? '');
    const ownHeaders = { ...headers, ...HTML, 'content-security-policy': policy };
    response.writeHead(isDeleted ? 410 : 503, ownHeaders).end(render(file));
  }

  return {
    async serve(path: string, creditReportId: string | undefined, response: ServerResponse): Promise<void> {
      if (!creditReportId) {
        // The same for every browser without the cookie: it does not tell whether there is a report.
        response.writeHead(404, { ...headers, ...HTML }).end(render('report-closed.html'));
        return;
      }
      switch (path) {
        case '/report':
          response.writeHead(200, { ...headers, ...HTML }).end(render('report.html'));
          return;
        case '/report/document':
        case '/report/pdf':
          await serveDocument(path, creditReportId, response);
          return;
        default:
          response.writeHead(404, headers).end();
      }
    },
  };
}
