// Puts bought credits into a wallet. The same source posts once, however often it is sent.
import type { Tx } from '../lib/sql.ts';
import { type Movement, type MovementOrder, move } from './move-credits.ts';

export function topUp(tx: Tx, tenantId: string, order: MovementOrder): Promise<Movement> {
  return move(tx, tenantId, 'top-up', order);
}
