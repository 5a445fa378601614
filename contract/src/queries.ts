// The query parameters of the read operations. They arrive as text: the server converts whole numbers and validates the
// rest like a body. It ignores unknown parameters (docs/decisions/0011-unknown-fields.md).
import { type Static, Type } from 'typebox';
import { GivenId, oneOf } from './schema.ts';
import { ENTRY_KINDS, FORMATS, REPORT_STATUSES } from './vocabulary.ts';

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

export const limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: PAGE_MAX,
    default: PAGE_DEFAULT,
    description: 'Maximum number of items on a page.',
  }),
);
export const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: '`nextCursor` of the previous page. Keep the other filters.',
  }),
);
const externalReference = Type.Optional(
  Type.String({ minLength: 1, maxLength: 255, description: 'Only reports generated with exactly this reference.' }),
);
export const moment = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, format: 'date-or-instant', description }));

const testWallet = Type.Optional(
  Type.Boolean({
    description:
      'True: the test wallet, to which test reports with `testOptions.charges` are charged, instead of the live one.',
  }),
);

export const WalletQuery = Type.Object({ test: testWallet });

export const WalletEntriesQuery = Type.Object({
  // No default here, because the validator would fill it in: a CSV file without a limit has all lines.
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_MAX,
      description: `Maximum number of lines on a page (${PAGE_DEFAULT} if left out) or in a CSV file (see above if left out).`,
    }),
  ),
  cursor,
  format: Type.Optional(
    oneOf(FORMATS, {
      description: 'The format of the answer, for clients that cannot set `Accept`. It overrides that header.',
    }),
  ),
  from: moment('Posted at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B.'),
  to: moment('Posted before: a date (midnight UTC) or an instant with its offset.'),
  kind: Type.Optional(oneOf(ENTRY_KINDS, { description: 'Only lines of this kind.' })),
  creditReportId: Type.Optional(GivenId('Only lines of this report, its messages included.')),
  externalReference,
  test: testWallet,
});

export const CreditReportsQuery = Type.Object({
  limit,
  cursor,
  status: Type.Optional(
    oneOf(REPORT_STATUSES, {
      description: 'Only reports in this state.',
    }),
  ),
  externalReference,
  test: Type.Optional(Type.Boolean({ description: 'Only test reports (true), or only live reports (false).' })),
  from: moment('Requested at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B.'),
  to: moment('Requested before: a date (midnight UTC) or an instant with its offset.'),
});

/** Without `status`: the counts are by status. */
export const CreditReportCountsQuery = Type.Pick(CreditReportsQuery, ['externalReference', 'test', 'from', 'to']);

export type WalletEntriesQuery = Static<typeof WalletEntriesQuery>;
export type CreditReportsQuery = Static<typeof CreditReportsQuery>;
export type CreditReportCountsQuery = Static<typeof CreditReportCountsQuery>;
