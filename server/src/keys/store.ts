// The working keys of months, each wrapped by the key service. As the system role, which cannot read a report's wrapped data
// key: neither role has both.
import { execute, rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type WorkingKeyRow = {
  readonly id: string;
  readonly month: string;
  readonly service: string;
  /** Empty once it is destroyed. */
  readonly wrappedKey: Buffer;
  /** Made with the working key: other bytes give another value. */
  readonly checkValue: Buffer;
  readonly createdAt: Date;
  readonly rewrappedAt: Date | null;
  /** From then on it is given to nobody. */
  readonly closedAt: Date | null;
  /** The key service has destroyed the month's key, or promised to. */
  readonly destroyedAt: Date | null;
};

export async function findWorkingKey(tx: Tx, id: string): Promise<WorkingKeyRow | undefined> {
  const [row] = await rows<WorkingKeyRow>(
    tx,
    sql`
    select id, month, service, wrapped_key as "wrappedKey", check_value as "checkValue",
           created_at as "createdAt", rewrapped_at as "rewrappedAt",
           closed_at as "closedAt", destroyed_at as "destroyedAt"
      from working_keys where id = ${id}`,
  );
  return row;
}

const KEYS_MAX = 1_000;

/** Newest month first. */
export function listWorkingKeys(tx: Tx): Promise<WorkingKeyRow[]> {
  return rows<WorkingKeyRow>(
    tx,
    sql`
    select id, month, service, wrapped_key as "wrappedKey", check_value as "checkValue",
           created_at as "createdAt", rewrapped_at as "rewrappedAt",
           closed_at as "closedAt", destroyed_at as "destroyedAt"
      from working_keys order by month desc, service limit ${KEYS_MAX}`,
  );
}

type NewRow = Pick<WorkingKeyRow, 'id' | 'month' | 'service' | 'wrappedKey' | 'checkValue'>;

/** Does nothing if another process was first: its key counts. */
export async function insertWorkingKey(tx: Tx, key: NewRow): Promise<void> {
  await execute(
    tx,
    sql`
    insert into working_keys (id, month, service, wrapped_key, check_value)
    values (${key.id}, ${key.month}, ${key.service}, ${key.wrappedKey}, ${key.checkValue})
    on conflict do nothing`,
  );
}

/** False if another process has changed it since it was read. */
export async function updateRewrapped(tx: Tx, id: string, from: Buffer, to: Buffer): Promise<boolean> {
  const changed = await execute(
    tx,
    sql`
    update working_keys set wrapped_key = ${to}, rewrapped_at = clock_timestamp()
     where id = ${id} and wrapped_key = ${from} and closed_at is null`,
  );
  return changed === 1;
}

export async function updateClosed(tx: Tx, id: string): Promise<void> {
  await execute(tx, sql`update working_keys set closed_at = coalesce(closed_at, clock_timestamp()) where id = ${id}`);
}

/** A row that needs the key was found after all. */
export async function updateReopened(tx: Tx, id: string): Promise<void> {
  await execute(tx, sql`update working_keys set closed_at = null where id = ${id} and destroyed_at is null`);
}

export async function updateDestroyed(tx: Tx, id: string): Promise<void> {
  await execute(
    tx,
    sql`
    update working_keys set destroyed_at = coalesce(destroyed_at, clock_timestamp()), wrapped_key = ''
     where id = ${id} and closed_at is not null`,
  );
}
