// Sightings as rows: written with the request that was seen, counted before it, deleted by age.
import { execute, rows, sql, type Tx } from '../lib/sql.ts';

export type NewSighting = { readonly subjectHash: Buffer; readonly identityHash: Buffer };

export type SeenSubject = {
  readonly subjectHash: Buffer;
  readonly hour: number;
  readonly day: number;
  /** Hashes of the people it was seen with within the day. */
  readonly people: readonly Buffer[];
  /** Seen more than an hour ago, within the month. */
  readonly isKnown: boolean;
};

/**
 * Writes the new ones and says what was there before them, in one statement, which does not see its own rows. At most
 * a hundred rows of a subject are looked at: whoever has more is counted as having a hundred.
 */
export function insertSightings(
  tx: Tx,
  added: readonly NewSighting[],
  subjectHashes: readonly Buffer[],
): Promise<SeenSubject[]> {
  return rows<SeenSubject>(
    tx,
    sql`
    with added as (
      insert into sightings (subject_hash, identity_hash)
      select * from unnest(${added.map((each) => each.subjectHash)}::bytea[],
                           ${added.map((each) => each.identityHash)}::bytea[]))
    select asked.subject_hash as "subjectHash", count(*) filter (where seen_at > clock.hour) as hour,
           count(*) filter (where seen_at > clock.day) as day,
           coalesce(array_agg(distinct identity_hash) filter (where seen_at > clock.day), '{}') as people,
           bool_or(seen_at <= clock.hour) as "isKnown"
      from unnest(${subjectHashes}::bytea[]) as asked (subject_hash)
     cross join (select clock_timestamp() - interval '1 hour' as hour, clock_timestamp() - interval '1 day' as day,
                        clock_timestamp() - interval '30 days' as month offset 0) as clock
     cross join lateral (select identity_hash, seen_at from sightings
                          where sightings.subject_hash = asked.subject_hash
                          order by seen_at desc limit 100) as recent
     -- Out here, or the planner would take the age for the way in and read a month of everybody.
     where seen_at > clock.month
     group by asked.subject_hash`,
  );
}

/** As the system role. */
export function deleteOldSightings(tx: Tx): Promise<number> {
  return execute(tx, sql`delete from sightings where seen_at < clock_timestamp() - interval '30 days'`);
}
