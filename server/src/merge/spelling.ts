// If one bureau writes a name in capitals and another as people write it, the report shows the second. It chooses among
// the spellings received and never makes a new one (docs/decisions/0161-spelling-and-precision.md). Pure.

const isMixed = (text: string) => text !== text.toUpperCase() && text !== text.toLowerCase();

/** The chosen text, or the first of the others that differs only in case and has both cases. */
export function spelledBest(chosen: string, others: Iterable<string | null>): string {
  if (isMixed(chosen)) return chosen;
  const folded = chosen.toLowerCase();
  for (const other of others) {
    if (other !== null && isMixed(other) && other.toLowerCase() === folded) return other;
  }
  return chosen;
}
