// When a job was last done, by any process, and what it found. Only for jobs that nothing else tells of, and for an operator's look:
// the service decides nothing by it.
import type { Database } from './postgres/database.ts';
import { execute, rows, sql } from './postgres/sql.ts';

export type JobMark = { readonly name: string; readonly secondsAgo: number; readonly found: number };

export const markJob = (database: Database, name: string, found = 0): Promise<void> =>
  database.asSystem(async (tx) => {
    await execute(
      tx,
      sql`
      insert into job_marks (name, found) values (${name}, ${found})
      on conflict (name) do update set done_at = clock_timestamp(), found = excluded.found`,
    );
  });

export const listJobMarks = (database: Database): Promise<JobMark[]> =>
  database.asSystem((tx) =>
    rows<JobMark>(
      tx,
      sql`
      select name, found, extract(epoch from clock_timestamp() - done_at)::float8 as "secondsAgo"
        from job_marks order by name limit 100`,
    ),
  );
