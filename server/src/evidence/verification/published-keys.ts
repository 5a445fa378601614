// The keys as they are published, and their reading from a file (docs/decisions/0221-evidence-keys.md). The verification page has
// them from the server.
import { type Canonical, readRestricted } from '../rules/canonical-json.ts';

/** A JSON Web Key with the time in which it signed. */
export type PublishedKey = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  readonly validFrom: string;
  /** Null while it signs. */
  readonly validUntil: string | null;
  /** Null unless it was lost or stolen. */
  readonly revokedAt: string | null;
};

/** Throws for a text that is not a list of keys as we publish it. */
export function readPublishedKeys(text: string): PublishedKey[] {
  const document = readRestricted(text) as { keys?: Canonical } | null;
  const keys = Array.isArray(document?.keys) ? (document.keys as Partial<PublishedKey>[]) : [];
  const isInstant = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
  const isKey = ({ kty, crv, x, kid, validFrom, validUntil, revokedAt }: Partial<PublishedKey>) =>
    kty === 'OKP' &&
    crv === 'Ed25519' &&
    typeof x === 'string' &&
    typeof kid === 'string' &&
    isInstant(validFrom) &&
    (validUntil === null || isInstant(validUntil)) &&
    (revokedAt === null || isInstant(revokedAt));
  if (keys.length === 0 || !keys.every(isKey)) throw new SyntaxError('not a list of evidence keys');
  return keys as PublishedKey[];
}
