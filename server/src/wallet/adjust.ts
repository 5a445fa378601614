// Corrects a wallet by hand, up or down, with the reason in the journal. It can never take held credits.
import type { Tx } from '../lib/postgres/sql.ts';
import { type Movement, type MovementOrder, move } from './move-credits.ts';

export function adjust(tx: Tx, tenantId: string, order: MovementOrder): Promise<Movement> {
  return move(tx, tenantId, 'adjust', order);
}
