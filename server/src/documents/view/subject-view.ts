// What is held of a person, for the person to read: every report with its request, its accounts, addresses and searches, its
// messages and its lines of the statement. Pure: the same input gives the same view.
import type { AccountRecord, ExportedSubject, FailureReason, GenerateRequest, HeldReport } from '@trefoil/contract';
import { column, paragraph, row } from './blocks.ts';
import { addressLine } from './coverage.ts';
import { atLondon, durationWords, longDay, shortDay } from './dates.ts';
import { withPlainLetters } from './letters.ts';
import { money } from './money.ts';
import type { Block, Column, Section, View } from './view.ts';
import { AGENCY_NAMES, capital, NOT_GIVEN, STATUS_WORDS, TYPE_WORDS } from './words.ts';

export type SubjectCopy = {
  readonly tenantName: string;
  readonly exported: ExportedSubject;
  readonly preparedAt: string;
};

const TITLE = 'Personal data held';
/** The export as data has every line. */
const LINES_MAX = 100;

const at = (instant: string) => {
  const { day, time } = atLondon(new Date(instant));
  return `${longDay(day)}, ${time}`;
};

const STATUSES: Readonly<Record<HeldReport['status'], string>> = {
  complete: 'Complete',
  'authentication-required': 'Waiting for a code',
  blocked: 'Stopped at screening',
  failed: 'Failed',
  'in-progress': 'In progress',
};

const NO_CODE = 'A code was needed and could not be sent';
const FAILURES: Readonly<Record<FailureReason, string>> = {
  'screening-unavailable': 'The request could not be assessed',
  'device-not-verified': 'The device could not be verified',
  'mobile-missing': `${NO_CODE}: no mobile number was given`,
  'not-a-mobile': `${NO_CODE}: the number is not a mobile number`,
  'country-not-allowed': `${NO_CODE}: the company does not allow the country of the number`,
  'company-number': `${NO_CODE}: the company had sent too many to this number`,
  'company-mistakes': `${NO_CODE}: too many wrong codes for this number`,
  'company-day': `${NO_CODE}: the company had sent its messages of the day`,
  'company-minute': `${NO_CODE}: the company was sending too many messages`,
  'not-deliverable': NO_CODE,
  'no-bureau-answered': 'No agency answered',
  interrupted: 'The request was interrupted',
  'reservation-late': 'The service was too busy',
  'attempts-used': 'All attempts at the code were used',
  expired: 'No right code came in time',
};

type List = {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
};

function listed({ caption, columns, rows }: List): Block[] {
  if (rows.length === 0) return [];
  const left = rows.length - LINES_MAX;
  return [
    { kind: 'table', caption, columns, rows: rows.slice(0, LINES_MAX).map(row) },
    ...(left > 0 ? [paragraph(`${left.toLocaleString('en-GB')} more are in the export as data.`, 'quiet')] : []),
  ];
}

function requestRows(request: GenerateRequest): (readonly [string, string])[] {
  const { title, firstName, middleName, lastName, gender, email, mobileNumber, externalReference } = request;
  const optional = [
    ...([['Gender', gender]] as const),
    ...([['E-mail', email]] as const),
    ...([['Mobile number', mobileNumber]] as const),
    ...([['Reference of the company', externalReference]] as const),
  ];
  return [
    ['Name', [title, firstName, middleName, lastName].filter(Boolean).join(' ')],
    ['Date of birth', longDay(request.dateOfBirth)],
    ...request.addresses.map(({ type, ukAddress }) => [`${capital(type)} address`, addressLine(ukAddress)] as const),
    ...optional.flatMap(([what, value]) => (value === undefined ? [] : [[what, value] as const])),
    ['IP address', request.ipAddress],
    ['Agencies', request.bureaus.map((bureau) => AGENCY_NAMES[bureau]).join(', ')],
  ];
}

function courseRows(report: HeldReport): (readonly [string, string])[] {
  const { settledAt, failureReason, screeningReasons, challenge, evidence } = report;
  const rows: (readonly [string, string | undefined])[] = [
    ['Ended', settledAt === null ? undefined : at(settledAt)],
    ['Why it failed', failureReason === null ? undefined : FAILURES[failureReason]],
    ['What the screening found', screeningReasons.length > 0 ? screeningReasons.join(', ') : undefined],
    ['Wrong codes', challenge ? String(challenge.attemptsUsed + challenge.lateAttempts) : undefined],
    ['Last code requested', challenge ? at(challenge.lastSentAt) : undefined],
    ['Right code', challenge?.completedAt ? at(challenge.completedAt) : undefined],
    ['Signed statement', evidence ? `${evidence.evidenceId}, ${at(evidence.issuedAt)}` : undefined],
  ];
  return rows.flatMap(([what, value]) => (value === undefined ? [] : [[what, value] as const]));
}

const accountRow = (record: AccountRecord) => [
  record.companyName ?? NOT_GIVEN,
  TYPE_WORDS[record.accountType],
  record.accountNumber ?? NOT_GIVEN,
  record.startDate === null ? NOT_GIVEN : shortDay(record.startDate),
  STATUS_WORDS[record.accountStatus],
  record.balance === null ? NOT_GIVEN : money(record.balance.amount),
  [...new Set(record.bureaus.map(({ id }) => AGENCY_NAMES[id]))].join(', '),
];

function reportBlocks({ creditReport }: HeldReport): Block[] {
  if (!creditReport) return [];
  return [
    ...listed({
      caption: 'Accounts',
      columns: [
        ...[column('Lender', 0.22), column('Kind', 0.16), column('Number', 0.14), column('Started', 0.13)],
        ...[column('Status', 0.11), column('Balance', 0.11, 'end'), column('Reported by', 0.13)],
      ],
      rows: creditReport.consumerData.records.map(accountRow),
    }),
    ...listed({
      caption: 'Addresses on file',
      columns: [column('Address', 0.64), column('Time there', 0.22), column('Current?', 0.14)],
      rows: creditReport.residencies.map(({ address, yearsAtAddress, monthsAtAddress, isCurrent }) => [
        address.lines.join(', '),
        durationWords(yearsAtAddress, monthsAtAddress) ?? NOT_GIVEN,
        isCurrent ? 'Current' : 'Previous',
      ]),
    }),
    ...listed({
      caption: 'Earlier searches',
      columns: [column('Company that looked at a file', 0.64), column('Date', 0.36)],
      rows: creditReport.previousSearches.providers.flatMap(({ companyName, records }) =>
        records.map(({ date }) => [companyName, longDay(date)]),
      ),
    }),
  ];
}

function reportSection(report: HeldReport, place: number): Section {
  const { request, messages, statementLines } = report;
  return {
    id: `report-${place + 1}`,
    title: `Report of ${at(report.createdAt)}${report.test ? ' (test)' : ''}`,
    blocks: [
      paragraph(`${report.creditReportId}. ${STATUSES[report.status]}.`),
      ...listed({
        caption: 'What became of it',
        columns: [column('What', 0.35), column('Result (UK time)', 0.65)],
        rows: courseRows(report),
      }),
      ...(request
        ? listed({
            caption: 'What the company sent',
            columns: [column('What', 0.25), column('As given', 0.75)],
            rows: requestRows(request),
          })
        : [paragraph('The request can no longer be opened.')]),
      ...reportBlocks(report),
      ...listed({
        caption: 'Text messages with a code',
        columns: [column('Sent (UK time)', 0.5), column('State', 0.5)],
        rows: messages.map(({ state, sentAt }) => [at(sentAt), capital(state)]),
      }),
      ...listed({
        caption: 'Lines in the company’s statement, which the law keeps',
        columns: [column('Line', 0.2), column('Posted (UK time)', 0.5), column('Credits', 0.3, 'end')],
        rows: statementLines.map(({ id, amount, createdAt }) => [
          ...[id, at(createdAt), amount.toLocaleString('en-GB').replace('-', '−')],
        ]),
      }),
    ],
  };
}

/** Newest first. */
function spanOf(reports: readonly HeldReport[]): string {
  const [newest, oldest] = [reports.at(0), reports.at(-1)];
  return newest && oldest ? `, of ${at(newest.createdAt)} and back to ${at(oldest.createdAt)} (UK time)` : '';
}

export function buildSubjectView({ tenantName, exported, preparedAt }: SubjectCopy): View {
  const { total, reports } = exported;
  const request = reports.find((report) => report.request !== null)?.request;
  const count = `${total.toLocaleString('en-GB')} ${total === 1 ? 'report' : 'reports'}`;
  const name = request ? `${request.firstName} ${request.lastName}, born ${longDay(request.dateOfBirth)}` : tenantName;
  return withPlainLetters<View>({
    ...{ language: 'en-GB', title: TITLE, notice: null, subject: name },
    prepared: `Held for ${tenantName}. Prepared on ${at(preparedAt)} (UK time).`,
    glance: {
      headline: `${count} held`,
      points:
        reports.length < total
          ? [`This document has ${reports.length} of them${spanOf(reports)}. The export as data has all of them.`]
          : ['This document has all of them.'],
    },
    sections: reports.map(reportSection),
    footer: `${TITLE}. Confidential: personal data.`,
    pageWords: 'Page {page} of {pages}',
    datedAt: preparedAt,
  });
}
