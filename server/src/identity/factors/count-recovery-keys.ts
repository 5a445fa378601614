// For an operator: how many people have recovery codes under which hash key.
import type { Database } from '../../lib/postgres/database.ts';
import { listRecoveryKeys, type RecoveryKey } from './factor-store.ts';

export const countRecoveryKeys = (database: Database): Promise<RecoveryKey[]> => database.asSystem(listRecoveryKeys);
