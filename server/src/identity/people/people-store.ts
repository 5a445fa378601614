// People as rows. Runs as the system role.
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

const LIST_LIMIT = 1_000;

export type NewUser = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
};

export async function insertUser(tx: Tx, user: NewUser): Promise<void> {
  await execute(
    tx,
    sql`
    insert into users (id, email, first_name, last_name)
    values (${user.id}, ${user.email}, ${user.firstName}, ${user.lastName})`,
  );
}

export type User = NewUser & { readonly totpEnabled: boolean; readonly isEnabled: boolean; readonly createdAt: Date };

export async function findUser(tx: Tx, id: string): Promise<User | undefined> {
  const [user] = await rows<User>(
    tx,
    sql`
    select id, email, first_name as "firstName", last_name as "lastName", totp_enabled as "totpEnabled",
           is_enabled as "isEnabled", created_at as "createdAt"
      from users where id = ${id}`,
  );
  return user;
}

/** Expects the address in lower case, as it is stored. */
export async function findUserByEmail(tx: Tx, email: string): Promise<User | undefined> {
  const [user] = await rows<User>(
    tx,
    sql`
    select id, email, first_name as "firstName", last_name as "lastName", totp_enabled as "totpEnabled",
           is_enabled as "isEnabled", created_at as "createdAt"
      from users where email = ${email}`,
  );
  return user;
}

export async function listUsers(tx: Tx): Promise<User[]> {
  return rows<User>(
    tx,
    sql`
    select id, email, first_name as "firstName", last_name as "lastName", totp_enabled as "totpEnabled",
           is_enabled as "isEnabled", created_at as "createdAt"
      from users order by id limit ${LIST_LIMIT}`,
  );
}

/** Returns false when the user does not exist. */
export async function updateUserEnabled(tx: Tx, userId: string, isEnabled: boolean): Promise<boolean> {
  return (await execute(tx, sql`update users set is_enabled = ${isEnabled} where id = ${userId}`)) === 1;
}
