// The query parameters of the reading operations. They arrive as text; the server turns whole numbers into numbers and
// judges the rest as it judges a body. Unknown parameters are ignored (docs/decisions/0011).
import { type Static, Type } from 'typebox';
import { oneOf } from './schema.ts';
import { ENTRY_KINDS, REPORT_STATUSES } from './vocabulary.ts';

export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

export const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT, description: 'Most items on a page.' }),
);
export const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: '`nextCursor` of the page before. Keep the other filters.',
  }),
);
const externalReference = Type.Optional(
  Type.String({ minLength: 1, maxLength: 255, description: 'Only reports generated with exactly this reference.' }),
);
export const moment = (description: string) =>
  Type.Optional(Type.String({ maxLength: 40, format: 'date-or-instant', description }));

export const WalletEntriesQuery = Type.Object({
  limit,
  cursor,
  from: moment('Posted at or after: a date (midnight UTC) or an instant with its offset. Write + as %2B.'),
  to: moment('Posted before: a date (midnight UTC) or an instant with its offset.'),
  kind: Type.Optional(oneOf(ENTRY_KINDS, { description: 'Only lines of this kind.' })),
  creditReportId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only lines of this report, its messages included.' }),
  ),
  externalReference,
});

export const CreditReportsQuery = Type.Object({
  limit,
  cursor,
  status: Type.Optional(
    oneOf(REPORT_STATUSES, {
      description: 'Only reports in this state. A page may then be short: go on until `nextCursor` is null.',
    }),
  ),
  externalReference,
});

export type WalletEntriesQuery = Static<typeof WalletEntriesQuery>;
export type CreditReportsQuery = Static<typeof CreditReportsQuery>;
