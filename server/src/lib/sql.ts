// A tagged template for plain SQL: interpolated values always travel as parameters, never as text.
import type { QueryResultRow } from 'pg';

export type Query = { readonly text: string; readonly values: readonly unknown[] };

export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Query {
  return { text: strings.reduce((text, part, index) => `${text}$${index}${part}`), values };
}

/** An open transaction. Only `lib/database.ts` makes one. */
export interface Tx {
  query<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>;
}

export async function rows<Row extends QueryResultRow>(tx: Tx, query: Query): Promise<Row[]> {
  return (await tx.query<Row>(query.text, [...query.values])).rows;
}

/** Runs a statement for its effect and says how many rows it touched. */
export async function execute(tx: Tx, query: Query): Promise<number> {
  return (await tx.query(query.text, [...query.values])).rowCount ?? 0;
}
