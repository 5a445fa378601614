// Decodes bytes from outside. One byte that is not UTF-8 invalidates the whole reply: with a replacement character in it, a
// name would be no person's name.
import { unintelligible } from './outside-fault.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

export function readUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return unintelligible('not UTF-8');
  }
}
