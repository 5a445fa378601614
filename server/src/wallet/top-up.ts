// Adds bought credits to a wallet. The same source posts once, however often it is sent.
import type { Tx } from '../lib/postgres/sql.ts';
import { type Movement, type MovementOrder, move } from './move-credits.ts';

export function topUp(tx: Tx, tenantId: string, order: MovementOrder): Promise<Movement> {
  return move(tx, tenantId, 'top-up', order);
}
