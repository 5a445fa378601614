// Names of people as a reader expects them. Bureaus often write them in capitals; lenders' names are never changed.

const isShouted = (text: string) => text === text.toUpperCase() && /\p{Lu}{2}/u.test(text);

const raised = (text: string) =>
  text
    .toLowerCase()
    // A single letter before an apostrophe belongs to the name: O'Dowd, D'Souza. Other letters after one do not: James's.
    .replace(/(^|[\s-])(\p{L}['’])?(\p{L})/gu, (_, gap: string, prefix: string | undefined, letter: string) =>
      [gap, prefix?.toUpperCase() ?? '', letter.toUpperCase()].join(''),
    )
    .replace(/(^|[\s-])Mc(\p{L})/gu, (_, gap: string, letter: string) => `${gap}Mc${letter.toUpperCase()}`);

/** In the consumer's own spelling where it is the same name, else in title case where it was shouted. */
export function calmName(text: string, own: string | null): string {
  if (own !== null && text.toLowerCase() === own.toLowerCase()) return own;
  return isShouted(text) ? raised(text) : text;
}

type Named = { readonly title: string | null; readonly firstName: string | null; readonly lastName: string | null };

/** The name on an account; null if it has none. */
export function holderName(record: Named, own: Named): string | null {
  const parts = (['title', 'firstName', 'lastName'] as const).flatMap((part) => {
    const text = record[part];
    return text === null || text === '' ? [] : [calmName(text, own[part])];
  });
  return parts.length === 0 ? null : parts.join(' ');
}
