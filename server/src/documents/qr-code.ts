// The code that opens the page which verifies a document, as runs of dark cells.
import { encode } from 'uqr';

export type DarkRun = { readonly row: number; readonly column: number; readonly length: number };

/** Always the same mask: trying all eight takes longer than the rest of the code, and any mask can be read. */
const MASK = 3;

export function qrCode(text: string): { readonly size: number; readonly runs: readonly DarkRun[] } {
  const { size, data } = encode(text, { ecc: 'M', border: 0, maskPattern: MASK });
  const runs = data.flatMap((cells, row) => {
    const own: DarkRun[] = [];
    for (let column = 0; column < size; column += 1) {
      const begin = column;
      while (cells[column] === true) column += 1;
      if (column > begin) own.push({ row, column: begin, length: column - begin });
    }
    return own;
  });
  return { size, runs };
}
