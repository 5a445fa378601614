// Decides whether an attempt may go to where its host is now. Where the company's host has accepted messages before, the claim has
// taken its share already. Elsewhere somebody may answer who never asked for messages: such attempts are counted for all companies
// together (docs/decisions/0273-what-a-receiver-gets.md).
import type { Database } from '../../lib/postgres/database.ts';
import { type Budgets, isUnprovenAllowed } from '../rules/budgets.ts';
import { insertUses, lockUses } from './use-store.ts';

const HOUR_SECONDS = 3_600;

export type AttemptPlace = {
  readonly tenantId: string;
  readonly host: string;
  /** Where the host is now. */
  readonly block: string;
};

/** Seconds until it may be asked again; undefined when the attempt may go. */
export function admitUnproven(
  database: Database,
  budgets: Budgets,
  { tenantId, host, block }: AttemptPlace,
): Promise<number | undefined> {
  const targets = [`address ${block}`, `name ${host}`];
  const counted = { tenantId, windowSeconds: HOUR_SECONDS };
  return database.asSystem(async (tx) => {
    const uses = await lockUses(tx, targets, counted);
    const full = uses.filter((use) => !isUnprovenAllowed(use, budgets));
    if (full.length > 0) return Math.max(1, ...full.map(({ freeInSeconds }) => freeInSeconds));
    await insertUses(tx, targets, counted);
    return undefined;
  });
}

/** Whether one more test message may go to a receiver that said it was gone. */
export function admitConfirmation(
  database: Database,
  { confirmationsPerHour }: Budgets,
  { tenantId, block }: Omit<AttemptPlace, 'host'>,
): Promise<boolean> {
  const targets = [`confirmation ${block}`];
  const counted = { tenantId, windowSeconds: HOUR_SECONDS };
  return database.asSystem(async (tx) => {
    const [uses] = await lockUses(tx, targets, counted);
    if (uses && uses.all >= confirmationsPerHour) return false;
    await insertUses(tx, targets, counted);
    return true;
  });
}
