// A tagged template for plain SQL: interpolated values are always sent as parameters, never as text. The name of each
// statement is derived from its text, so that a connection parses and plans it once.
import { createHash } from 'node:crypto';
import type { QueryResultRow } from 'pg';

export type Query = { readonly name: string; readonly text: string; readonly values: unknown[] };

const known = new WeakMap<TemplateStringsArray, { name: string; text: string }>();

function prepare(strings: TemplateStringsArray): { name: string; text: string } {
  const text = strings.reduce((whole, part, index) => `${whole}$${index}${part}`);
  const prepared = { name: createHash('sha256').update(text).digest('base64url').slice(0, 24), text };
  known.set(strings, prepared);
  return prepared;
}

/** Elements of `{a,b}` that need no quotes or escapes. The empty text and the word null would be misread. */
const PLAIN = /^(?!null$)[\w:.-]+$/i;

/** A list as PostgreSQL's array text. The driver does the same, with two searches and quotes for every id and number. */
function arrayText(list: readonly unknown[]): string | readonly unknown[] {
  let text = '';
  for (const item of list) {
    if (text !== '') text += ',';
    if (item === null) text += 'NULL';
    else if (typeof item === 'number' || typeof item === 'boolean') text += item;
    else if (typeof item === 'string') text += PLAIN.test(item) ? item : `"${item.replace(/["\\]/g, '\\$&')}"`;
    else if (Buffer.isBuffer(item)) text += `\\\\x${item.toString('hex')}`;
    // Dates: the driver converts them.
    else return list;
  }
  return `{${text}}`;
}

export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Query {
  const { name, text } = known.get(strings) ?? prepare(strings);
  return { name, text, values: values.map((value) => (Array.isArray(value) ? arrayText(value) : value)) };
}

type Answer<Row extends QueryResultRow> = Promise<{ rows: Row[]; rowCount: number | null }>;

/** An open transaction. Only `lib/postgres/database.ts` makes one. */
export interface Tx {
  query<Row extends QueryResultRow>(query: Query): Answer<Row>;
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Answer<Row>;
}

export async function rows<Row extends QueryResultRow>(tx: Tx, query: Query): Promise<Row[]> {
  return (await tx.query<Row>(query)).rows;
}

/** Runs a statement for its effect and returns how many rows it affected. */
export async function execute(tx: Tx, query: Query): Promise<number> {
  return (await tx.query(query)).rowCount ?? 0;
}

/**
 * Many byte strings as one binary parameter: a list of them would be sent as hexadecimal text and parsed again character by
 * character. In SQL: `substring(bytes from start for length)`, null where there was none.
 */
export function packBytes(list: readonly (Buffer | null)[]): {
  bytes: Buffer;
  starts: number[];
  lengths: (number | null)[];
} {
  let start = 1;
  const starts = list.map((each) => {
    const own = start;
    start += each?.length ?? 0;
    return own;
  });
  return {
    bytes: Buffer.concat(list.flatMap((each) => each ?? [])),
    starts,
    lengths: list.map((each) => each?.length ?? null),
  };
}
