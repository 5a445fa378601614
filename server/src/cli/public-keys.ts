// Reads the public key file of a command; lib/crypto/public-keys.ts validates its content.
import { judgeKeySet } from '../lib/crypto/public-keys.ts';
import { Refusal } from './command.ts';
import { loadText } from './files.ts';

const WORDS = { whole: 'The file of --public-keys', one: '--public-keys' };

export async function readPublicKeys(path: string): Promise<readonly object[]> {
  return parsePublicKeys(await loadText(path, 'public-keys'));
}

export function parsePublicKeys(content: string): readonly object[] {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    // The parser's own message quotes the text, which could be a private key in another form.
    throw new Refusal('The file of --public-keys is not JSON; it must hold a JSON Web Key Set.');
  }
  const judged = judgeKeySet(document, WORDS);
  if ('fault' in judged) throw new Refusal(judged.fault);
  return judged.keys;
}
