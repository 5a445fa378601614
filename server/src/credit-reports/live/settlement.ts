// What a settlement of a live report is: the state it starts from, its outcome, its answer, and the ledger keys it needs.
import type { BureauResult, GenerateData, SubmitOtpData } from '@trefoil/contract';
import type { HoldKey } from '../../wallet/open-ledger.ts';
import type { Reference } from '../answer.ts';
import type { ChallengeOrder } from '../messages/allow-delivery.ts';
import type { FileDigests } from '../provenance/report-files.ts';
import type { Refusal } from '../rules/delivery.ts';
import type { Failure, OpenStatus } from '../rules/settlement.ts';
import type { SealedBody } from '../seal-report.ts';
import type { ReportKey } from '../store.ts';
import type { LockedLiveReport } from './live-store.ts';

export type Outcome =
  | ({
      readonly kind: 'complete';
      readonly digests: FileDigests;
      readonly bureauResults: readonly BureauResult[];
    } & SealedBody)
  | ({ readonly kind: 'challenge' } & ChallengeOrder)
  | { readonly kind: 'blocked' }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      readonly because?: Refusal;
      /** Where every bureau was asked and none answered: how bureaus do is counted from these. */
      readonly bureauResults?: readonly BureauResult[];
    }
  | { readonly kind: 'expired' };

/** The first message's hold is keyed by its id. The ledger needs that id before the report's row is read. */
type From =
  | { readonly from: 'pending'; readonly firstSendId: string | null }
  | { readonly from: Exclude<OpenStatus, 'pending'>; readonly firstSendId?: undefined };

export type Settlement = ReportKey &
  From & {
    /** The fence of the caller's lease; absent where the report's lock is enough, as in a sweep for a dead worker. */
    readonly fence?: number;
    /** What caused it: a caller's id, or `system`. */
    readonly actor: string;
    readonly outcome: Outcome;
    /** False when no idempotency key can be waiting for the answer: saves a statement. */
    readonly mayHaveKey: boolean;
    /** Screening's reason codes, only for the audit log. */
    readonly reasons?: readonly string[];
  };

export type Settled =
  | {
      readonly kind: 'settled';
      readonly reference: Reference<GenerateData | SubmitOtpData>;
      readonly sendId?: string;
      readonly failure?: Failure;
      readonly because?: Refusal | undefined;
    }
  /** Another transaction has settled it: a sweep, after our lease expired. */
  | { readonly kind: 'superseded' };

/** A settlement whose report is locked and still in the state that the settlement starts from. */
export type OpenSettlement = { readonly settlement: Settlement; readonly report: LockedLiveReport };

export const keyOf = ({ tenantId, creditReportId }: ReportKey) => `${tenantId}/${creditReportId}`;
export const reportHold = ({ tenantId, creditReportId }: ReportKey) =>
  ({ tenantId, kind: 'report', sourceId: creditReportId }) as const;
export const chargeLine = ({ tenantId, creditReportId }: ReportKey) =>
  ({ tenantId, kind: 'report-charge', sourceId: creditReportId }) as const;

export function holdsOf(settlement: Settlement): HoldKey[] {
  const { tenantId, firstSendId } = settlement;
  const sms = firstSendId ? [{ tenantId, kind: 'sms', sourceId: firstSendId } as const] : [];
  return [reportHold(settlement), ...sms];
}
