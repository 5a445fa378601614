// What statements cost, counted: pages read do not depend on the machine.
import type { Query, Tx } from '../../src/lib/postgres/sql.ts';

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
const textOf = (value: unknown) =>
  Array.isArray(value) ? `{${value.map((each) => JSON.stringify(String(each))).join()}}` : String(value);
const literal = (value: unknown) => (value === null ? 'null' : `'${textOf(value).replaceAll("'", "''")}'`);

/**
 * A transaction that notes how many pages its statements read. Each statement is explained first, as a prepared one with a generic plan, and undone;
 * `custom` is for what comes after `walkInKeyOrder`. With TREFOIL_TEST_EXPLAIN=1 it prints the plans instead.
 */
export function countingPages(tx: Tx, note: (pages: number) => void, plan: 'generic' | 'custom' = 'generic'): Tx {
  const query = async ({ text, values }: Query) => {
    await tx.query('savepoint before', []);
    await tx.query(`set local plan_cache_mode = force_${plan}_plan`, []);
    await tx.query(`prepare explained as ${text}`, []);
    const options = process.env['TREFOIL_TEST_EXPLAIN'] ? 'analyze, buffers' : 'analyze, buffers, format json';
    const told = await tx.query<{ 'QUERY PLAN': string | { Plan: Plan }[] }>(
      `explain (${options}) execute explained ${values.length > 0 ? `(${values.map(literal).join(', ')})` : ''}`,
      [],
    );
    const [first] = told.rows;
    if (typeof first?.['QUERY PLAN'] === 'string') console.log(told.rows.map((row) => row['QUERY PLAN']).join('\n'));
    else
      note(
        (first?.['QUERY PLAN'][0]?.Plan['Shared Hit Blocks'] ?? 0) +
          (first?.['QUERY PLAN'][0]?.Plan['Shared Read Blocks'] ?? 0),
      );
    await tx.query('deallocate explained', []);
    await tx.query('rollback to savepoint before', []);
    return tx.query(text, values);
  };
  return { query } as Tx;
}
