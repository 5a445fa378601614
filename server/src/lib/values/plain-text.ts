// Texts that people read and bureaus search by (docs/decisions/0164-input-as-people-send-it.md). Both checks are one pass
// over the text.

/** Control characters, lone surrogates, line separators and zero-width characters: invisible, and no file matches them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const LETTER = /\p{L}/u;

export function isPlainText(text: string): boolean {
  return !UNSEEN.test(text);
}

const SHOWN_LENGTH_MAX = 80;

/** For logs and terminals. A name could carry sequences that move the cursor or reverse text: each becomes a question mark. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/** A name that a stranger chose, for logs and terminals. */
export function printableName(name: string): string {
  const shown = printable(name);
  return shown.length > SHOWN_LENGTH_MAX ? `${shown.slice(0, SHOWN_LENGTH_MAX)}…` : shown;
}

export function isPersonName(text: string): boolean {
  return isPlainText(text) && LETTER.test(text);
}
