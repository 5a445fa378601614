// Guesses what the caller meant: the known word with the fewest edits from the given one.

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** Undefined when no word is near: a far-fetched guess does not help. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  // No known word is longer than this, and the distance costs the product of the lengths.
  if (word.length > 40) return undefined;
  const ranked = known
    .map((each) => ({ each, distance: editDistance(word, each) }))
    .filter(({ each, distance }) => distance <= Math.max(2, Math.floor(each.length / 3)) && distance < each.length)
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.each;
}
