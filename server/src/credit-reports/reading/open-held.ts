// Opens what is held of reports, for a person who asks what a company has of them (docs/decisions/0261-a-person-is-found-by-a-keyed-hash.md). The caller has decided
// who may see it, and notes it in the audit log.
import type {
  BureauResult,
  CreditReport,
  FailureReason,
  GenerateRequest,
  ReportSource,
  ShownStatus,
} from '@trefoil/contract';
import { KeyNotAtHand } from '../../lib/crypto/key-not-at-hand.ts';
import { KeyMissing, type Vault } from '../../lib/crypto/vault.ts';
import { ServiceError } from '../../lib/errors.ts';
import { walkInKeyOrder } from '../../lib/postgres/key-order.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { Provenance } from '../../merge/provenance.ts';
import { unpackProvenance } from '../provenance/pack-provenance.ts';
import { failureOf, failureReason } from '../rules/failure-reason.ts';
import { shownStatus } from '../rules/shown-status.ts';
import { type HeldChallenge, type HeldState, listStatesAfter, lockSealedHeld, type SealedHeld } from './held-store.ts';
import { listReadableReports } from './reading-store.ts';

export { type HeldChallenge, type HeldSend, type HeldState, listSendsOfReports, listStates } from './held-store.ts';
export { readScreeningReasons } from './screening-reasons.ts';

/** What is known of a report without opening it. */
export type HeldFacts = {
  readonly id: string;
  readonly isTest: boolean;
  readonly status: ShownStatus;
  readonly createdAt: Date;
};

export type HeldReport = HeldFacts & {
  readonly source: ReportSource;
  readonly settledAt: Date | null;
  /** Null unless it is shown as failed. */
  readonly failureReason: FailureReason | null;
  readonly challenge: HeldChallenge | null;
  readonly bureauResults: readonly BureauResult[] | null;
  /** Null if it cannot be opened, such as under a key that was lost. */
  readonly request: GenerateRequest | null;
  readonly creditReport: CreditReport | null;
  readonly provenance: Provenance | null;
};

export async function listHeldAfter(tx: Tx, tenantId: string, afterId: string, limit: number): Promise<HeldState[]> {
  await walkInKeyOrder(tx);
  return listStatesAfter(tx, tenantId, afterId, limit);
}

/** Unordered. */
export async function listFacts(tx: Tx, tenantId: string, ids: readonly string[]): Promise<HeldFacts[]> {
  const reports = await listReadableReports(tx, tenantId, ids);
  return reports.map((each) => ({
    ...{ id: each.id, isTest: each.isTest, createdAt: each.createdAt, status: shownStatus(each) },
  }));
}

type Opened = Pick<HeldReport, 'request' | 'creditReport' | 'provenance'>;
const NOTHING: Opened = { request: null, creditReport: null, provenance: null };

const RETRY_SECONDS = 60;

const keyMissing = () =>
  new ServiceError(
    'service-unavailable',
    'A key that reports of this company need is missing here, so nothing certain can be said. Send the request again after Retry-After.',
    { retryAfterSeconds: RETRY_SECONDS },
  );

type OpenOptions = {
  readonly ids: readonly string[];
  readonly withProvenance?: boolean;
  /** The operator has said that the missing keys are lost for good. */
  readonly isLossAccepted: boolean;
};

function openOne(vault: Vault, tenantId: string, sealed: SealedHeld, isLossAccepted: boolean): Opened {
  const { id, sealedRequest, sealedReport, sealedProvenance, wrapped } = sealed;
  try {
    const dataKey = vault.openDataKey({ tenantId, subjectId: id }, wrapped);
    const packed = sealedProvenance && dataKey.openBytes('provenance', sealedProvenance);
    return {
      request: JSON.parse(dataKey.open('request', sealedRequest)) as GenerateRequest,
      creditReport: sealedReport && (JSON.parse(dataKey.open('report', sealedReport)) as CreditReport),
      provenance: packed ? unpackProvenance(packed).provenance : null,
    };
  } catch (error) {
    // To leave a report out because its key is only not in memory would be a wrong answer.
    if (error instanceof KeyNotAtHand) throw error;
    if (error instanceof KeyMissing && !isLossAccepted) throw keyMissing();
    return NOTHING;
  }
}

/**
 * In the order of their ids, without those that are erased or being erased. Until the transaction ends none of them can be
 * erased.
 */
export async function openHeld(
  tx: Tx,
  vault: Vault,
  tenantId: string,
  { ids, withProvenance = false, isLossAccepted }: OpenOptions,
): Promise<HeldReport[]> {
  const sealed = await lockSealedHeld(tx, tenantId, { ids, withProvenance });
  return sealed.map((each) => {
    const { id, isTest, source, createdAt, settledAt, challenge, bureauResults } = each;
    const status = shownStatus(each);
    return {
      ...{ id, isTest, source, status, createdAt, settledAt, challenge, bureauResults },
      failureReason: status === 'failed' ? failureReason(failureOf(each), each.because) : null,
      ...openOne(vault, tenantId, each, isLossAccepted),
    };
  });
}
