// Corrects a wallet by hand, up or down, with the reason in the books. It can never take what is held.
import type { Tx } from '../lib/sql.ts';
import { type Movement, type MovementOrder, move } from './move-credits.ts';

export function adjust(tx: Tx, tenantId: string, order: MovementOrder): Promise<Movement> {
  return move(tx, tenantId, 'adjust', order);
}
