// A consumer's rights: what a company holds of a person, as a list, as data and as a document, and its erasure
// (docs/decisions/0261-a-person-is-found-by-a-keyed-hash.md, 0262-erasure-with-a-receipt.md). Who the person is stands in the
// body of the request and never in its address.
import { type Static, Type } from 'typebox';
import { CreditReport } from './credit-report.ts';
import { unmetered } from './envelope.ts';
import { creditReportId, type Examples, generateRequestExamples, traced } from './examples.ts';
import type { Operation } from './operation.ts';
import { GenerateRequest } from './requests.ts';
import { BureauResult, ChallengeSend, failureReason } from './responses.ts';
import { GivenId, Instant, oneOf, orNull, text, Uuid } from './schema.ts';
import { ENTRY_KINDS, REPORT_SOURCES, REPORT_STATUSES } from './vocabulary.ts';

/** Reports that a search lists, an export has on a page, and an erasure takes at a time. */
export const SUBJECT_LISTED_MAX = 100;
export const SUBJECT_PAGE = 10;
export const SUBJECT_ERASED_MAX = 500;

const who = {
  firstName: Type.String({
    ...text('First name. Case, accents, spaces, hyphens and apostrophes do not matter.'),
    format: 'person-name',
  }),
  lastName: Type.String({ ...text('Last name, compared in the same way.'), format: 'person-name' }),
  dateOfBirth: Type.String({ 'x-trim': true, format: 'adult-date', description: 'YYYY-MM-DD.' }),
  postcode: Type.String({
    'x-trim': true,
    format: 'uk-postcode',
    description: 'The postcode of any address that the report knows of the person, in any case and spacing.',
  }),
};

export const SubjectRequest = Type.Object(who);
export const ExportSubjectRequest = Type.Object({
  ...who,
  cursor: Type.Optional(GivenId('`nextCursor` of the page before; the first page if left out.')),
});

const reportId = Uuid('The report.');
const total = Type.Integer({ minimum: 0, description: 'How many reports of the person there are.' });
const facts = {
  creditReportId: reportId,
  status: oneOf(REPORT_STATUSES, { description: '`in-progress` only while a request is working on it.' }),
  test: Type.Boolean({ description: 'Whether the report was requested in test mode.' }),
  createdAt: Instant('When the report was requested.'),
};

export const SubjectReport = Type.Object(facts);

export const SubjectLine = Type.Object(
  {
    id: Type.String({ description: '`id` of the line in the statement of the wallet.' }),
    kind: oneOf(ENTRY_KINDS, { description: 'What moved the credits.' }),
    amount: Type.Integer({ description: 'Effect on the wallet in credits: negative for a charge.' }),
    createdAt: Instant('When it was posted.'),
  },
  {
    description:
      'A line of the statement. It names the report and not the person, and stays when the report is erased.',
  },
);

const HeldChallenge = Type.Object({
  challengeId: Uuid('The challenge.'),
  attemptsUsed: Type.Integer({ minimum: 0, maximum: 3, description: 'How many wrong codes were tried.' }),
  lateAttempts: Type.Integer({ minimum: 0, description: 'How many other codes came after the right one.' }),
  messagesSent: Type.Integer({ minimum: 1, maximum: 3, description: 'How many text messages were requested.' }),
  lastSentAt: Instant('When the last of them was requested.'),
  completedAt: orNull(Instant('When the right code came.'), {
    description: 'When the right code came; null if none came.',
  }),
});

const HeldEvidence = Type.Object({
  evidenceId: Uuid('The evidence.'),
  issuedAt: Instant('When the statement was signed.'),
  kid: Type.String({ description: 'The key that signed.' }),
  statement: Type.String({
    description: 'What was signed, as text. The files that it names are `creditReport` and `provenance`, with salts.',
  }),
  signature: Type.String({ description: 'Ed25519 over the bytes of `statement`, in base64.' }),
});

export const HeldReport = Type.Object({
  ...facts,
  source: oneOf(REPORT_SOURCES, { description: 'Where it was requested. New sources may be added.' }),
  settledAt: orNull(Instant('When it ended.'), {
    description: 'When it ended; null before, and for reports of releases that kept no time.',
  }),
  failureReason: orNull(failureReason, { description: 'Why it failed; null for every other status.' }),
  screeningReasons: Type.Array(Type.String(), {
    description:
      'Codes of what the screening found, as it gave them, such as why a report was blocked or a code was asked for. Empty if it ' +
      'gave none, and in test mode.',
  }),
  challenge: orNull(HeldChallenge, { description: 'Its challenge; null without one.' }),
  evidence: orNull(HeldEvidence, { description: 'The signed statement about it; null if none was asked for.' }),
  request: orNull(GenerateRequest, {
    description: 'The request as it is stored; null if it can no longer be opened.',
  }),
  bureauResults: orNull(Type.Array(BureauResult), {
    description: 'The outcome of each bureau; null if none was asked.',
  }),
  creditReport: orNull(CreditReport, { description: 'The report; null unless it is complete.' }),
  provenance: orNull(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'What each bureau said about each record.',
    }),
    { description: 'Null where none was kept.' },
  ),
  messages: Type.Array(ChallengeSend, { description: 'The text messages of its challenge, oldest first.' }),
  statementLines: Type.Array(SubjectLine, { description: 'The lines of the statement about it, newest first.' }),
});

export const FoundSubjectResponse = unmetered(
  Type.Object({
    total,
    reports: Type.Array(SubjectReport, {
      description: `Newest first; at most the newest ${SUBJECT_LISTED_MAX}.`,
    }),
  }),
);

export const ExportedSubjectResponse = unmetered(
  Type.Object({
    total,
    reports: Type.Array(HeldReport, { description: `Newest first, ${SUBJECT_PAGE} on a page.` }),
    nextCursor: orNull(Uuid('Where the next page begins.'), {
      description: 'Send it as `cursor` to get the next page; null on the last one.',
    }),
  }),
);

export const ErasedSubjectResponse = unmetered(
  Type.Object({
    erasureId: Uuid('The erasure. It is in the receipt and in the audit log.'),
    erased: Type.Integer({ minimum: 0, description: 'How many reports were erased.' }),
    remaining: Type.Integer({
      minimum: 0,
      description: `How many are left: one call erases at most ${SUBJECT_ERASED_MAX}. Send the request again until it is 0.`,
    }),
    receipt: Type.String({
      description:
        'What was signed, as text: canonical JSON (RFC 8785) with ids, counts and times, and nothing about the person. It names ' +
        'the lines of the statement that the law keeps. Its bytes in UTF-8 are signed exactly as they are.',
    }),
    signature: Type.String({
      pattern: '^[A-Za-z0-9+/]{86}==$',
      description: 'Ed25519 (RFC 8032) over the bytes of `receipt`: 64 bytes in base64.',
    }),
    kid: Type.String({
      description: 'The key that signed, as `/.well-known/trefoil-evidence-keys.json` lists it (RFC 7638 thumbprint).',
    }),
  }),
);

export type SubjectRequest = Static<typeof SubjectRequest>;
export type ExportSubjectRequest = Static<typeof ExportSubjectRequest>;
export type SubjectReport = Static<typeof SubjectReport>;
export type SubjectLine = Static<typeof SubjectLine>;
export type HeldReport = Static<typeof HeldReport>;
export type FoundSubject = Static<typeof FoundSubjectResponse>['data'];
export type ExportedSubject = Static<typeof ExportedSubjectResponse>['data'];
export type ErasedSubject = Static<typeof ErasedSubjectResponse>['data'];

const person = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1984-03-09', postcode: 'HR10 2AB' };
const bodyExamples: Examples = { person: { summary: 'A consumer', value: person } };
const answer = (summary: string, data: object): Examples => ({
  example: { summary, value: { meta: { request: { timeTakenMs: 12 } }, data } },
});
const report = { creditReportId, status: 'complete', test: false, createdAt: '2026-03-01T10:15:00.123Z' };
const erasureId = '01998b50-3c20-7e52-9f63-7a8192a3b4c5';
const kid = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';

const inSubjects = { method: 'POST', tag: 'Subjects', scope: 'subjects:write', idempotent: false } as const;
const SEARCH =
  'Searches the reports of the company, live and test, for this name, birth date and postcode. One of the names and one of the ' +
  'addresses of the report must match, as they were requested or as the bureaus gave them. ';
const NOT_YET =
  '503 with Retry-After while the service has not looked at all older reports yet, which takes minutes after an upgrade, and while ' +
  'the key service does not answer. ';

export const subjectOperations = {
  findSubject: {
    ...inSubjects,
    path: '/:tenantId/v1/subjects/find',
    summary: 'Find the reports of a consumer',
    description: `${SEARCH}${NOT_YET}A test-only credential finds test reports alone. Every search is in the audit log, without the person.`,
    body: SubjectRequest,
    bodyExamples,
    response: FoundSubjectResponse,
    responseExamples: answer('One report', { total: 1, reports: [report] }),
    errors: [],
  },
  exportSubject: {
    ...inSubjects,
    path: '/:tenantId/v1/subjects/export',
    summary: 'Export what is held of a consumer',
    description:
      `${SEARCH}The answer is what the service holds of the person in these reports: requests, reports, what each bureau said, why a ` +
      'report was blocked or failed, challenges, messages, evidence and lines of the statement. Not in it: rows of the audit log and ' +
      'events, which have ids, and keyed hashes, which hold nothing that can be read. ' +
      `${NOT_YET}Every page is in the audit log.`,
    body: ExportSubjectRequest,
    bodyExamples,
    response: ExportedSubjectResponse,
    responseExamples: answer('One report, with all that belongs to it', {
      total: 1,
      reports: [
        {
          ...report,
          source: 'api',
          settledAt: '2026-03-01T10:15:02.480Z',
          failureReason: null,
          screeningReasons: [],
          challenge: null,
          evidence: null,
          request: Object.values(generateRequestExamples)[0]?.value ?? null,
          bureauResults: traced.bureauResults,
          creditReport: traced.creditReport,
          provenance: null,
          messages: [],
          statementLines: [{ id: '7', kind: 'report-charge', amount: -2_000, createdAt: '2026-03-01T10:15:02.480Z' }],
        },
      ],
      nextCursor: null,
    }),
    errors: [],
  },
  exportSubjectDocument: {
    ...inSubjects,
    path: '/:tenantId/v1/subjects/export-document',
    summary: 'Export what is held of a consumer as a PDF',
    description:
      `The same for people to read (PDF/UA-1 and PDF/A-3a): ${SUBJECT_PAGE} reports, the newest unless you send the \`nextCursor\` of an ` +
      'export as `cursor`, and of each list of a report the first 100 lines; the document says if there are more. It does not have what ' +
      'each bureau said about each record, nor the text of signed statements: the export as data has them. 404 `not-found` if nothing is ' +
      'held. On one node a few dozen documents may wait, two of these of them yours: beyond that the ' +
      `answer is 503 with Retry-After. ${NOT_YET}Every document is in the audit log.`,
    body: ExportSubjectRequest,
    bodyExamples,
    response: Type.String({ description: 'The PDF.' }),
    responseExamples: { pdf: { summary: 'The beginning of a PDF', value: '%PDF-1.7' } },
    mediaTypes: ['application/pdf'],
    errors: ['not-found'],
  },
  eraseSubject: {
    ...inSubjects,
    path: '/:tenantId/v1/subjects/erase',
    summary: 'Erase what is held of a consumer',
    description:
      'Erases the reports that a search finds, for good: requests, reports, what bureaus said, references, and the hashes of the ' +
      'person and the device. What stays is named in a signed receipt: lines of the statement, ids, times and outcomes, and for 25 ' +
      'hours the counts that limit codes to a number. ' +
      'The request can be repeated: what is erased stays erased, and a receipt over no report says that nothing is held. Nothing is ' +
      `erased, and the answer is 409, while a report of the person is in progress or waits for a code. ${NOT_YET}` +
      'A backup from before still has the reports until it expires or its key is destroyed. The audit log has a row for the ' +
      'erasure and one for each report.',
    needsStepUp: true,
    body: SubjectRequest,
    bodyExamples,
    response: ErasedSubjectResponse,
    responseExamples: answer('One report was erased', {
      ...{ erasureId, erased: 1, remaining: 0 },
      receipt: `{"creditReportIds":["${creditReportId}"],"erasedAt":"2026-03-02T09:00:00.000Z","erasureId":"${erasureId}"}`,
      signature: `${'A'.repeat(86)}==`,
      kid,
    }),
    errors: ['request-in-progress'],
  },
} as const satisfies Record<string, Operation>;
