// The whole report from the bureaus' files: person, residencies, accounts, searches. It does not handle the case that
// no bureau answered: the caller decides that.
import type { CreditReport, GenerateRequest } from '@trefoil/contract';
import type { SourcedFile } from '../bureaus/port.ts';
import type { LenderRegistry } from './matching/lender-registry.ts';
import { type MergedRecord, mergeAccounts } from './merge.ts';
import { mergeResidencies } from './merge-residencies.ts';
import { mergeSearches } from './merge-searches.ts';
import { titleFromFiles } from './person-title.ts';

export type ReportRequest = Pick<
  GenerateRequest,
  'title' | 'firstName' | 'middleName' | 'lastName' | 'dateOfBirth' | 'addresses'
>;

export type MergedReport = {
  readonly report: CreditReport;
  /** The same accounts with the reasons for their merge. */
  readonly merged: readonly MergedRecord[];
};

export function mergeReport(
  request: ReportRequest,
  files: readonly SourcedFile[],
  registry: LenderRegistry,
): MergedReport {
  const { records: merged } = mergeAccounts(files, registry);
  return {
    report: {
      person: {
        title: request.title ?? titleFromFiles(request, files),
        firstName: request.firstName,
        lastName: request.lastName,
        dateOfBirth: request.dateOfBirth,
      },
      residencies: mergeResidencies(request, files),
      consumerData: { records: merged.map(({ record }) => record) },
      previousSearches: { providers: mergeSearches(files, registry) },
    },
    merged,
  };
}
