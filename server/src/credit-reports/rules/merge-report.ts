// The whole report out of the files that came: person, residencies, accounts, searches. An account list that is empty
// because no bureau answered is not made here: the caller decides what that is.
import type { CreditReport, GenerateRequest } from '@trefoil/contract';
import type { SourcedFile } from '../../bureaus/port.ts';
import type { LenderRegistry } from './lender-registry.ts';
import { type MergedRecord, mergeAccounts } from './merge.ts';
import { mergeResidencies } from './merge-residencies.ts';
import { mergeSearches } from './merge-searches.ts';

export type ReportRequest = Pick<GenerateRequest, 'title' | 'firstName' | 'lastName' | 'dateOfBirth' | 'addresses'>;

export type MergedReport = {
  readonly report: CreditReport;
  /** The same accounts with why they are what they are. */
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
        title: request.title ?? null,
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
