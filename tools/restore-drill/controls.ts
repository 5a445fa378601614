// Mistakes that a restore could contain, to plant: the drill must find each of them.
import type { Sign } from '../chaos/tally.ts';
import type { Connected } from './stage.ts';

export type Control = {
  readonly id: string;
  readonly sentence: string;
  readonly finding: Sign;
  /** The archive has nothing after the last backup. */
  readonly isWithheld?: true;
  /** The database is restored to this long before the chosen second. */
  readonly earlierMs?: number;
  /** Done to the restored database, past all its guards. */
  readonly damage?: (connected: Connected) => Promise<void>;
};

/** The charge of one complete report, with both its entries. */
const LOSE_CHARGE = `
  with lost as (select tenant_id, seq from ledger_txs where kind = 'report-charge' order by created_at limit 1),
       entries as (delete from ledger_entries using lost where ledger_entries.tenant_id = lost.tenant_id and ledger_entries.seq = lost.seq)
  delete from ledger_txs using lost where ledger_txs.tenant_id = lost.tenant_id and ledger_txs.seq = lost.seq`;

async function loseCharge({ query }: Connected): Promise<void> {
  // In one message, and so in one session. As a replica, it runs no trigger and checks no foreign key.
  await query(`begin; set local session_replication_role = replica; ${LOSE_CHARGE}; commit`);
}

export const CONTROLS: readonly Control[] = [
  {
    id: 'withheld-archive',
    sentence: 'the archive has nothing after the last backup',
    finding: { about: /PostgreSQL reaches the chosen second/ },
    isWithheld: true,
  },
  {
    id: 'early-second',
    sentence: 'the database is restored to three seconds before the chosen one',
    finding: { about: /acknowledged before the point is there/ },
    earlierMs: 3_000,
  },
  {
    id: 'lost-charge',
    sentence: 'one charge is missing in the restored ledger',
    finding: { about: /wallet reconcile --all finds nothing/ },
    damage: loseCharge,
  },
];
