// Documents over HTTP.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { prefersPdf } from '../http/body/media-type.ts';
import { addVary } from '../http/headers.ts';
import { type Gate, registerOperation } from '../http/operations.ts';
import { HTML_POLICY } from './html/paint-html.ts';
import type { ReportOrder } from './painter.worker.ts';
import { type DocumentDependencies, readDocument } from './read-document.ts';
import { readStatementDocument, type StatementDependencies } from './read-statement-document.ts';

const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': HTML_POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

/** The name of a saved file travels with it: it has the report's number and nothing about the consumer. */
const fileName = (creditReportId: string, format: ReportOrder['format']) =>
  `inline; filename="credit-agreements-report-${creditReportId}.${format}"`;

function describe(reply: FastifyReply, creditReportId: string, format: ReportOrder['format']): void {
  reply.headers(format === 'pdf' ? { 'content-type': 'application/pdf' } : HTML_HEADERS);
  reply.header('content-disposition', fileName(creditReportId, format));
}

export function registerDocumentRoutes(
  app: FastifyInstance,
  gate: Gate,
  dependencies: DocumentDependencies & StatementDependencies,
): void {
  registerOperation(app, gate, 'getDocument', async ({ caller, params, query, reply, leavePlace }) => {
    addVary(reply, 'accept');
    const creditReportId = params['creditReportId'] ?? '';
    // A parameter wins: a browser's address bar cannot set the Accept header.
    const format = query.format ?? (prefersPdf(reply.request.headers.accept) ? 'pdf' : 'html');
    const asked = { creditReportId, format, beforeWait: leavePlace };
    const bytes = await readDocument(dependencies, caller, asked);
    // Only now: an error has a type of its own.
    describe(reply, creditReportId, format);
    return bytes;
  });
  registerOperation(app, gate, 'getStatement', async ({ caller, query, reply, leavePlace }) => {
    const asked = { month: query.month, beforeWait: leavePlace };
    const { month, bytes } = await readStatementDocument(dependencies, caller, asked);
    reply.type('application/pdf');
    reply.header('content-disposition', `inline; filename="wallet-statement-${month}.pdf"`);
    return bytes;
  });
}
