// What the public verification page may know of an evidence: who issued it, for whom, when and with which key. Nothing here
// leads to the person.
import { isUuid } from '../lib/ids.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Statement } from './rules/statement.ts';
import { addDocumentDigest, findEvidence, isIssuedDocument, listKidsBeside } from './store.ts';

export { listEvidenceOfReports, type StoredEvidence } from './store.ts';

export type PublicEvidence = {
  readonly statement: Statement;
  readonly statementSha256: string;
};

export async function findPublicEvidence(database: Database, id: string): Promise<PublicEvidence | undefined> {
  if (!isUuid(id)) return undefined;
  return database.asSystem(async (tx) => {
    const evidence = await findEvidence(tx, id);
    if (!evidence) return undefined;
    const { statement, statementSha256 } = evidence;
    return { statement: JSON.parse(statement) as Statement, statementSha256 };
  });
}

/** Undefined for an unknown id; else whether exactly this file was handed out. */
export async function isIssued(database: Database, id: string, sha256: string): Promise<boolean | undefined> {
  if (!isUuid(id)) return undefined;
  return database.asSystem(async (tx) => {
    if (!(await findEvidence(tx, id))) return undefined;
    return isIssuedDocument(tx, id, sha256);
  });
}

/** Called before a document is handed out: a document that we do not know of would look like a forgery. */
export async function noteIssued(database: Database, tenantId: string, id: string, sha256: string): Promise<void> {
  await database.forTenants([tenantId], (tx) => addDocumentDigest(tx, tenantId, id, sha256));
}

/** The keys that have signed and are not in the ring: what they signed cannot be verified. */
export function listMissingKeys(database: Database, ring: readonly { readonly kid: string }[]): Promise<string[]> {
  const kids = ring.map(({ kid }) => kid);
  return database.asSystem((tx) => listKidsBeside(tx, kids));
}
