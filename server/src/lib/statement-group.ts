// Statements that go to PostgreSQL as one message and are answered as one. Left to itself the driver ends every statement
// with a Sync, at which the server sends what it has: eight statements are eight packets back and eight turns of this
// process's loop. When one statement of a group fails, the server skips the rest of it.
import { Query as DriverQuery, type PoolClient, type QueryResult } from 'pg';
import type { Query } from './sql.ts';

/** What the driver's connection has beside its published types. */
type Connection = {
  readonly stream: { cork(): void; uncork(): void; destroy(): void };
  readonly submittedNamedStatements: Record<string, string>;
  sync(): void;
};

/** What the driver calls on a query and reads from it; published only in part. */
type Member = DriverQuery & {
  name: string | undefined;
  text: string;
  readonly _result: { _types: unknown };
  submit(connection: Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
  handleError(error: unknown, connection: Connection): void;
};

/** A statement without a name is parsed anew each time. */
type Sendable = Omit<Query, 'name'> & Partial<Query>;

export type Send = (query: Sendable) => Promise<QueryResult>;

type Settle = (error: Error | undefined, result?: unknown) => void;
type Statement = { readonly query: Sendable; readonly settle: Settle };

/** To the driver one query: what it hears is handed to the statement whose turn it is. */
function createGroup(statements: readonly Statement[]): Member {
  let refused: Error | undefined;
  const members = statements.map(({ query, settle }) => {
    const note: Settle = (error, result) => {
      refused ??= error;
      settle(error, result);
    };
    // Never the simple protocol, which is answered at once, whatever stands behind it.
    return new DriverQuery({ ...query, queryMode: 'extended' } as Query, undefined, note) as Member;
  });
  const group = new DriverQuery('') as Member;
  let place = 0;
  const current = () => members[place] as Member;
  /** The driver notes a statement as known to the server under the name it finds here. */
  const showCurrent = () => Object.assign(group, { name: members[place]?.name, text: members[place]?.text });
  const showNext = () => {
    place += 1;
    showCurrent();
  };

  return Object.assign(group, {
    submit(connection: Connection): null {
      const withoutSync: Connection = Object.assign(Object.create(connection), { sync: () => undefined });
      showCurrent();
      connection.stream.cork();
      for (const member of members) {
        member._result._types = group._result._types;
        const invalid = member.submit(withoutSync);
        refused ??= invalid ?? undefined;
        if (refused) break;
      }
      if (refused) {
        // Values that cannot be written: nothing of the group may go, least of all a commit, and half of it waits already.
        group.handleError(refused, connection);
        connection.stream.destroy();
        return null;
      }
      connection.sync();
      connection.stream.uncork();
      return null;
    },
    handleRowDescription: (message: unknown) => current().handleRowDescription(message),
    handleDataRow: (message: unknown) => current().handleDataRow(message),
    handleCommandComplete(message: unknown, connection: Connection) {
      current().handleCommandComplete(message, connection);
      showNext();
    },
    // Told instead of a completed command when there was nothing but a comment.
    handleEmptyQuery: showNext,
    handleReadyForQuery(connection: Connection) {
      for (const member of members) member.handleReadyForQuery(connection);
    },
    handleError(error: unknown, connection: Connection) {
      // The server has not heard of those behind the one that failed.
      for (const { name } of members.slice(place)) if (name) delete connection.submittedNamedStatements[name];
      for (const member of members) member.handleError(error, connection);
    },
  });
}

/** Sends what is asked in one turn of the loop as one group. Each statement has its own answer, and all have one error. */
export function createSender(client: PoolClient): Send {
  let waiting: Statement[] = [];
  const send = () => {
    const statements = waiting;
    waiting = [];
    client.query(createGroup(statements));
  };
  return (query) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) process.nextTick(send);
      waiting.push({ query, settle: (error, result) => (error ? reject(error) : resolve(result as QueryResult)) });
    });
}
