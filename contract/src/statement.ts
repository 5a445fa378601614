// A month's statement of the wallet, for people to read and to file.
import { type Static, Type } from 'typebox';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';

/** Lines that a statement lists at most: some fifty pages. Its totals count them all. */
export const STATEMENT_LINES_MAX = 1_000;

export const StatementQuery = Type.Object({
  month: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
      description: 'A month of London, as in `GET …/wallet/months`, such as 2026-03; the current month if left out.',
    }),
  ),
});

export type StatementQuery = Static<typeof StatementQuery>;

const statementExamples: Examples = {
  pdf: { summary: 'The beginning of a PDF', value: '%PDF-1.7' },
};

export const statementOperations = {
  getStatement: {
    method: 'GET',
    path: '/:tenantId/v1/wallet/statement',
    tag: 'Wallet',
    summary: 'Get the statement of a month as a PDF',
    description:
      'A month of the wallet on paper (PDF/UA-1 and PDF/A-3a): the company, the opening balance, the total of each kind, the closing ' +
      'balance, and the lines, oldest first, each with its time in the United Kingdom, what it is, its reference, amount, credits ' +
      'and the balance after it. The totals equal `GET …/wallet/months` and count every line. At most ' +
      `${STATEMENT_LINES_MAX.toLocaleString('en-GB')} lines are listed; the ` +
      'statement of a longer month says so, and `GET …/wallet/entries?format=csv` has all of them.\n\n' +
      'Free of charge. The same lines and references give the same bytes; a reference is gone once its report is erased. The statement of the current month says that the month is not over. ' +
      'References are shown as in `GET …/wallet/entries`, and the audit log records when they are read. 404 `not-found` for a month before ' +
      'the first line or after the current month. A reference of more than 64 letters is cut short. On one node a few dozen documents may wait, two statements of them yours: ' +
      'beyond that the answer is 503 with Retry-After, as it is while the months of the wallet are not counted yet.',
    scope: 'wallet:read',
    liveOnly: true,
    idempotent: false,
    query: StatementQuery,
    response: Type.String({ description: 'The PDF.' }),
    responseExamples: statementExamples,
    mediaTypes: ['application/pdf'],
    errors: ['not-found'],
  },
} as const satisfies Record<string, Operation>;
