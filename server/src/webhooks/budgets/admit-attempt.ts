// Decides whether an attempt may go to where its host is now. Where the company's host has accepted messages before, the claim has
// taken its share already. Elsewhere somebody may answer who never asked for messages: such attempts are counted for all companies
// together (docs/decisions/0273-what-a-receiver-gets.md).
import type { Database } from '../../lib/postgres/database.ts';
import { type Budgets, isRoomFor } from '../rules/budgets.ts';
import { type Counted, insertUses, lockUses } from './use-store.ts';

const HOUR_SECONDS = 3_600;
/** So that what waits for one instant does not come back together. */
const SPREAD_SECONDS = 5;

export type AttemptPlace = {
  readonly tenantId: string;
  readonly host: string;
  /** What one receiver holds of addresses. */
  readonly block: string;
};

/** Seconds until it may be asked again; undefined when the attempt may go. */
export type Admitted = number | undefined;

export type Admission = {
  /** To a place that has accepted nothing. */
  unproven(place: AttemptPlace): Promise<Admitted>;
  /** One more test message for a receiver that said it was gone. */
  confirmation(place: AttemptPlace): Promise<Admitted>;
};

function count(database: Database, targets: readonly string[], counted: Counted): Promise<Admitted> {
  return database.asSystem(async (tx) => {
    const uses = await lockUses(tx, targets, counted);
    const full = uses.filter((use) => !isRoomFor(use, counted));
    if (full.length > 0) {
      return Math.max(1, ...full.map((use) => use.freeInSeconds ?? 0)) + SPREAD_SECONDS * Math.random();
    }
    await insertUses(tx, targets, counted);
    return undefined;
  });
}

/**
 * One at a time on each node: they share their connections with the claims of all companies, and one that waits for another node's
 * lock must not keep them all.
 */
export function createAdmission(database: Database, budgets: Budgets): Admission {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<Admitted>): Promise<Admitted> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    unproven({ tenantId, host, block }) {
      const { unprovenPerHour: allMax, firstOfCompany: ownMax } = budgets;
      const counted = { tenantId, windowSeconds: HOUR_SECONDS, allMax, ownMax };
      return inTurn(() => count(database, [`address ${block}`, `name ${host}`], counted));
    },
    confirmation({ tenantId, block }) {
      const counted = { tenantId, windowSeconds: HOUR_SECONDS, allMax: budgets.confirmationsPerHour, ownMax: 1 };
      return inTurn(() => count(database, [`confirmation ${block}`], counted));
    },
  };
}
