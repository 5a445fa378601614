// Reserves live reports: the first transaction of a generate. Claims the idempotency key, checks the funds, holds the
// price of the report and of one message, and writes the report as pending, before anybody outside is asked. Takes a
// list, so that concurrent requests share one transaction; each gets its own 402 with its own figures.
import assert from 'node:assert/strict';
import { type Claim, claimKeys, type NewKey, releaseKeys } from '../idempotency/claim-keys.ts';
import type { Tx } from '../lib/sql.ts';
import { listScreeningSettings, type ScreeningSettings } from '../screening/decide.ts';
import { noteSightings, type Subjects } from '../screening/note-sightings.ts';
import type { Velocity } from '../screening/port.ts';
import type { Book } from '../wallet/open-book.ts';
import { listCurrentPrices } from '../wallet/read-prices.ts';
import { bindSessions, listReportIds } from './live-store.ts';
import { emptyPart, type Part } from './share-transaction.ts';
import { insertReports, type NewReport } from './store.ts';

/** How long a worker may take before a sweep takes the report from it: screening, bureaus and some room. */
export const LEASE_MS = 30_000;
/** How long the carrier may be silent about a message (docs/decisions/0051). */
export const SMS_HOLD_MS = 72 * 3_600_000;

export type Reservation = {
  readonly report: NewReport;
  readonly bureaus: number;
  readonly key: NewKey | undefined;
  /** A device session that opened, and the tenant and person it is used for. */
  readonly session: { readonly sessionHash: Buffer; readonly boundTo: Buffer } | undefined;
  /** What the request came with, noted for the screening of later ones. */
  readonly subjects: Subjects;
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

/** Holds what a report needs, or says what is missing. */
function hold(book: Book, { report, bureaus }: Reservation, prices: Prices): Reserved | undefined {
  const { tenantId, id, firstSendId } = report;
  const price = prices.get(tenantId);
  if (!price) throw new Error('a tenant has no prices');
  const amount = price.report + price.bureau * bureaus;
  const required = amount + (firstSendId === null ? 0 : price.sms);
  const available = book.available(tenantId);
  if (available < required) return { kind: 'short', required, available };
  book.hold({ tenantId, kind: 'report', sourceId: id, amount, perBureau: price.bureau, lifetimeMs: LEASE_MS });
  if (firstSendId !== null) {
    const sourceId = firstSendId;
    book.hold({ tenantId, kind: 'sms', sourceId, amount: price.sms, perBureau: null, lifetimeMs: SMS_HOLD_MS });
  }
  return undefined;
}

async function bind(tx: Tx, reservations: readonly Reservation[]): Promise<Set<Reservation>> {
  const used = reservations.flatMap((reservation) => (reservation.session ? [reservation.session] : []));
  if (used.length === 0) return new Set();
  const bound = await bindSessions(tx, used);
  return new Set(
    reservations.filter(
      ({ session }) => session && bound.get(session.sessionHash.toString('hex'))?.equals(session.boundTo),
    ),
  );
}

/** From the second attempt on, what an earlier one committed although nobody heard of it is found and not repeated. */
function alreadyReserved(tx: Tx, reservations: readonly Reservation[]): Promise<Set<string>> {
  return listReportIds(
    tx,
    reservations.map(({ report }) => ({ tenantId: report.tenantId, creditReportId: report.id })),
  );
}

/**
 * One transaction may reserve some reports and settle others: see share-transaction.ts. Waits for answers only where keys
 * are claimed or an earlier attempt is looked for: both come before all other locks.
 */
export async function openReservations(
  tx: Tx,
  reservations: readonly Reservation[],
  attempt: number,
): Promise<Part<Reserved>> {
  if (reservations.length === 0) return emptyPart();
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
  const refused = new Map<Reservation, Reserved>();

  return {
    order: { tenantIds },
    audited: [],
    ready: Promise.all([listCurrentPrices(tx, tenantIds), listScreeningSettings(tx, asked)]).then(([found, listed]) => {
      prices = found;
      settings = new Map(listed.map((each) => [each.tenantId, each]));
    }),
    apply(book) {
      for (const each of claimed) {
        const refusal = hold(book, each, prices);
        if (refusal) refused.set(each, refusal);
      }
      return [];
    },
    async write() {
      // A refusal is not kept: with funds in the wallet the same key may try again.
      const unused = [...refused.keys()].flatMap(({ key }) => key ?? []);
      const accepted = claimed.filter((each) => !refused.has(each));
      const reports = accepted.map(({ report }) => report);
      const reserved = [...accepted, ...reservations.filter(({ report }) => done.has(report.id))];
      const [ours, velocities] = await Promise.all([
        // A request that is refused binds no session, for want of funds or because of its key, and is not counted.
        bind(tx, reserved),
        noteSightings(
          tx,
          reserved.map(({ subjects }) => subjects),
        ),
        reports.length > 0 && insertReports(tx, reports),
        releaseKeys(tx, unused),
      ]);
      const velocityOf = new Map(reserved.map((each, place) => [each, velocities[place]]));
      return reservations.map((each): Reserved => {
        const claimOfEach = claims.get(each);
        if (claimOfEach && claimOfEach.kind !== 'claimed') return claimOfEach;
        const refusal = refused.get(each);
        if (refusal) return refusal;
        const velocity = velocityOf.get(each);
        const screening = settings.get(each.report.tenantId);
        assert(velocity && screening, 'a reserved report has nothing to be screened with');
        return { kind: 'reserved', isSessionOurs: ours.has(each), velocity, screening };
      });
    },
  };
}
