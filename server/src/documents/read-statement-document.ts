// The statement of a month as a PDF. It costs nothing; reading references leaves its audit row before anything is painted.
import type { Caller } from '../http/authenticate.ts';
import type { WalletStatement } from '../wallet/read-statement.ts';
import type { Painter } from './painter.ts';

export type StatementDependencies = {
  readonly readStatement: (caller: Caller, month: string | undefined) => Promise<WalletStatement>;
  readonly painter: Pick<Painter, 'withPlace'>;
};

/** A long month takes a second or two of the one thread, where a report takes a tenth of one: a tenant has two at a time. */
const STATEMENT_PLACES = 5;

type Asked = {
  readonly month: string | undefined;
  /** Painting waits for its turn: the place of a read is given back before. */
  readonly beforeWait: () => void;
};

export async function readStatementDocument(
  { readStatement, painter }: StatementDependencies,
  caller: Caller,
  { month, beforeWait }: Asked,
): Promise<{ readonly month: string; readonly bytes: Buffer }> {
  // The place first: a request without one costs no read and writes no audit row.
  return painter.withPlace(
    caller.tenantId,
    async (paint) => {
      const statement = await readStatement(caller, month);
      beforeWait();
      const painted = await paint({ statement, format: 'pdf' });
      const bytes = Buffer.from(painted.buffer, painted.byteOffset, painted.byteLength);
      return { month: statement.month.month, bytes };
    },
    STATEMENT_PLACES,
  );
}
