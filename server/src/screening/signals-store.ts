// SignalCounts as rows: written with their request, counted before it, deleted by age.
import { agedTable } from '../lib/postgres/retention.ts';
import { rows, sql, type Tx } from '../lib/postgres/sql.ts';

export type NewSighting = { readonly subjectHash: Buffer; readonly identityHash: Buffer };

export type SeenSubject = {
  readonly subjectHash: Buffer;
  readonly hour: number;
  readonly day: number;
  /** Hashes of the people seen with it within the day. */
  readonly people: readonly Buffer[];
  /** Seen more than an hour ago, within the month. */
  readonly isKnown: boolean;
};

/**
 * Inserts the new sightings and returns the earlier ones in one statement, which does not see its own rows. It reads at
 * most a hundred rows per subject: more count as a hundred.
 */
export function insertSignals(
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

/** By the minute, to match its index. */
export const SIGHTINGS = agedTable('sightings', "date_bin('1 minute', seen_at, '2000-01-01Z')", '30 days');
