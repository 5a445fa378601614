// Bytes from outside as text. A byte that is not UTF-8 spoils the whole reply: replaced by a sign, it would be a name
// that nobody has.
import { unintelligible } from './outside-fault.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

export function readUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return unintelligible('not UTF-8');
  }
}
