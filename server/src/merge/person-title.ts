// The title of the person in the request, if the caller gave none: the title that most accounts under exactly that name
// have. Pure. Accounts under another name do not count: they may be a partner's, or from before a marriage
// (docs/decisions/0161-spelling-and-precision.md).
import type { GenerateRequest } from '@trefoil/contract';
import type { SourcedFile } from '../bureaus/port.ts';
import { inBureauOrder } from './bureau-order.ts';
import { spelledBest } from './spelling.ts';

const fold = (text: string | null) => (text ?? '').normalize('NFC').trim().toLowerCase();

export function titleFromFiles(
  { firstName, lastName }: Pick<GenerateRequest, 'firstName' | 'lastName'>,
  files: readonly SourcedFile[],
): string | null {
  const [first, last] = [fold(firstName), fold(lastName)];
  const told = files
    .toSorted(inBureauOrder)
    // Sorted, so that the order of a bureau's rows does not matter.
    .flatMap(({ file }) =>
      file.accounts
        .flatMap(({ title, ...name }) =>
          title !== null && fold(name.firstName) === first && fold(name.lastName) === last ? [title] : [],
        )
        .toSorted(),
    );
  let best: readonly string[] = [];
  for (const same of Map.groupBy(told, fold).values()) if (same.length > best.length) best = same;
  return best[0] === undefined ? null : spelledBest(best[0], best);
}
