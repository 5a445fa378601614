// The tokens in the links of our mails: an id and its keyed hash. They are derived when a mail is written and checked
// when a person follows the link, so none is ever stored. The row of that id says whether the link is still valid.
import { createRingHash, isOneOf } from '../lib/crypto/hash-ring.ts';
import { isUuid } from '../lib/ids.ts';

export type LinkKind = 'invitation' | 'password-reset' | 'first-factor';

export interface LinkTokens {
  make(kind: LinkKind, id: string): string;
  /** The id, or undefined for a token that this server did not make for this kind of link. */
  read(kind: LinkKind, token: string): string | undefined;
}

/** The first key makes tokens; those of every key are accepted. */
export function createLinkTokens(keys: Parameters<typeof createRingHash>[0]): LinkTokens {
  const hash = createRingHash(keys, 'mail-link');
  return {
    make: (kind, id) => `${id}.${hash(kind, id).toString('base64url')}`,
    read(kind, token) {
      const [id = '', proof = '', ...rest] = token.split('.');
      if (!isUuid(id) || rest.length > 0) return undefined;
      const given = Buffer.from(proof, 'base64url');
      // Several texts decode to the same bytes: only one of them is the token.
      if (given.toString('base64url') !== proof) return undefined;
      return isOneOf(given, hash.every(kind, id)) ? id : undefined;
    },
  };
}
