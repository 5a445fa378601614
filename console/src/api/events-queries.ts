// The feed of events: the newest first, and then each as it happens.
import { infiniteQueryOptions } from '@tanstack/react-query';
import { type Event, type EventsQuery, TrefoilError } from '@trefoil/sdk';
import { api } from './client.ts';
import type { Mode } from './queries.ts';
import { endSignIn, isSignedOut } from './sign-in.ts';

export type EventFilter = {
  readonly mode: Mode;
  /** A type, or a part before the dot. */
  readonly type?: string | undefined;
  readonly creditReportId?: string | undefined;
};

const PAGE_SIZE = 25;
/** API: as long as a request may wait for an event. */
const WAIT_SECONDS = 20;
const POLL_TIMEOUT_MS = 30_000;
/** After a failure: long enough not to be a burden, short enough not to be missed. */
const REST_MS = 5_000;
/** An empty answer that came sooner did not wait for an event: the service may be too busy to. */
const AT_ONCE_MS = 2_000;
const AT_ONCE_REST_MS = 3_000;

const queryOf = ({ mode, type, creditReportId }: EventFilter): EventsQuery => ({
  test: mode === 'test',
  ...(type && { type }),
  ...(creditReportId && { creditReportId }),
});

type Start = { readonly cursor?: string };

export const eventsQuery = (tenantId: string, filter: EventFilter) =>
  infiniteQueryOptions({
    queryKey: [tenantId, 'events', filter],
    initialPageParam: {} as Start,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...queryOf(filter), limit: PAGE_SIZE };
      // The end comes before the page: an event between the two is in the page and told again, never missed.
      const end = pageParam.cursor
        ? undefined
        : (await api(tenantId).listEvents({ ...query, cursor: 'end', limit: 1 }, { signal })).data.nextCursor;
      const { data } = await api(tenantId).listEvents({ ...query, order: 'newest', ...pageParam }, { signal });
      return { ...data, end };
    },
    getNextPageParam: ({ nextCursor, hasMore }): Start | undefined => (hasMore ? { cursor: nextCursor } : undefined),
    // The page is told of new events, so it does not ask again: what is shown would move.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

type Following = {
  readonly tenantId: string;
  readonly filter: EventFilter;
  /** Where the page was asked for. */
  readonly end: string;
  readonly signal: AbortSignal;
};

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });

/** Until the page is looked at. */
const seen = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
    look();
  });

/**
 * Tells of events after the end, oldest first, until the signal or until it is told that they are enough. A failure is tried
 * again after a rest; a refusal ends it.
 */
export async function followEvents(
  { tenantId, filter, end, signal }: Following,
  tell: (events: readonly Event[]) => 'more' | 'enough',
): Promise<'refused' | undefined> {
  let cursor = end;
  while (!signal.aborted) {
    await seen(signal);
    if (signal.aborted) return undefined;
    const askedAt = performance.now();
    try {
      const query = { ...queryOf(filter), cursor, wait: WAIT_SECONDS };
      const { data } = await api(tenantId).listEvents(query, { signal, timeoutMs: POLL_TIMEOUT_MS });
      cursor = data.nextCursor;
      if (signal.aborted) return undefined;
      if (data.items.length > 0) {
        if (tell(data.items) === 'enough') return undefined;
      } else if (performance.now() - askedAt < AT_ONCE_MS) await pause(AT_ONCE_REST_MS, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isSignedOut(error)) {
        endSignIn();
        return undefined;
      }
      // A refusal does not pass by itself.
      if (error instanceof TrefoilError && error.status < 500 && error.status !== 429) return 'refused';
      await pause(REST_MS, signal);
    }
  }
  return undefined;
}
