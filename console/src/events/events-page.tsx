// What happened, newest first, as programs read it. New events wait behind a button, so that nothing moves by itself.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowUp, Radio, SearchX } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useCompany } from '../api/company.ts';
import { type EventFilter, eventsQuery } from '../api/events-queries.ts';
import { countOf, formatCount } from '../format/money.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EventTypeOptions } from '../ui/event-type-options.tsx';
import { Choice } from '../ui/field.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import { EventLine } from './event-line.tsx';
import styles from './events.module.css';
import { useNewEvents } from './use-new-events.ts';

const FROM = '/$tenantId/events';

export function EventsPage() {
  const { id: tenantId } = useCompany();
  const { mode = 'live', type, report } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const filter: EventFilter = { mode, type, creditReportId: report };
  const events = useInfiniteQuery(eventsQuery(tenantId, filter));
  const known = events.data?.pages.flatMap(({ items }) => items);
  const news = useNewEvents(tenantId, filter, events.data?.pages[0]?.end);
  const fresh = news.shown.filter(({ id }) => !known?.some((event) => event.id === id));
  const rows = known && [...fresh, ...known];
  const waiting = news.waiting.filter(({ id }) => !rows?.some((event) => event.id === id));
  const choose = (next: { type?: string | undefined; report?: string | undefined }) =>
    void navigate({
      search: { ...(mode === 'test' && { mode }), ...(type && { type }), ...(report && { report }), ...next },
      replace: true,
    });
  return (
    <Page
      title="Events"
      lead="What happened to reports, codes and the wallet, as the API and webhooks tell it. Kept for 30 days."
    >
      <Card isFlush>
        <div className={styles.tools}>
          <Choice
            label="Type"
            isLabelHidden
            value={type ?? ''}
            onChange={(event) => choose({ type: event.target.value || undefined })}
          >
            <option value="">All types</option>
            <EventTypeOptions hasGroups />
          </Choice>
          <ReportFilter key={report} value={report} onChange={(next) => choose({ report: next })} />
        </div>
        <div role="status">
          {waiting.length > 0 && (
            <button
              type="button"
              className={styles.news}
              onClick={news.isFull ? () => void events.refetch() : news.show}
            >
              <ArrowUp size={15} aria-hidden />
              Show{' '}
              {news.isFull ? `${formatCount(waiting.length)} or more new events` : countOf(waiting.length, 'new event')}
            </button>
          )}
          {news.isRefused && (
            <p className={styles.refused}>
              New events no longer appear by themselves. Load the page again to see them.
            </p>
          )}
        </div>
        {events.isError && !rows ? (
          <Failure error={events.error} what="Events" onRetry={events.refetch} />
        ) : !rows ? (
          <SkeletonRows count={10} label="Loading events" />
        ) : rows.length > 0 ? (
          <ul>
            {rows.map((event) => (
              <EventLine key={event.id} tenantId={tenantId} event={event} />
            ))}
          </ul>
        ) : events.hasNextPage ? (
          <Empty icon={<SearchX size={20} aria-hidden />} title="None among the newest events">
            Show more to look at older ones.
          </Empty>
        ) : type || report ? (
          <Empty
            icon={<SearchX size={20} aria-hidden />}
            title="No event fits"
            action={<Button onClick={() => choose({ type: undefined, report: undefined })}>Clear the filters</Button>}
          >
            Events are kept for 30 days.
          </Empty>
        ) : (
          <Empty icon={<Radio size={20} aria-hidden />} title={`Nothing has happened in ${mode} mode`}>
            Each report that is requested leaves its events here.
          </Empty>
        )}
        <ListFoot count={rows?.length ?? 0} noun="event" list={events} />
      </Card>
    </Page>
  );
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type ReportProps = { readonly value: string | undefined; readonly onChange: (value: string | undefined) => void };

function ReportFilter({ value = '', onChange }: ReportProps) {
  const [fault, setFault] = useState('');
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('report') ?? '').trim();
    const isFit = text === '' || ID.test(text);
    setFault(isFit ? '' : 'Enter the whole id of a report.');
    if (isFit) onChange(text.toLowerCase() || undefined);
  }
  return (
    <form onSubmit={submit} className={styles.report} noValidate>
      <input
        type="search"
        name="report"
        aria-label="Report"
        aria-describedby={fault ? 'report-fault' : undefined}
        aria-invalid={fault ? true : undefined}
        placeholder="Id of a report"
        defaultValue={value}
        autoComplete="off"
        spellCheck={false}
        // The cross of the field empties it.
        onChange={(event) => event.target.value === '' && value !== '' && onChange(undefined)}
      />
      <Button type="submit">Find</Button>
      {fault && (
        <p id="report-fault" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
