// The tokens in the links of our mails: an id and its keyed hash. They are derived when a mail is written and checked
// when a person follows the link, so none is ever stored. The row of that id says whether the link is still valid.
import { timingSafeEqual } from 'node:crypto';
import { createKeyedHash } from '../lib/crypto/keyed-hash.ts';
import { isUuid } from '../lib/ids.ts';

export type LinkKind = 'invitation' | 'password-reset';

export interface LinkTokens {
  make(kind: LinkKind, id: string): string;
  /** The id, or undefined for a token that this server did not make for this kind of link. */
  read(kind: LinkKind, token: string): string | undefined;
}

export function createLinkTokens(key: Buffer): LinkTokens {
  const hash = createKeyedHash(key, 'mail-link');
  return {
    make: (kind, id) => `${id}.${hash(kind, id).toString('base64url')}`,
    read(kind, token) {
      const [id = '', proof = '', ...rest] = token.split('.');
      if (!isUuid(id) || rest.length > 0) return undefined;
      const expected = Buffer.from(hash(kind, id).toString('base64url'));
      const given = Buffer.from(proof);
      // Compared as texts, since several texts decode to the same bytes; in constant time, so that timing helps no guesser.
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
    },
  };
}
