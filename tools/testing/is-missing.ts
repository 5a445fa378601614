/** For `skipIf`: says why, since a run that leaves tests out in silence looks like one that ran them. */
export function isMissing(what: string, isThere: boolean): boolean {
  if (!isThere) console.warn(`SKIPPED: some tests of this file need ${what}.`);
  return !isThere;
}
