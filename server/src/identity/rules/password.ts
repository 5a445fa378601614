// What a person may choose as a password (docs/decisions/0128-passwords.md): only length and obvious choices are checked.
// There is no rule about kinds of characters, which makes passwords worse.
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export type PasswordFault = 'too-short' | 'too-long' | 'too-simple' | 'like-email';

/** One text for all the ways a keyboard can write it: the same password typed on another device must match. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

const DIFFERENT_CHARACTERS_MIN = 4;
const EMAIL_PART_MIN = 4;

/** True for `abcabcabcabc` and `aaaaaaaaaaaa`: a short text written again and again. */
function isRepetition(text: string): boolean {
  for (let length = 1; length <= text.length / 2; length += 1) {
    if (text.length % length === 0 && text.slice(0, length).repeat(text.length / length) === text) return true;
  }
  return false;
}

/** True for `abcdefghijkl` and `987654321098`: each character one step from the one before it. */
function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const isStep = (step: number) =>
    codes.every((code, index) => {
      const before = codes[index - 1];
      if (before === undefined) return true;
      const isWrap = (before === 0x39 && code === 0x30) || (before === 0x30 && code === 0x39);
      return code - before === step || isWrap;
    });
  return isStep(1) || isStep(-1);
}

/** Undefined when the password is acceptable. The address may be in any case. */
export function findPasswordFault(password: string, email: string): PasswordFault | undefined {
  const normal = normalizePassword(password);
  const length = [...normal].length;
  if (length < PASSWORD_LENGTH_MIN) return 'too-short';
  if (length > PASSWORD_LENGTH_MAX) return 'too-long';
  const lower = normal.toLowerCase();
  const address = email.toLowerCase();
  const [mailbox = '', domain = ''] = address.split('@');
  // Without the parts of the address, the rest of the password must still be more than decoration.
  const rest = [address, mailbox, domain]
    .filter((part) => part.length >= EMAIL_PART_MIN)
    .reduce((text, part) => text.replaceAll(part, ''), lower);
  if (rest !== lower && [...rest].length < PASSWORD_LENGTH_MIN / 2) return 'like-email';
  const isPlain = new Set(lower).size < DIFFERENT_CHARACTERS_MIN;
  return isPlain || isRepetition(lower) || isSequence(lower) ? 'too-simple' : undefined;
}
