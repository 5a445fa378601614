// The document of a report: a page for a browser, or a PDF.
import { type Static, Type } from 'typebox';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { oneOf } from './schema.ts';
import { DOCUMENT_FORMATS } from './vocabulary.ts';

export const DocumentQuery = Type.Object({
  format: Type.Optional(
    oneOf(DOCUMENT_FORMATS, {
      description: 'The format of the answer, for clients that cannot set `Accept`. It overrides that header.',
    }),
  ),
});

export type DocumentQuery = Static<typeof DocumentQuery>;

const documentExamples: Examples = {
  page: {
    summary: 'The beginning of a page',
    value: '<!doctype html>\n<html lang="en-GB">\n<head>\n<title>Credit agreements report</title>',
  },
};

export const documentOperations = {
  getDocument: {
    method: 'GET',
    path: '/:tenantId/v1/credit-reports/:creditReportId/document',
    tag: 'Credit reports',
    summary: 'Get the report as a document',
    description:
      'A complete report for people to read: what was searched and where, car finance first with what each bureau ' +
      'reports and where they differ, other accounts, addresses, searches, and what no bureau can show. With ' +
      '`format=pdf` or `Accept: application/pdf` it is a PDF (PDF/UA-1 and PDF/A-3a), otherwise an HTML page that loads ' +
      'nothing and runs no script. The PDF lists at most 100 accounts and the page 1,000, and each says so.\n\n' +
      'Free of charge; no bureau is asked again. The same report gives the same bytes. 409 `conflict` if the report is ' +
      'not complete, 410 once it is erased. The role finance gets 403. Every read is in the audit log. On one node a ' +
      'few dozen documents may wait, ten of them yours: beyond that the answer is 503 with Retry-After, and no audit row.',
    scope: 'reports:read',
    idempotent: false,
    query: DocumentQuery,
    response: Type.String({ description: 'The page, or the PDF.' }),
    responseExamples: documentExamples,
    mediaTypes: ['text/html', 'application/pdf'],
    errors: ['credit-report-not-found', 'conflict', 'request-in-progress', 'credit-report-purged'],
  },
} as const satisfies Record<string, Operation>;
