// Requested password resets. A reset is valid once, for half an hour. The token in its link is derived from its id and
// not stored. Runs as the system role.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

const LIFETIME_SECONDS = 30 * 60;

/** Inserts nothing for an address with no enabled user, or for one with `max` resets within the hour. */
export async function insertReset(
  tx: Tx,
  reset: { id: string; email: string; max: number },
): Promise<{ userId: string } | undefined> {
  // Locked, because concurrent requests must not all count the same resets.
  await execute(tx, sql`select 1 from users where email = ${reset.email} for update`);
  const [row] = await rows<{ userId: string }>(
    tx,
    sql`
    insert into password_resets (id, user_id)
    select ${reset.id}, users.id from users
     where email = ${reset.email} and is_enabled
       and (select count(*) from password_resets
             where user_id = users.id and created_at > clock_timestamp() - interval '1 hour') < ${reset.max}
    returning user_id as "userId"`,
  );
  return row;
}

/** The operator's reset: not limited, since the operator has full access anyway. */
export async function insertResetOf(tx: Tx, id: string, userId: string): Promise<void> {
  await execute(tx, sql`insert into password_resets (id, user_id) values (${id}, ${userId})`);
}

export type OpenReset = { readonly userId: string; readonly email: string };

/** Locked, because one link must not set two passwords. Undefined once it is used or expired. */
export async function lockReset(tx: Tx, id: string): Promise<OpenReset | undefined> {
  const [row] = await rows<OpenReset>(
    tx,
    sql`
    select users.id as "userId", users.email
      from password_resets join users on users.id = password_resets.user_id
     where password_resets.id = ${id} and used_at is null and is_enabled
       and password_resets.created_at > clock_timestamp() - make_interval(secs => ${LIFETIME_SECONDS})
       for update of password_resets`,
  );
  return row;
}

/** Marks every open reset of the person, not only the used one: the other links may lie in another person's mailbox. */
export async function updateResetsUsed(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    sql`update password_resets set used_at = clock_timestamp() where user_id = ${userId} and used_at is null`,
  );
}
