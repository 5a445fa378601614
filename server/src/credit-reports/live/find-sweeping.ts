// For an operator: whether any process sweeps up unfinished work.
import type { Database } from '../../lib/postgres/database.ts';
import { readSweeping, type Sweeping } from './live-store.ts';

export const findSweeping = (database: Database): Promise<Sweeping> => database.asSystem(readSweeping);
