// For pages in key order. The planner cannot see through row-level security and assumes that every tenant is small: for a
// page it would collect all of a tenant's rows and sort them. This makes it walk along the key.
import { execute, sql, type Tx } from './sql.ts';

/** Holds for the rest of the transaction. Statements that need a sort after a look-up by key still get one. */
export async function walkInKeyOrder(tx: Tx): Promise<void> {
  await execute(
    tx,
    // A sort that is still needed looks very expensive, and PostgreSQL compiles or parallelises expensive plans: not here.
    sql`
    select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
           set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
           -- Where a page begins and ends decides how to read it, so each one is planned for itself.
           set_config('plan_cache_mode', 'force_custom_plan', true)`,
  );
}

/**
 * For a statement that joins a short stretch of a long table with rows by their keys. The planner does not know how short the
 * stretch is, and would read whole tables to join them at once. Holds for the rest of the transaction.
 */
export async function walkByKey(tx: Tx): Promise<void> {
  await execute(
    tx,
    sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
           set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true),
           set_config('max_parallel_workers_per_gather', '0', true)`,
  );
}
