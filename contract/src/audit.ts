// The audit log as a tenant reads it (docs/decisions/0135-audit-log.md).
import { type Static, Type } from 'typebox';
import { pageOf } from './envelope.ts';
import type { Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { cursor, limit, moment } from './queries.ts';
import { GivenId, Instant, NO_CONTROL, Uuid } from './schema.ts';

const hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

export const AuditItem = Type.Object({
  seq: Type.Integer({ minimum: 1, description: 'Its place in the chain of the tenant, without gaps.' }),
  occurredAt: Instant('When it happened.'),
  actor: Type.String({ description: "A person's or credential's id, or `system`, or `operator`." }),
  action: Type.String({ description: 'What happened, such as `report.read`. New actions may be added at any time.' }),
  subjectId: Uuid('What it happened to: a report, a credential, a person, or the tenant itself.'),
  details: Type.Object({}, { description: 'Ids, counts and names of fields; never a person’s data or a secret.' }),
  hash: hash('SHA-256 over this row and the hash before it, in hexadecimal.'),
  previousHash: hash('The hash of the row before; 64 zeros for the first.'),
});

export const AuditResponse = pageOf(AuditItem);

export const AuditQuery = Type.Object({
  limit,
  cursor,
  action: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: NO_CONTROL,
      description: 'Only this action, such as `report.read`, or all of a kind, such as `report`.',
    }),
  ),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: NO_CONTROL,
      description: 'Only what this actor did.',
      'x-id': true,
    }),
  ),
  subjectId: Type.Optional(GivenId('Only what happened to this.')),
  from: moment('At or after: a date (midnight UTC) or an instant with its offset. Write + as %2B.'),
  to: moment('Before: a date (midnight UTC) or an instant with its offset.'),
});

export type AuditItem = Static<typeof AuditItem>;
export type AuditPage = Static<typeof AuditResponse>['data'];
export type AuditQuery = Static<typeof AuditQuery>;

const auditExamples: Examples = {
  page: {
    summary: 'The last page',
    value: {
      meta: { request: { timeTakenMs: 6 } },
      data: {
        items: [
          {
            seq: 2,
            occurredAt: '2026-03-02T10:16:00.456Z',
            actor: '01997c30-7d21-7f08-b6e5-91a2c4d8e03f',
            action: 'report.read',
            subjectId: '01998a3e-7c10-7b11-8c22-3d4e5f607182',
            details: { status: 'complete', withBody: true },
            hash: '9f'.repeat(32),
            previousHash: '3b'.repeat(32),
          },
          {
            seq: 1,
            occurredAt: '2026-03-02T10:15:00.123Z',
            actor: '01997c30-7d21-7f08-b6e5-91a2c4d8e03f',
            action: 'token.issued',
            subjectId: '01997c30-7d21-7f08-b6e5-91a2c4d8e03f',
            details: { grant: 'client_credentials', scopes: ['reports:read'] },
            hash: '3b'.repeat(32),
            previousHash: '00'.repeat(32),
          },
        ],
        nextCursor: null,
      },
    },
  },
};

export const auditOperations = {
  listAudit: {
    method: 'GET',
    path: '/:tenantId/v1/audit',
    tag: 'Audit',
    summary: 'Read the audit log',
    description:
      'Who did what and when, newest first. A row must match all filters that you send. With a filter, a page may have ' +
      'fewer rows than `limit`: continue until `nextCursor` is null. Rows are chained by their hashes, so a page that you ' +
      'keep shows whether older rows changed.',
    scope: 'audit:read',
    liveOnly: true,
    idempotent: false,
    query: AuditQuery,
    response: AuditResponse,
    responseExamples: auditExamples,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
