// What a reader may see of a report, beyond the scopes.
import type { Role, Scope } from '@trefoil/contract';

/**
 * Finance sees that a report exists and its outcome, but nothing about the consumer
 * (docs/decisions/0027-scopes-and-roles.md).
 */
export const mayOpen = ({ role }: { readonly role: Role | undefined }) => role !== 'finance';

export type Reader = {
  readonly role: Role | undefined;
  readonly scopes: ReadonlySet<Scope>;
  readonly isTestOnly: boolean;
};

/** The reference of a report: only for a reader who may open the report itself. */
export const maySeeReference = (reader: Omit<Reader, 'isTestOnly'>) =>
  reader.scopes.has('reports:read') && mayOpen(reader);

/** In the statement of live mode (docs/decisions/0170-the-statement-as-a-file.md). */
export const maySeeLiveReference = (reader: Reader) => maySeeReference(reader) && !reader.isTestOnly;
