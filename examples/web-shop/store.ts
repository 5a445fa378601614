// What the shop keeps: its orders, and the events that Trefoil told it. No report is kept: the shop reads it again when it
// needs it. The details that a consumer typed are kept only until there is an answer.
import { DatabaseSync } from 'node:sqlite';
import type { Event, GenerateRequest } from '@trefoil/sdk';
import type { Form } from './request-of-form.ts';

export type Status =
  | 'asking'
  /** No answer, or one that may be different later. The same request is sent again, with the same key. */
  | 'try-later'
  /** Never stored: the order waited for an answer until its request was deleted, so it cannot be sent again. */
  | 'lapsed'
  | 'code-needed'
  | 'complete'
  /** Complete, but no bureau knew the person. It is not a clean file. */
  | 'not-found'
  | 'blocked'
  | 'failed'
  | 'expired';

export type Order = {
  /** Made when the form loads. It is also the idempotency key: in this shop an order is one attempt. */
  readonly id: string;
  /** The cookie of the consumer's browser. No other browser sees the order. */
  readonly visitor: string;
  readonly createdAt: string;
  readonly status: Status;
  readonly creditReportId: string | null;
  readonly challengeId: string | null;
  readonly attemptsRemaining: number;
  readonly messagesRemaining: number;
  /** SQLite's truth: 1 while the request is kept and may be sent again. */
  readonly hasRequest: 0 | 1;
  /** For the shop's staff: why the order is where it is. */
  readonly note: string;
};

export type Change = Partial<Omit<Order, 'id' | 'visitor' | 'createdAt' | 'hasRequest'>> & { readonly status: Status };

/** What is sent to the service, and what the consumer typed, for the form that marks a fault of it. */
export type Asking = { readonly request: GenerateRequest; readonly form: Form };

export type ReceivedEvent = { readonly event: Event; readonly deliveries: number };

/** How often webhooks were refused for one kind of mistake. */
export type Refusals = { readonly mistake: string; readonly times: number; readonly lastAt: string };

/**
 * An hour less than the service remembers an idempotency key: a repeat never arrives after that, where it would be a second
 * report. Deletion runs every hour, so the details are gone after a day at the latest.
 */
const REQUEST_KEPT_HOURS = 23;
const DELETE_EVERY_MS = 60 * 60_000;

const SCHEMA = `
  create table if not exists orders (
    id text primary key, visitor text not null, createdAt text not null, status text not null, request text,
    creditReportId text, challengeId text, attemptsRemaining integer not null default 3,
    messagesRemaining integer not null default 2, note text not null default '');
  create table if not exists events (
    id text primary key, creditReportId text, createdAt text not null, body text not null,
    deliveries integer not null default 1);
  create index if not exists events_of_report on events (creditReportId);
  create table if not exists refusals (mistake text primary key, times integer not null, lastAt text not null);`;

/** As `toISOString` writes it. */
const OLDEST = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${REQUEST_KEPT_HOURS} hours')`;
const ORDER = `id, visitor, createdAt, status, creditReportId, challengeId, attemptsRemaining, messagesRemaining, note,
  request is not null and createdAt > ${OLDEST} as hasRequest`;

export type Store = ReturnType<typeof openStore>;

export function openStore(path: string) {
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal; ${SCHEMA}`);
  const findOrder = (id: string) =>
    database.prepare(`select ${ORDER} from orders where id = ?`).get(id) as Order | undefined;

  const deleteOldRequests = () => {
    database.exec(`update orders set request = null where request is not null and createdAt <= ${OLDEST}`);
  };
  // At the start too: the shop may have been away for days.
  deleteOldRequests();
  setInterval(deleteOldRequests, DELETE_EVERY_MS).unref();

  return {
    /** The order that has this id. A second click finds the order of the first. */
    insertOrder(id: string, visitor: string, asking: Asking): Order | undefined {
      database
        .prepare(
          `insert into orders (id, visitor, createdAt, status, request) values (?, ?, ?, 'asking', ?)
             on conflict do nothing`,
        )
        .run(id, visitor, new Date().toISOString(), JSON.stringify(asking));
      return findOrder(id);
    },

    findOrder,

    listOrders(): Order[] {
      return database
        .prepare(`select ${ORDER} from orders order by createdAt desc limit 100`)
        .all() as unknown as Order[];
    },

    /** The request exactly as it was first sent: a repeat must have the same values, the IP address included. */
    findRequest(id: string): Asking | undefined {
      const row = database
        .prepare(`select request from orders where id = ? and request is not null and createdAt > ${OLDEST}`)
        .get(id) as { request: string } | undefined;
      return row && (JSON.parse(row.request) as Asking);
    },

    /** An order that has come to its end does not change any more: a late answer must not open it again. */
    updateOrder(id: string, change: Change): void {
      const order = findOrder(id);
      if (!order || !['asking', 'try-later', 'code-needed'].includes(order.status)) return;
      const next = { ...order, ...change };
      database
        .prepare(
          `update orders set status = ?, creditReportId = ?, challengeId = ?, attemptsRemaining = ?,
             messagesRemaining = ?, note = ? where id = ?`,
        )
        .run(
          next.status,
          next.creditReportId,
          next.challengeId,
          next.attemptsRemaining,
          next.messagesRemaining,
          next.note,
          id,
        );
      if (next.status !== 'try-later') database.prepare('update orders set request = null where id = ?').run(id);
    },

    /** The form was not filled in well. The consumer gets a new form, and with it a new order. */
    deleteOrder(id: string): void {
      database.prepare('delete from orders where id = ?').run(id);
    },

    /** Returns whether the event is new. The same id is the same event, however often it arrives. */
    insertEvent(event: Event): boolean {
      const { deliveries } = database
        .prepare(
          `insert into events (id, creditReportId, createdAt, body) values (?, ?, ?, ?)
             on conflict (id) do update set deliveries = deliveries + 1 returning deliveries`,
        )
        .get(event.id, event.data.creditReportId ?? null, event.createdAt, JSON.stringify(event)) as {
        deliveries: number;
      };
      return deliveries === 1;
    },

    /** Oldest first, by `sequence`: webhooks may overtake each other, and many events have the same `createdAt`. */
    listEvents(creditReportId: string): ReceivedEvent[] {
      const rows = database
        .prepare(
          `select body, deliveries from events where creditReportId = ? order by json_extract(body, '$.sequence')`,
        )
        .all(creditReportId) as { body: string; deliveries: number }[];
      return rows.map(({ body, deliveries }) => ({ event: JSON.parse(body) as Event, deliveries }));
    },

    /** One row for each kind of mistake: a stranger who posts all day must not fill the disk. */
    countRefusal(mistake: string): void {
      database
        .prepare(
          `insert into refusals values (?, 1, ?)
             on conflict (mistake) do update set times = times + 1, lastAt = excluded.lastAt`,
        )
        .run(mistake, new Date().toISOString());
    },

    listRefusals(): Refusals[] {
      return database.prepare('select mistake, times, lastAt from refusals order by mistake').all() as Refusals[];
    },

    countEvents(): { readonly events: number; readonly repeated: number } {
      return database
        .prepare('select count(*) as events, coalesce(sum(deliveries - 1), 0) as repeated from events')
        .get() as { events: number; repeated: number };
    },
  };
}
