// A statement's lines as CSV (RFC 4180: a header line, CRLF, quotes where needed). The file will be opened in a
// spreadsheet, so a text that a spreadsheet would take for a formula is given an apostrophe in front.
import type { WalletEntry } from '@trefoil/contract';

const COLUMNS = ['id', 'kind', 'amount', 'balanceAfter', 'creditReportId', 'reversesId', 'note', 'createdAt'] as const;

export const CSV_HEADER = `${COLUMNS.join(',')}\r\n`;

/** Also the full-width signs, which some spreadsheets read like the plain ones. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function toCsvLine(entry: WalletEntry): string {
  const cells = COLUMNS.map((column) => {
    const value = entry[column];
    // Only the note is written by people: an amount keeps its minus and stays a number.
    if (column === 'note' && value !== null) return quoted(String(value).replace(FORMULA_START, "'$&"));
    return value === null ? '' : quoted(String(value));
  });
  return `${cells.join(',')}\r\n`;
}
