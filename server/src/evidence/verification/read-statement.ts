// Reads a statement strictly. The verification page runs it too, so the function is whole in itself and is given the others
// that it calls (verifier.ts).
import type { readRestricted, writeCanonical } from '../rules/canonical-json.ts';
import type { Statement } from '../rules/statement.ts';

export type Texts = { readonly readRestricted: typeof readRestricted; readonly writeCanonical: typeof writeCanonical };

/** Undefined unless the bytes are the one text of a statement: every field there, and none besides. */
export function readStatement(texts: Texts, bytes: Uint8Array): Statement | undefined {
  const isText = (value: unknown) => typeof value === 'string';
  const isDigest = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
  const isInstant = (value: unknown) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value));
  const has = (value: unknown, checks: Record<string, (value: unknown) => boolean>) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const names = Object.keys(checks);
    const fields = value as Record<string, unknown>;
    return (
      Object.keys(fields).length === names.length &&
      names.every((name) => Object.hasOwn(fields, name) && checks[name]?.(fields[name]))
    );
  };
  const isListOf = (checks: Record<string, (value: unknown) => boolean>) => (value: unknown) =>
    Array.isArray(value) && value.every((item) => has(item, checks));
  try {
    if (bytes.length > 64_000) return undefined;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = texts.readRestricted(text);
    const isStatement = has(value, {
      type: (type) => type === 'trefoil/evidence/1',
      ...{
        issuer: isText,
        evidenceId: isText,
        creditReportId: isText,
        tenantId: isText,
        tenantName: isText,
      },
      // A thumbprint (RFC 7638). The key is looked up by it, and it is shown to people.
      kid: (kid) => typeof kid === 'string' && /^[\w-]{43}$/.test(kid),
      ...{ completedAt: isInstant, issuedAt: isInstant },
      isTest: (isTest) => typeof isTest === 'boolean',
      files: isListOf({ name: isText, sha256: isDigest }),
      bureauReplies: isListOf({
        bureau: isText,
        outcome: isText,
        sha256: (value) => value === null || isDigest(value),
      }),
      authentication: (value) => has(value, { method: isText, at: (at) => at === null || isInstant(at) }),
      audit: (value) => has(value, { seq: Number.isSafeInteger, hash: isDigest }),
      software: (value) => has(value, { merge: isText, document: isText }),
    });
    return isStatement && texts.writeCanonical(value) === text ? (value as unknown as Statement) : undefined;
  } catch {
    return undefined;
  }
}
