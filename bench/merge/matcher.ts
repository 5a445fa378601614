// Finds the matcher under test. It is loaded by address at run time and known by its signature alone, so that neither
// the generator nor the scoring can lean on how it works.
import type { SourcedFile } from '../../server/src/bureaus/port.ts';
import type { RegistryEntry } from './lenders.ts';
import type { MergeOutput } from './score.ts';

export type Matcher = (files: readonly SourcedFile[], lenders: readonly RegistryEntry[]) => MergeOutput;

const PLACE = '../../server/src/credit-reports/rules/merge.ts';

/** Throws a sentence a reader can act on when the matcher is missing or is not what the signature promises. */
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
