// Statements that go to PostgreSQL as one message and are answered as one. Left to itself the driver ends every statement
// with a Sync, at which the server sends what it has: eight statements are eight packets back and eight turns of this
// process's loop. When one statement of a group fails, the server skips the rest of it.
import { DatabaseError, Query as DriverQuery, type PoolClient, type QueryResult } from 'pg';
import type { Query } from './sql.ts';
import { CUT_OFF } from './unavailable.ts';

/** What the driver's connection has beside its published types. */
type Connection = {
  readonly stream: { cork(): void; uncork(): void; destroy(error?: Error): void };
  readonly submittedNamedStatements: Record<string, string>;
  sync(): void;
};

const connectionOf = (client: PoolClient) => (client as unknown as { connection: Connection }).connection;

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

export type Patience = {
  /** How long the group that is sent now may take. */
  timeoutMs(): number;
  /** Told when the server has answered, and when it has not: then the connection is gone. */
  onAnswer(): void;
  /** Says whether that means that the server is silent, and not only that its time was short. */
  onSilence(sentMs: number, limitMs: number): boolean;
};

/**
 * The driver's own timer is never cleared for a group, so each group has one of its own. A connection that says nothing is
 * destroyed: its host may be dead without a word, and nobody can tell any more what the server has done.
 */
function awaitAnswer(client: PoolClient, { timeoutMs, onAnswer, onSilence }: Patience): () => void {
  const sentMs = performance.now();
  const limitMs = timeoutMs();
  const timer = setTimeout(
    () => {
      const code = onSilence(sentMs, limitMs) ? 'ETIMEDOUT' : CUT_OFF;
      const error = Object.assign(new Error('the database has not answered in time'), { code });
      connectionOf(client).stream.destroy(error);
    },
    Math.max(0, limitMs),
  );
  return () => {
    clearTimeout(timer);
    onAnswer();
  };
}

/** Sends what is asked in one event-loop tick as one group. Each statement has its own answer, and all have one error. */
export function createSender(client: PoolClient, patience: Patience): Send {
  let waiting: Statement[] = [];
  const send = () => {
    const statements = waiting;
    waiting = [];
    const answered = awaitAnswer(client, patience);
    const [last] = statements.slice(-1);
    // All of a group are settled in one event-loop tick, the last one included.
    const settle: Settle = (error, result) => {
      answered();
      last?.settle(error, result);
    };
    client.query(createGroup(last ? [...statements.slice(0, -1), { query: last.query, settle }] : []));
  };
  return (query) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) process.nextTick(send);
      waiting.push({ query, settle: (error, result) => (error ? reject(error) : resolve(result as QueryResult)) });
    });
}

/**
 * Sends each statement by itself, after the answer to the one before, as the driver does it
 * (docs/decisions/0195-grouping-can-be-turned-off.md).
 */
export function createSingleSender(client: PoolClient, patience: Patience): Send {
  let before: Promise<unknown> = Promise.resolve();
  async function sendOne(query: Sendable): Promise<QueryResult> {
    const answered = awaitAnswer(client, patience);
    try {
      return await client.query(query);
    } catch (error) {
      // The driver could not write a value, a fault of ours. Nothing more may go, least of all a commit; and the driver does not
      // know any more which statements the server has.
      if (!(error instanceof DatabaseError)) connectionOf(client).stream.destroy();
      throw error;
    } finally {
      answered();
    }
  }
  return (query) => {
    const sent = before.then(() => sendOne(query));
    before = sent.catch(() => undefined);
    return sent;
  };
}
