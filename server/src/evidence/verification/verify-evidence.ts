// Judges evidence by the published keys, without a database and without a network. The verification page runs it too, so each
// function is whole in itself and is given the others that it calls (verifier.ts).
import type { Statement } from '../rules/statement.ts';
import type { PublishedKey } from './published-keys.ts';
import type { Evidence } from './read-evidence.ts';
import type { readStatement } from './read-statement.ts';
import type { isVerifyText } from './verify-text.ts';

export type Verdict =
  | 'good'
  | 'statement-altered'
  | 'file-altered'
  | 'file-swapped'
  | 'unknown-key'
  | 'revoked-key'
  | 'key-not-valid';

export type Finding = {
  readonly verdict: Verdict;
  /** In lower-case hexadecimal digits. */
  readonly statementSha256: string;
  /** Only of a statement that one of our keys signed. */
  readonly statement: Statement | undefined;
  /** The id of the key that the statement names; null if that cannot be read. */
  readonly kid: string | null;
  /** The files that are missing, not the signed ones, or not signed at all; and what else the JSON says that is not signed. */
  readonly wrongFiles: readonly string[];
  readonly revokedAt: string | null;
  /** What the statement says of itself: a thief of the key can write any time. */
  readonly isSignedBeforeRevocation: boolean;
};

export async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export type Judges = {
  readonly readStatement: (bytes: Uint8Array) => ReturnType<typeof readStatement>;
  readonly isVerifyText: typeof isVerifyText;
  readonly sha256Of: typeof sha256Of;
};

export async function verifyEvidence(
  judges: Judges,
  evidence: Evidence,
  keys: readonly PublishedKey[],
): Promise<Finding> {
  const { readStatement, isVerifyText, sha256Of } = judges;
  const statement = readStatement(evidence.statement);
  const statementSha256 = await sha256Of(evidence.statement);
  const key = keys.find(({ kid }) => kid === statement?.kid);
  const about = {
    statementSha256,
    statement: undefined,
    kid: statement?.kid ?? null,
    wrongFiles: [],
    revokedAt: key?.revokedAt ?? null,
    isSignedBeforeRevocation: false,
  };
  if (!statement) return { ...about, verdict: 'statement-altered' };
  if (!key) return { ...about, verdict: 'unknown-key' };
  const { kty, crv, x } = key;
  const publicKey = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']);
  const bytesOf = (bytes: Uint8Array) => bytes as Uint8Array<ArrayBuffer>;
  const isSigned =
    evidence.signature.length === 64 &&
    (await crypto.subtle.verify('Ed25519', publicKey, bytesOf(evidence.signature), bytesOf(evidence.statement)));
  if (!isSigned) return { ...about, verdict: 'statement-altered' };

  const digests = new Map<string, string>();
  for (const { name, bytes } of evidence.files) digests.set(name, await sha256Of(bytes));
  const isSignedFile = ({ name, sha256 }: { name: string; sha256: string }) => digests.get(name) === sha256;
  const missing = statement.files.filter((file) => !isSignedFile(file)).map(({ name }) => name);
  const verify = evidence.files.find(({ name }) => name === 'VERIFY.txt');
  const isOurText = !verify || (await isVerifyText(sha256Of, verify.bytes, statement));
  const added = [...digests.keys()].filter(
    (name) => name !== 'VERIFY.txt' && !statement.files.some((file) => file.name === name),
  );
  // The address is what a reader follows, and the digests are what other programs compare.
  const { issuer, evidenceId, issuedAt } = statement;
  const verifyUrl = `${issuer}/v/${evidenceId}#${statementSha256.slice(0, 32)}`;
  const repeated = new Map<string, unknown>([
    ...statement.files.map(({ name, sha256 }) => [name, sha256] as const),
    ...Object.entries({ evidenceId, issuedAt, kid: key.kid, verifyUrl }),
  ]);
  const untrue = evidence.beside.filter(([name, value]) => repeated.get(name) !== value).map(([name]) => name);
  const wrongFiles = [...new Set([...missing, ...(isOurText ? [] : ['VERIFY.txt']), ...added, ...untrue])].sort();
  const { revokedAt, validFrom, validUntil } = key;
  const isBefore = (instant: string, end: string) => Date.parse(instant) < Date.parse(end);
  const told = {
    ...about,
    statement,
    wrongFiles,
    isSignedBeforeRevocation: revokedAt !== null && isBefore(statement.issuedAt, revokedAt),
  };
  if (wrongFiles.length > 0) {
    // The files of another report, or the signed ones under each other's names.
    const isOther = statement.files.every(({ name }) => missing.includes(name) && digests.has(name));
    const isExchanged = missing.some((name) =>
      statement.files.some((file) => file.name !== name && file.sha256 === digests.get(name)),
    );
    return { ...told, verdict: isOther || isExchanged ? 'file-swapped' : 'file-altered' };
  }
  if (revokedAt !== null) return { ...told, verdict: 'revoked-key' };
  const isInTime =
    !isBefore(statement.issuedAt, validFrom) && (validUntil === null || isBefore(statement.issuedAt, validUntil));
  return { ...told, verdict: isInTime ? 'good' : 'key-not-valid' };
}
