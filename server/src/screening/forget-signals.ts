// Forgets what the requests of one person have left among the sightings, for an erasure. A sighting names no company: those of the
// same person in requests of other companies stay if they were made more than two minutes earlier or later, and go otherwise.
// What is lost then is a part of the counts that screening gets, which are signals and not limits.
import type { AgedRow } from '../lib/postgres/retention.ts';
import type { Tx } from '../lib/postgres/sql.ts';
import { listSignals } from './signals-store.ts';

/** `person` as in `RequestSignals`; `at` is when the request was stored. */
export type Sighted = { readonly person: Buffer; readonly at: Date };

/** A sighting is stored with its request, in one transaction. They are looked up by whole minutes, so up to twice this is deleted. */
const MARGIN_MS = 60_000;

/** As the app role, which may read them and not delete them. */
export function findSignals(tx: Tx, sighted: readonly Sighted[]): Promise<AgedRow[]> {
  return listSignals(
    tx,
    sighted.map(({ person, at }) => ({
      identityHash: person,
      from: new Date(at.getTime() - MARGIN_MS),
      to: new Date(at.getTime() + MARGIN_MS),
    })),
  );
}

/** As the system role, which may delete them and not read them. */
export { deleteSignals as forgetSignals } from './signals-store.ts';
