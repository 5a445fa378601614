// A statement's lines as CSV (RFC 4180: a header line, CRLF, quotes where needed). People open the file in a
// spreadsheet, so a text that looks like a formula gets an apostrophe in front.
import type { WalletEntry } from '@trefoil/contract';

/** New columns come last, so that programs that read by position keep working. */
const COLUMNS = [
  ...(['id', 'kind', 'amount', 'balanceAfter', 'creditReportId', 'reversesId', 'note', 'createdAt'] as const),
  ...(['amountPounds', 'balanceAfterPounds', 'externalReference', 'bureauCount'] as const),
] as const;

/** People write these fields, so they may look like a formula. An amount keeps its minus and stays a number. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['note', 'externalReference']);

export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** Includes the full-width signs, which some spreadsheets read like the plain ones. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** Also quotes the separators of other countries' spreadsheets: the text after one must not become a separate cell. */
const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function toCsvLine(entry: WalletEntry): string {
  const cells = COLUMNS.map((column) => {
    const value = entry[column];
    if (value === null) return '';
    return quoted(OF_PEOPLE.has(column) ? String(value).replace(FORMULA_START, "'$&") : String(value));
  });
  return `${cells.join(',')}\r\n`;
}
