// How a recovery code is written and read: sixty bits in letters that people do not confuse with one another.
export const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
export const RECOVERY_LENGTH = 12;

/** Groups of four are easy to copy. */
export function writeRecoveryCode(letters: string): string {
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** Only the letters, without the separators; o, i and l are read as the digits they look like. */
export function readRecoveryCode(text: string): string | undefined {
  const letters = text.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  const isCode =
    letters.length === RECOVERY_LENGTH && [...letters].every((letter) => RECOVERY_ALPHABET.includes(letter));
  return isCode ? letters : undefined;
}
