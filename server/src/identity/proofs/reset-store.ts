// Asked-for password resets. A reset is good for half an hour, once; the token in its link is derived from its id and
// kept nowhere. Runs as the system role.
import { execute, rows, sql, type Tx } from '../../lib/sql.ts';

const LIFETIME_SECONDS = 30 * 60;

/** Nothing for an address that nobody enabled has, or that has had `max` of them within the hour. */
export async function insertReset(
  tx: Tx,
  reset: { id: string; email: string; max: number },
): Promise<{ userId: string } | undefined> {
  // Locked, because requests at the same moment must not all count the same resets.
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

/** The operator's: not limited, since they can do everything anyway. */
export async function insertResetOf(tx: Tx, id: string, userId: string): Promise<void> {
  await execute(tx, sql`insert into password_resets (id, user_id) values (${id}, ${userId})`);
}

export type OpenReset = { readonly userId: string; readonly email: string };

/** Locked, because one link must not set two passwords. Only while it is good. */
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

/** With the one that was used, every other that is still open: their links may lie in somebody else's mailbox. */
export async function updateResetsUsed(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    sql`update password_resets set used_at = clock_timestamp() where user_id = ${userId} and used_at is null`,
  );
}
