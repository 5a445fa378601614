// Links that let a person set up a first factor. A link is valid once, for half an hour; the sign-in that follows it may add one
// factor within half an hour. The token in the link is derived from its id and not stored. Runs as the system role.
import { agedTable } from '../../lib/postgres/retention.ts';
import { execute, rows, sql, type Tx } from '../../lib/postgres/sql.ts';

const LIFETIME_SECONDS = 30 * 60;

/** Changes of one person's factors run one after another: of two first factors at once, one is the first. */
export async function lockPerson(tx: Tx, userId: string): Promise<void> {
  await execute(tx, sql`select 1 from users where id = ${userId} for no key update`);
}

/** Lock the person first: otherwise a factor may be added meanwhile. */
export async function hasFactor(tx: Tx, userId: string): Promise<boolean> {
  const found = await rows(
    tx,
    sql`
    select 1 from user_totps where user_id = ${userId}
    union all
    select 1 from user_passkeys where user_id = ${userId}`,
  );
  return found.length > 0;
}

/**
 * Inserts nothing for a person with `max` links within the hour; lock the person first. Links from before the last change of the
 * password do not count: a thief who knew the old one may have asked for them.
 */
export async function insertFactorLink(tx: Tx, link: { id: string; userId: string; max: number }): Promise<boolean> {
  const inserted = await execute(
    tx,
    sql`
    insert into factor_links (id, user_id)
    select ${link.id}, ${link.userId}::uuid
     where (select count(*) from factor_links
             where user_id = ${link.userId} and created_at > clock_timestamp() - interval '1 hour'
               and created_at > all (select changed_at from user_passwords where user_id = ${link.userId})) < ${link.max}::int`,
  );
  return inserted === 1;
}

export type FollowingLink = { readonly id: string; readonly userId: string; readonly signInId: string };

/** Whether this person can follow the link now. */
export async function isLinkOpen(tx: Tx, { id, userId }: Omit<FollowingLink, 'signInId'>): Promise<boolean> {
  const found = await rows(
    tx,
    sql`
    select 1 from factor_links
     where id = ${id} and user_id = ${userId} and followed_at is null and used_at is null
       and created_at > clock_timestamp() - make_interval(secs => ${LIFETIME_SECONDS})`,
  );
  return found.length > 0;
}

/** True for exactly one of the concurrent requests that follow the link. */
export async function updateLinkFollowed(tx: Tx, { id, userId, signInId }: FollowingLink): Promise<boolean> {
  const followed = await execute(
    tx,
    sql`
    update factor_links set followed_at = clock_timestamp(), sign_in_id = ${signInId}
     where id = ${id} and user_id = ${userId} and followed_at is null and used_at is null
       and created_at > clock_timestamp() - make_interval(secs => ${LIFETIME_SECONDS})`,
  );
  return followed === 1;
}

type Follower = { readonly userId: string; readonly signInId: string };

/** Whether this sign-in has followed a link with which no factor was added yet. */
export async function hasFollowedLink(tx: Tx, { userId, signInId }: Follower): Promise<boolean> {
  const found = await rows(
    tx,
    sql`
    select 1 from factor_links
     where user_id = ${userId} and sign_in_id = ${signInId} and used_at is null
       and followed_at > clock_timestamp() - make_interval(secs => ${LIFETIME_SECONDS})`,
  );
  return found.length > 0;
}

/** Marks every link of the person, not only the followed one: the next first factor needs a new link. */
export async function updateLinksUsed(tx: Tx, userId: string): Promise<void> {
  await execute(
    tx,
    sql`update factor_links set used_at = clock_timestamp() where user_id = ${userId} and used_at is null`,
  );
}

/** A week shows how often links were asked for. */
export const FACTOR_LINKS = agedTable('factor_links', 'created_at', '7 days');
