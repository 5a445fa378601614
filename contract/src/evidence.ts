// Evidence of a report: data that anybody can verify without us (docs/decisions/0220-evidence.md).
import { type Static, Type } from 'typebox';
import { unmetered } from './envelope.ts';
import { creditReportId, type Examples } from './examples.ts';
import type { Operation } from './operation.ts';
import { Instant, Uuid } from './schema.ts';

export const EvidenceFile = Type.Object({
  name: Type.String({
    description: 'The name under which the statement lists it. New files may be added at any time.',
  }),
  text: Type.String({ description: 'The exact content. Its bytes in UTF-8 are what the digest is of.' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content, as in the statement.' }),
});

export const EvidenceResponse = unmetered(
  Type.Object({
    evidenceId: Uuid('The evidence. It is in the address of the verification page.'),
    issuedAt: Instant('When the statement was signed.'),
    kid: Type.String({
      description: 'The key that signed, as `/.well-known/trefoil-evidence-keys.json` lists it (RFC 7638 thumbprint).',
    }),
    statement: Type.String({
      description:
        'What was signed, as text: canonical JSON (RFC 8785). Its bytes in UTF-8 are signed exactly as they are, so do not ' +
        'write it anew.',
    }),
    signature: Type.String({
      pattern: '^[A-Za-z0-9+/]{86}==$',
      description: 'Ed25519 (RFC 8032) over the bytes of `statement`: 64 bytes in base64.',
    }),
    files: Type.Array(EvidenceFile, { description: 'The files that the statement names, with their contents.' }),
    verifyUrl: Type.String({
      description:
        'The page where anybody can verify the document, without signing in. It shows nothing about the person.',
    }),
  }),
);

export type EvidenceResponse = Static<typeof EvidenceResponse>;

const evidenceId = '01998a40-2b10-7d41-8e52-6f7081920314';
const kid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';

const evidenceExamples: Examples = {
  evidence: {
    summary: 'A statement with its signature and files',
    value: {
      meta: { request: { timeTakenMs: 9 } },
      data: {
        evidenceId,
        issuedAt: '2026-03-02T11:00:00.000Z',
        kid,
        statement: `{"audit":{"hash":"${'9f'.repeat(32)}","seq":2},"authentication":{"at":null,"method":"none"},"bureauReplies":[],"completedAt":"2026-03-02T10:15:01.204Z","creditReportId":"${creditReportId}","evidenceId":"${evidenceId}","files":[],"isTest":true,"issuedAt":"2026-03-02T11:00:00.000Z","issuer":"https://trefoil.example.com","kid":"${kid}","software":{"document":"0.1.0","merge":"0.1.0"},"tenantId":"01997c2e-5a10-7bd3-9c4e-2f60d81b7a35","tenantName":"Example Claims","type":"trefoil/evidence/1"}`,
        signature: `${'A'.repeat(86)}==`,
        files: [
          {
            name: 'report.json',
            text: '{"salt":"0f1e2d3c4b5a69788796a5b4c3d2e1f0","report":{}}',
            sha256: '3b'.repeat(32),
          },
        ],
        verifyUrl: `https://trefoil.example.com/v/${evidenceId}#${'9f'.repeat(16)}`,
      },
    },
  },
};

export const evidenceOperations = {
  getEvidence: {
    method: 'GET',
    path: '/:tenantId/v1/credit-reports/:creditReportId/evidence',
    tag: 'Credit reports',
    summary: 'Get the evidence of a report',
    description:
      'A signed statement about a complete report, and the files that it names: the report as it was stored, and what each ' +
      'bureau said about each record. Anybody can verify them with our published key, without us. The first request signs ' +
      'the statement; every later one gets the same. Free of charge, for live and test reports.\n\n' +
      'A report that was completed before evidence was kept gets 409 `conflict`, as does one that is not complete. The role ' +
      'finance gets 403. Every read is in the audit log.',
    scope: 'reports:read',
    idempotent: false,
    response: EvidenceResponse,
    responseExamples: evidenceExamples,
    errors: ['credit-report-not-found', 'conflict', 'request-in-progress', 'credit-report-purged'],
  },
} as const satisfies Record<string, Operation>;
