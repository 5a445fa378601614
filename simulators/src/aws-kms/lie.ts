// Well-formed answers that are wrong: what a client must notice without help from the wire.
import { randomBytes } from 'node:crypto';
import type { Behaviours } from '../behaviours.ts';

/** `lie=length` (the default) cuts the plaintext by a byte; `lie=key` changes its bytes; `lie=id` names another key. */
export function lie(result: object, behaviours: Behaviours): object {
  const kind = behaviours.get('lie');
  if (kind === undefined) return result;
  const { Plaintext, KeyId } = result as Record<string, unknown>;
  switch (kind) {
    case 'empty':
      return {};
    case 'id':
      return typeof KeyId === 'string' ? { ...result, KeyId: `${KeyId.slice(0, -12)}${'0'.repeat(12)}` } : result;
    case 'type':
      return typeof Plaintext === 'string' ? { ...result, Plaintext: 42 } : result;
    default: {
      if (typeof Plaintext !== 'string') return result;
      const bytes = Buffer.from(Plaintext, 'base64');
      const wrong = kind === 'key' ? randomBytes(bytes.length) : bytes.subarray(1);
      return { ...result, Plaintext: wrong.toString('base64') };
    }
  }
}
