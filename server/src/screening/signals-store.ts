// SignalCounts as rows: written with their request, counted before it, deleted by age.
import { type AgedRow, agedTable, deletePlaces } from '../lib/postgres/retention.ts';
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

export type SightedThen = { readonly identityHash: Buffer; readonly from: Date; readonly to: Date };

/** As the app role. By the minute, to match the index by age. */
export function listSignals(tx: Tx, sighted: readonly SightedThen[]): Promise<AgedRow[]> {
  return rows<AgedRow>(
    tx,
    sql`
    select distinct sightings.ctid::text as place, seen_at::text as at
      from unnest(${sighted.map(({ identityHash }) => identityHash)}::bytea[],
                  ${sighted.map(({ from }) => from.toISOString())}::timestamptz[],
                  ${sighted.map(({ to }) => to.toISOString())}::timestamptz[])
           as asked (identity_hash, seen_from, seen_to)
      join sightings on date_bin('1 minute', seen_at, '2000-01-01Z')
                          between date_bin('1 minute', asked.seen_from, '2000-01-01Z')
                              and date_bin('1 minute', asked.seen_to, '2000-01-01Z')
                    and sightings.identity_hash = asked.identity_hash`,
  );
}

/** As the system role. */
export const deleteSignals = (tx: Tx, found: readonly AgedRow[]) => deletePlaces(tx, 'sightings', 'seen_at', found);

/** By the minute, to match its index. */
export const SIGHTINGS = agedTable('sightings', "date_bin('1 minute', seen_at, '2000-01-01Z')", '30 days');
