// Finds the matcher under test. It is loaded by its path at run time and known only by its signature, so that neither
// the generator nor the scoring can depend on how it works.
import type { SourcedFile } from '../../server/src/bureaus/port.ts';
import type { RecordsOutput } from './fields.ts';
import type { RegistryEntry } from './lenders.ts';

export type Matcher = (files: readonly SourcedFile[], lenders: readonly RegistryEntry[]) => RecordsOutput;

const PLACE = '../../server/src/merge/merge.ts';

/** Throws an actionable sentence when the matcher is missing or does not have the promised signature. */
export async function loadMatcher(): Promise<Matcher> {
  const address = new URL(PLACE, import.meta.url).href;
  let loaded: { mergeAccounts?: unknown };
  try {
    loaded = await import(/* @vite-ignore */ address);
  } catch (cause) {
    throw new Error(`the matcher could not be loaded from ${PLACE.replaceAll('../', '')}: ${String(cause)}`, { cause });
  }
  if (typeof loaded.mergeAccounts !== 'function') {
    throw new Error(`${PLACE.replaceAll('../', '')} does not export a function mergeAccounts`);
  }
  return loaded.mergeAccounts as Matcher;
}
