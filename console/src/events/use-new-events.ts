// New events, told as they happen while the page is looked at: they wait until a person wants to see them.
import type { Event } from '@trefoil/sdk';
import { useEffect, useState } from 'react';
import { type EventFilter, followEvents } from '../api/events-queries.ts';

/** After so many nothing more is asked for: the page is better asked for anew. */
const NEWS_MAX = 500;

type News = {
  readonly end: string | undefined;
  readonly waiting: readonly Event[];
  readonly shown: readonly Event[];
  readonly isRefused: boolean;
};
const none = (end: string | undefined): News => ({ end, waiting: [], shown: [], isRefused: false });

/** Both newest first. `end` is where the page was asked for; a new question begins anew. */
export function useNewEvents(tenantId: string, { mode, type, creditReportId }: EventFilter, end: string | undefined) {
  const [news, setNews] = useState(none(end));
  useEffect(() => {
    if (end === undefined) return undefined;
    setNews(none(end));
    const left = new AbortController();
    const filter = { mode, type, creditReportId };
    let count = 0;
    void followEvents({ tenantId, filter, end, signal: left.signal }, (events) => {
      setNews((before) => ({ ...before, waiting: [...events.toReversed(), ...before.waiting] }));
      count += events.length;
      return count < NEWS_MAX ? 'more' : 'enough';
    }).then((why) => {
      if (why === 'refused') setNews((before) => ({ ...before, isRefused: true }));
    });
    return () => left.abort();
  }, [tenantId, mode, type, creditReportId, end]);
  const { waiting, shown, isRefused } = news.end === end ? news : none(end);
  return {
    waiting,
    shown,
    isRefused,
    isFull: waiting.length + shown.length >= NEWS_MAX,
    show: () => setNews((before) => ({ ...before, waiting: [], shown: [...before.waiting, ...before.shown] })),
  };
}
