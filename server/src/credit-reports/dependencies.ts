// The dependencies of the operations on reports. Only types, so that every file of this feature may import this one.
import type { Bureau, GenerateRequest } from '@trefoil/contract';
import type { AuditEntry } from '../audit/append-audit.ts';
import type { Caller } from '../http/authenticate.ts';
import type { HttpMetrics } from '../http/http-metrics.ts';
import type { IdempotentRequest } from '../http/operations.ts';
import type { BatchState } from '../lib/batch/batch.ts';
import type { RingHash } from '../lib/crypto/hash-ring.ts';
import type { Codes } from '../lib/crypto/one-time-code.ts';
import type { Vault } from '../lib/crypto/vault.ts';
import type { Failpoint } from '../lib/failpoints.ts';
import type { Places } from '../lib/limits/places.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Database } from '../lib/postgres/database.ts';
import type { Decide } from '../screening/decide.ts';
import type { DeviceFacts } from '../screening/port.ts';
import type { FailpointName } from './failpoints.ts';
import type { FetchReport } from './live/fetch-report.ts';
import type { Leases } from './live/keep-leases.ts';
import type { Reservation, Reserved } from './live/reserve-reports.ts';
import type { Settled, Settlement } from './live/settle-reports.ts';
import type { ProvedSend, SendProof } from './messages/settle-sends.ts';
import type { OpenReferences } from './reading/read-references.ts';
import type { ReportMetrics } from './report-metrics.ts';
import type { Delay } from './sandbox/delay-requests.ts';
import type { ReportKey } from './store.ts';

/** A node's one queue, whose items share transactions (queue.ts). */
export interface ReportQueue {
  /** Throws service-unavailable when the queue is full, or when the reservation still waits at its deadline. */
  reserve(reservation: Reservation, deadlineMs: number): Promise<Reserved>;
  /** Keeps retrying for minutes while the database is unreachable: paid-for work must not be lost. */
  settle(settlement: Settlement, withinMs?: number): Promise<Settled>;
  prove(proof: SendProof): Promise<ProvedSend>;
  /** Resolves when the audit row is committed. */
  note(entry: AuditEntry): Promise<void>;
  state(): BatchState;
  /** Resolves when nothing is left to settle. */
  idle(): Promise<void>;
}

/** What live mode needs in addition: ports to other companies, their places, and keyed hashes for people and numbers. */
export type LiveDependencies = {
  readonly decide: Decide;
  readonly fetchReport: FetchReport;
  /** Those that this deployment can ask. */
  readonly bureaus: readonly Bureau[];
  /** Undefined when the session is unknown, forged or too old. */
  readonly openSession: (
    sessionId: string,
  ) => { readonly sessionHash: Buffer; readonly facts: DeviceFacts } | undefined;
  /** Hands a queued message to the carrier, in the background and at most once. */
  readonly dispatch: (tenantId: string, sendId: string) => void;
  /** By name, for screening and each bureau: how many calls this node may have under way. */
  readonly places: Places;
  /** Renews the leases of reports whose bureaus have answered and whose settlement takes long. */
  readonly leases: Leases;
  readonly codes: Codes;
  readonly hashMobile: RingHash;
  readonly hashPerson: RingHash;
  /** Hashes the request signals that screening counts across all tenants. */
  readonly hashSignal: RingHash;
  readonly failpoint: Failpoint<FailpointName>;
  /** How many times as long as usual this node waits for its own parts. */
  readonly patience: number;
};

export type ReportDependencies = {
  readonly database: Database;
  readonly vault: Vault;
  readonly queue: ReportQueue;
  readonly hashIdempotency: RingHash;
  readonly hashReference: RingHash;
  readonly openReferences: OpenReferences;
  readonly metrics: Metrics & HttpMetrics & ReportMetrics;
  readonly log: Log;
  /** Lets a test request wait, without a connection. */
  readonly delay: Delay;
  /** Erases a report, as the end of its retention does. */
  readonly purge: (key: ReportKey) => Promise<unknown>;
  /** Undefined while the deployment has no providers: only test mode works then. */
  readonly live: LiveDependencies | undefined;
  /** How long a right code waits for the request that fetches its report. */
  readonly fetchWaitMs: number;
};

export type GenerateOrder = {
  readonly caller: Caller;
  readonly request: GenerateRequest;
  /** The request as stored: the known fields, normalised. */
  readonly kept: GenerateRequest;
  readonly idempotency: IdempotentRequest | undefined;
};
