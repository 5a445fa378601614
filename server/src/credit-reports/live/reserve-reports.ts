// Reserves live reports: the first transaction of a generate. It claims the idempotency key, checks the funds, holds
// the price of the report and of one message, and writes the report as pending, before any provider is asked. It takes
// a list, so that concurrent requests share one transaction; each gets its own 402 with its own figures.
import assert from 'node:assert/strict';
import { type Claim, claimKeys, type NewKey, releaseKeys } from '../../idempotency/claim-keys.ts';
import { HELD } from '../../lib/batch/batch.ts';
import type { Hashes } from '../../lib/crypto/hash-ring.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import type { ScreeningSettings } from '../../screening/decide.ts';
import { noteSignals, type SignalsOfRequest } from '../../screening/note-signals.ts';
import type { Velocity } from '../../screening/port.ts';
import { listScreeningSettings } from '../../tenants/find-settings.ts';
import type { LedgerSession } from '../../wallet/open-ledger.ts';
import { listCurrentPrices } from '../../wallet/read-prices.ts';
import { priceOfReport } from '../../wallet/rules/price-list.ts';
import { insertReports, type NewReport } from '../store.ts';
import { emptyStep, type TransactionStep } from '../transaction-steps.ts';
import { bindSessions, listReportIds } from './live-store.ts';

/** How long a worker may take before a sweep takes over the report: screening, bureaus and a margin. */
export const LEASE_MS = 30_000;
/** How long to wait for the carrier's final status of a message (docs/decisions/0051-sms-charges.md). */
export const SMS_HOLD_MS = 72 * 3_600_000;

export type Reservation = {
  readonly report: NewReport;
  readonly bureaus: number;
  readonly key: NewKey | undefined;
  /** A valid device session, and the tenant and person it is used for. */
  readonly session: { readonly sessionHash: Buffer; readonly boundTo: Hashes } | undefined;
  /** The request's signals, recorded for the screening of later requests. */
  readonly subjects: SignalsOfRequest;
};

export type Reserved =
  | {
      readonly kind: 'reserved';
      readonly isSessionOurs: boolean;
      readonly velocity: Velocity;
      readonly screening: ScreeningSettings;
    }
  | { readonly kind: 'short'; readonly required: number; readonly available: number }
  | Exclude<Claim, { kind: 'claimed' }>;

const NO_CLAIMS: ReadonlyMap<Reservation, Claim> = new Map();

async function claim(tx: Tx, reservations: readonly Reservation[]): Promise<Map<Reservation, Claim>> {
  const keyed = reservations.flatMap((reservation) => (reservation.key ? [{ reservation, key: reservation.key }] : []));
  const claims = await claimKeys(
    tx,
    keyed.map(({ key }) => key),
  );
  return new Map(keyed.map(({ reservation }, place) => [reservation, claims[place] ?? { kind: 'claimed' }]));
}

type Prices = Awaited<ReturnType<typeof listCurrentPrices>>;

/** Holds the credits that a report needs, or says how many are missing. */
function hold(ledger: LedgerSession, { report, bureaus }: Reservation, prices: Prices): Reserved | undefined {
  const { tenantId, id, firstSendId } = report;
  const price = prices.get(tenantId);
  if (!price) throw new Error('a tenant has no prices');
  const amount = priceOfReport(price, bureaus);
  const required = amount + (firstSendId === null ? 0 : price.sms);
  const available = ledger.available(tenantId);
  if (available < required) return { kind: 'short', required, available };
  ledger.hold({ tenantId, kind: 'report', sourceId: id, amount, perBureau: price.bureau, lifetimeMs: LEASE_MS });
  if (firstSendId !== null) {
    const sourceId = firstSendId;
    ledger.hold({ tenantId, kind: 'sms', sourceId, amount: price.sms, perBureau: null, lifetimeMs: SMS_HOLD_MS });
  }
  return undefined;
}

async function bind(tx: Tx, reservations: readonly Reservation[]): Promise<Set<Reservation>> {
  const used = reservations.flatMap((reservation) => (reservation.session ? [reservation.session] : []));
  if (used.length === 0) return new Set();
  const bound = await bindSessions(tx, used);
  return new Set(
    reservations.filter(({ session }) => {
      const found = session && bound.get(session.sessionHash.toString('hex'));
      // Another node may have bound it under another key of its ring.
      return found && session.boundTo.some((hash) => hash.equals(found));
    }),
  );
}

/** On a retry: reservations that an earlier attempt committed, though its confirmation was lost. None is repeated. */
function alreadyReserved(tx: Tx, reservations: readonly Reservation[]): Promise<Set<string>> {
  return listReportIds(
    tx,
    reservations.map(({ report }) => ({ tenantId: report.tenantId, creditReportId: report.id })),
  );
}

/**
 * One transaction may reserve some reports and settle others: see transaction-steps.ts. It awaits a database answer
 * only to claim keys or to look for an earlier attempt: both come before all other locks.
 */
export async function openReservations(
  tx: Tx,
  reservations: readonly Reservation[],
  attempt: number,
): Promise<TransactionStep<Reserved>> {
  if (reservations.length === 0) return emptyStep();
  const done = attempt === 1 ? new Set<string>() : await alreadyReserved(tx, reservations);
  const isKeyed = reservations.some(({ key }) => key !== undefined);
  const claims = isKeyed
    ? await claim(
        tx,
        reservations.filter(({ report }) => !done.has(report.id)),
      )
    : NO_CLAIMS;
  const claimed = reservations.filter(
    (each) => !done.has(each.report.id) && (claims.get(each)?.kind ?? 'claimed') === 'claimed',
  );
  const tenantIds = [...new Set(claimed.map(({ report }) => report.tenantId))];
  const asked = [...new Set(reservations.map(({ report }) => report.tenantId))];
  let prices: Prices = new Map();
  let settings: ReadonlyMap<string, ScreeningSettings> = new Map();
  const refused = new Map<Reservation, Reserved | typeof HELD>();

  return {
    order: { tenantIds },
    audited: [],
    ready: Promise.all([listCurrentPrices(tx, tenantIds), listScreeningSettings(tx, asked)]).then(([found, listed]) => {
      prices = found;
      settings = new Map(listed.map((each) => [each.tenantId, each]));
    }),
    apply(ledger) {
      for (const each of claimed) {
        const refusal = ledger.isOpen(each.report.tenantId) ? hold(ledger, each, prices) : HELD;
        if (refusal) refused.set(each, refusal);
      }
      return [];
    },
    async write() {
      // A refusal is not stored: the same key may try again once the wallet has funds or is no longer locked.
      const unused = [...refused.keys()].flatMap(({ key }) => key ?? []);
      const accepted = claimed.filter((each) => !refused.has(each));
      const reports = accepted.map(({ report }) => report);
      const reserved = [...accepted, ...reservations.filter(({ report }) => done.has(report.id))];
      const [ours, velocities] = await Promise.all([
        // A refused request, for want of funds or because of its key, binds no session and is not counted.
        bind(tx, reserved),
        noteSignals(
          tx,
          reserved.map(({ subjects }) => subjects),
        ),
        reports.length > 0 && insertReports(tx, reports),
        releaseKeys(tx, unused),
      ]);
      const velocityOf = new Map(reserved.map((each, place) => [each, velocities[place]]));
      return reservations.map((each): Reserved | typeof HELD => {
        const claimOfEach = claims.get(each);
        if (claimOfEach && claimOfEach.kind !== 'claimed') return claimOfEach;
        const refusal = refused.get(each);
        if (refusal) return refusal;
        const velocity = velocityOf.get(each);
        const screening = settings.get(each.report.tenantId);
        assert(velocity && screening, 'a reserved report has no counts or settings for screening');
        return { kind: 'reserved', isSessionOurs: ours.has(each), velocity, screening };
      });
    },
  };
}
