// Every rule about an answer and its report, shown to fail.
import { expect, test } from 'vitest';
import { faultsOf, type ReportRow } from './judge.ts';
import type { Operation, Told } from './records.ts';

const ID = '01998a3e-7c11-7d22-8a33-4b5c6d7e8f90';
const told = (changes: Partial<Told>): Told => ({
  status: 200,
  ms: 10,
  atMs: 0,
  window: 'quiet',
  hasRetryAfter: false,
  ...changes,
});
const row = (changes: Partial<ReportRow> = {}): ReportRow => ({
  id: ID,
  status: 'complete',
  failure: null,
  charges: 1,
  chargedCredits: 2_000,
  refundedCredits: 0,
  ...changes,
});
const uncharged = { charges: 0, chargedCredits: 0 };

const complete = told({ reportStatus: 'complete', creditReportId: ID, cost: 2_000 });
const failed = told({ reportStatus: 'failed', creditReportId: ID, cost: 0 });
const challenged = told({ reportStatus: 'authentication-required', creditReportId: ID, cost: 2_000 });
const refused = told({ status: 503, code: 'service-unavailable', hasRetryAfter: true });
const named = told({ status: 503, code: 'service-unavailable', hasRetryAfter: true, creditReportId: ID });
const inProgress = told({ status: 409, code: 'request-in-progress' });
const cut = told({ status: 0 });

const rows: readonly (readonly [string, readonly Told[], readonly ReportRow[], readonly string[]])[] = [
  ['complete and charged', [complete], [row()], []],
  ['refused and not there', [refused], [], []],
  ['refused, then complete under its key', [refused, inProgress, complete], [row()], []],
  ['a 503 that names its report', [named], [row()], []],
  ['no answer, whatever became of it', [cut], [row()], []],
  ['no answer, then refused: nobody knows', [cut, refused], [row()], []],
  ['failed and not charged', [failed], [row({ status: 'failed', ...uncharged })], []],
  ['failed and refunded', [failed], [row({ status: 'failed', refundedCredits: 2_000 })], []],
  ['challenged and later complete', [challenged], [row()], []],
  ['500', [told({ status: 500, code: 'internal-error' })], [], ['answered 500 internal-error']],
  ['503 alone', [{ ...refused, hasRetryAfter: false }], [], ['answered 503 without Retry-After']],
  ['complete and not there', [complete], [], ['told of a report that is not there']],
  [
    'complete and charged twice',
    [complete],
    [row({ charges: 2, chargedCredits: 4_000 })],
    ['told complete for 2000 credits, 2 charges, 4000 kept'],
  ],
  [
    'complete and given back',
    [complete],
    [row({ refundedCredits: 2_000 })],
    ['told complete for 2000 credits, 1 charges, 0 kept'],
  ],
  [
    'complete and failed after all',
    [complete],
    [row({ status: 'failed', ...uncharged })],
    ['told complete, is failed', 'told complete for 2000 credits, 0 charges, 0 kept'],
  ],
  ['failed and charged', [failed], [row({ status: 'failed' })], ['told failed for 0 credits, 1 charges, 2000 kept']],
  [
    'challenged and not charged',
    [challenged],
    [row({ status: 'challenged', ...uncharged })],
    ['told authentication-required for 2000 credits, 0 charges of 0'],
  ],
  [
    'refused, and yet there',
    [refused],
    [row({ status: 'failed', ...uncharged })],
    ['refused, and yet there is a report: failed'],
  ],
  ['two reports for one key', [complete], [row(), row({ id: 'other' })], ['2 reports for one request']],
  [
    'two reports told of',
    [complete, { ...complete, creditReportId: 'other' }],
    [row()],
    ['told of 2 reports', 'told of a report that is not there'],
  ],
  ['a 503 that names a report whose commit never arrived', [named], [], []],
  [
    'a 503 that names one whose commit never arrived, then complete',
    [{ ...named, creditReportId: 'other' }, complete],
    [row()],
    [],
  ],
  [
    'given back for want of time, then complete under the same key',
    [{ ...named, creditReportId: 'other' }, complete],
    [row({ id: 'other', status: 'failed', failure: 'reservation-late', ...uncharged }), row()],
    [],
  ],
  ['left open', [named], [row({ status: 'pending', ...uncharged })], ['is still pending']],
];

for (const [name, answers, reports, faults] of rows) {
  test(`${name}: ${faults.length === 0 ? 'nothing is wrong' : faults.join('; ')}`, () => {
    const operation: Operation = {
      tenantId: 'tenant',
      reference: 'reference',
      bureaus: ['equifax'],
      answers: [...answers],
    };
    expect([...faultsOf(operation, reports)]).toEqual(faults);
  });
}
