// For pages in the order of a key. The planner cannot see through the wall between tenants and takes every tenant for a
// small one: for a page it would gather all of a tenant's rows and sort them. Here it is told to walk along the key.
import { execute, sql, type Tx } from './sql.ts';

/** For the rest of the transaction. Statements that need a sort after a look-up by key still get one. */
export async function walkInKeyOrder(tx: Tx): Promise<void> {
  await execute(
    tx,
    // A sort that is needed all the same counts as very dear, and what is dear is compiled or shared out: not here.
    sql`
    select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
           set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
           -- Where a page begins and ends decides how to read it, so each one is planned for itself.
           set_config('plan_cache_mode', 'force_custom_plan', true)`,
  );
}
