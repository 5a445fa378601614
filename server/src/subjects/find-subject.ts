// Finds the reports of a person in one company, by name, birth date and postcode. Complete or refused, never a part: somebody
// who is told that nothing is held must be able to rely on it.
import type { FoundSubject, SubjectReport, SubjectRequest } from '@trefoil/contract';
import { SUBJECT_LISTED_MAX } from '@trefoil/contract';
import { appendAudit } from '../audit/append-audit.ts';
import { type HeldFacts, listFacts, listStates } from '../credit-reports/reading/open-held.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Database } from '../lib/postgres/database.ts';
import { type IndexDependencies, indexReports } from './index-reports.ts';
import { keyOfPerson } from './rules/person.ts';
import { findIdsOfHashes } from './store.ts';

/** Who asks: a caller of the company, or `operator`. */
export type Asker = {
  readonly tenantId: string;
  readonly actor: string;
  /** A test-only credential knows of test reports alone. */
  readonly isTestOnly: boolean;
};

export type Match = { readonly id: string; readonly isRunning: boolean };
/** The newest matches, and how many there are in all. */
export type Matches = { readonly matches: readonly Match[]; readonly total: number };

/** A request waits so long for older reports; a command can wait longer. */
const SEARCH_MS = 5_000;
const RETRY_SECONDS = 15;
/** Of one search. An erasure takes the newest first and is repeated; an export asks for those before a report. */
const MATCHES_MAX = 10_000;

const notYet = () =>
  new ServiceError(
    'service-unavailable',
    'The service has not looked at all older reports of the company yet. Send the same request again after Retry-After.',
    { retryAfterSeconds: RETRY_SECONDS },
  );

export type Search = {
  readonly withinMs?: number | undefined;
  /** Only reports before this one. */
  readonly beforeId?: string | undefined;
  /** More than this many are of no use to the caller. */
  readonly limit?: number;
};

/** Newest first. */
export async function findMatches(
  dependencies: IndexDependencies,
  { tenantId, isTestOnly }: Asker,
  subject: SubjectRequest,
  { withinMs = SEARCH_MS, beforeId, limit = MATCHES_MAX }: Search = {},
): Promise<Matches> {
  const { database, subjectHash } = dependencies;
  const person = keyOfPerson(subject);
  const { isDone, running } = await indexReports(dependencies, tenantId, { untilMs: performance.now() + withinMs });
  if (!isDone) throw notYet();
  const own = subjectHash.hash(tenantId, person);
  const isOf = (hash: Buffer) => hash.equals(own);
  return database.forTenants([tenantId], async (tx) => {
    const hashes = subjectHash.every(tenantId, person);
    // For a test-only credential all are listed, because only the list says which are test reports.
    const part = isTestOnly ? { beforeId: undefined, limit: MATCHES_MAX } : { beforeId, limit };
    const hashed = await findIdsOfHashes(tx, tenantId, { hashes, ...part });
    const isHashed = new Set(hashed.ids);
    const others = running.filter(({ hashes }) => hashes.some(isOf)).map(({ id }) => id);
    const states = await listStates(tx, tenantId, [...others.filter((id) => !isHashed.has(id)), ...hashed.ids]);
    const held = states.filter(({ hasKey, isTest }) => hasKey && (isTest || !isTestOnly));
    const matches = held
      .filter(({ id }) => beforeId === undefined || id < beforeId)
      .map(({ id, isRunning }) => ({ id, isRunning }))
      .sort((a, b) => (a.id < b.id ? 1 : -1));
    // A hash goes with the key: those that are not listed are held too. A test-only credential learns nothing of live ones, not even
    // by a count: of more than MATCHES_MAX it counts the newest.
    const withoutHash = held.filter(({ id }) => !isHashed.has(id)).length;
    return { matches, total: isTestOnly ? held.length : hashed.total + withoutHash };
  });
}

export const toReport = ({ id, status, isTest, createdAt }: HeldFacts): SubjectReport => ({
  creditReportId: id,
  status,
  test: isTest,
  createdAt: createdAt.toISOString(),
});

/** Before anything is shown. Without the person: the log is kept for good. */
export async function noteSubject(
  database: Database,
  { tenantId, actor }: Asker,
  action: 'subject.searched' | 'subject.exported',
  details: Readonly<Record<string, string | number>>,
): Promise<void> {
  await database.forTenants([tenantId], (tx) =>
    appendAudit(tx, [{ tenantId, actor, action, subjectId: tenantId, details }]),
  );
}

export async function findSubject(
  dependencies: IndexDependencies,
  asker: Asker,
  subject: SubjectRequest,
  withinMs?: number,
): Promise<FoundSubject> {
  const { database } = dependencies;
  const { tenantId } = asker;
  const { matches, total } = await findMatches(dependencies, asker, subject, { withinMs });
  const ids = matches.slice(0, SUBJECT_LISTED_MAX).map(({ id }) => id);
  const held = await database.forTenants([tenantId], (tx) => listFacts(tx, tenantId, ids));
  await noteSubject(database, asker, 'subject.searched', { reports: total });
  return { total, reports: held.sort((a, b) => (a.id < b.id ? 1 : -1)).map(toReport) };
}
