// The erasure of chosen reports before their retention is over (docs/decisions/0262-erasure-with-a-receipt.md). It goes through the
// purge of retention, so that an erased report is like a purged one to every reader. The app role withdraws what only it may
// change; the system role deletes keys and hashes, which it cannot read.
import type { GenerateRequest } from '@trefoil/contract';
import { createRingHash, type HashKey, type HashRing, type RingHash } from '../../lib/crypto/hash-ring.ts';
import type { AgedRow } from '../../lib/postgres/retention.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { findSignals, forgetSignals } from '../../screening/forget-signals.ts';
import { hashSignals, personOf } from '../live/request-signals.ts';
import {
  clearReferences,
  deleteDeviceSessions,
  deleteReceipts,
  listDeviceSessions,
  lockEndedReports,
  type Purged,
  purgeReports,
} from './erase-store.ts';

/** The hashes of live requests, under every key that rows may have. */
export type RequestHashes = {
  readonly hashPerson: RingHash;
  readonly hashSignal: RingHash;
};

/** The purposes are those of open-live.ts: the same values must give the same hashes. */
export function createRequestHashes(hashKeys: HashRing, retired: readonly HashKey[]): RequestHashes {
  const keys = [...hashKeys, ...retired] as const;
  return {
    hashPerson: createRingHash(keys, 'person'),
    hashSignal: createRingHash(keys, 'sighting'),
  };
}

export type LiveRequest = { readonly request: GenerateRequest; readonly createdAt: Date };

/** Rows beside the reports, which hold keyed hashes of the person and the device. */
export type Traces = {
  readonly deviceSessions: readonly AgedRow[];
  readonly sightings: readonly AgedRow[];
};

/** As the app role, which may read the hashes and not delete them. */
export async function findTraces(
  tx: Tx,
  hashes: RequestHashes,
  tenantId: string,
  requests: readonly LiveRequest[],
): Promise<Traces> {
  const boundTo = requests.flatMap(({ request }) => personOf(hashes, tenantId, request));
  const sighted = requests.flatMap(({ request, createdAt }) =>
    hashSignals(hashes, request, undefined).map(({ person }) => ({ person, at: createdAt })),
  );
  return {
    deviceSessions: await listDeviceSessions(tx, boundTo),
    sightings: await findSignals(tx, sighted),
  };
}

export type ForgottenTraces = Readonly<Record<keyof Traces, number>>;

/** As the system role, which may delete the rows and not read their hashes. */
export async function forgetTraces(tx: Tx, traces: Traces): Promise<ForgottenTraces> {
  return {
    deviceSessions: await deleteDeviceSessions(tx, traces.deviceSessions),
    sightings: await forgetSignals(tx, traces.sightings),
  };
}

export type Withdrawn = {
  /** Those that have ended: nothing works on them, and nothing will. */
  readonly ids: readonly string[];
  readonly references: number;
};

/** As the app role. */
export async function withdrawReports(tx: Tx, tenantId: string, asked: readonly string[]): Promise<Withdrawn> {
  const ids = await lockEndedReports(tx, tenantId, asked);
  return { ids, references: await clearReferences(tx, tenantId, ids) };
}

export type Destroyed = Purged & { readonly deliveryReceipts: number };

/** As the system role: keys, sealed columns, the carrier's references and receipts. */
export async function destroyReports(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Destroyed> {
  const purged = await purgeReports(tx, tenantId, ids);
  return { ...purged, deliveryReceipts: await deleteReceipts(tx, tenantId, ids) };
}
