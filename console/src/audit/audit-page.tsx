// Who did what and when, day by day. Each line has the hash of the one before it.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { components } from '@trefoil/sdk';
import { ChevronRight, SearchX } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useActorNames } from '../api/actor-names.ts';
import { useCompany } from '../api/company.ts';
import { auditQuery } from '../api/queries.ts';
import { ACTION_CHOICES, labelOf, sentenceOf } from '../format/audit-words.ts';
import { describeTime, formatClock, formatLongDay, londonDay } from '../format/time.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/field.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import styles from './audit.module.css';

type Item = components['schemas']['AuditItem'];
type Filter = { readonly action: string; readonly days: string };

const EVERYTHING: Filter = { action: '', days: '' };
const DAY_MS = 86_400_000;
const TIMES = [
  ['', 'Any time'],
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
] as const;

export function AuditPage() {
  const { id: tenantId } = useCompany();
  const [filter, setFilter] = useState(EVERYTHING);
  // Reckoned once for each choice: a moving beginning would be a new question at every rendering.
  const from = useMemo(
    () => (filter.days ? new Date(Date.now() - Number(filter.days) * DAY_MS).toISOString() : undefined),
    [filter.days],
  );
  const isFiltered = filter.action !== '' || filter.days !== '';
  const audit = useInfiniteQuery(auditQuery(tenantId, { action: filter.action || undefined, from }));
  const lines = audit.data?.pages.flatMap(({ items }) => items);
  return (
    <Page
      title="Audit log"
      lead="What people and systems did in your company. Each line holds the hash of the one before, so a change would show."
    >
      <Card isFlush>
        <div className={styles.tools}>
          <Choice
            label="What"
            isLabelHidden
            value={filter.action}
            onChange={(event) => setFilter({ ...filter, action: event.target.value })}
          >
            <option value="">Everything</option>
            {ACTION_CHOICES.map(([action, label]) => (
              <option key={action} value={action}>
                {label}
              </option>
            ))}
          </Choice>
          <Choice
            label="When"
            isLabelHidden
            value={filter.days}
            onChange={(event) => setFilter({ ...filter, days: event.target.value })}
          >
            {TIMES.map(([days, label]) => (
              <option key={days} value={days}>
                {label}
              </option>
            ))}
          </Choice>
        </div>
        {audit.isError && !lines ? (
          <Failure error={audit.error} what="The audit log" onRetry={audit.refetch} />
        ) : !lines ? (
          <SkeletonRows count={10} label="Loading the audit log" />
        ) : lines.length > 0 ? (
          <Days lines={lines} />
        ) : audit.hasNextPage ? (
          <Empty icon={<SearchX size={20} aria-hidden />} title="None among the newest lines">
            Show more to look at older ones.
          </Empty>
        ) : (
          <Empty
            icon={<SearchX size={20} aria-hidden />}
            title="Nothing found"
            action={isFiltered && <Button onClick={() => setFilter(EVERYTHING)}>Clear the filters</Button>}
          >
            {filter.days !== ''
              ? 'Try a longer time.'
              : isFiltered
                ? 'Nothing of this kind has happened yet.'
                : 'Nothing has happened yet.'}
          </Empty>
        )}
        <ListFoot count={lines?.length ?? 0} noun="line" list={audit} />
      </Card>
    </Page>
  );
}

function Days({ lines }: { readonly lines: readonly Item[] }) {
  const nameOf = useActorNames();
  return [...Map.groupBy(lines, ({ occurredAt }) => londonDay(occurredAt))].map(([day, items]) => (
    <section key={day} aria-label={formatLongDay(day)}>
      <h2 className={styles.day}>{formatLongDay(day)}</h2>
      <ul>
        {items.map((item) => (
          <Line key={item.seq} item={item} who={nameOf(item.actor)} />
        ))}
      </ul>
    </section>
  ));
}

function Line({ item, who }: { readonly item: Item; readonly who: string }) {
  const facts = [
    ['Line', String(item.seq)],
    ['Action', item.action],
    ['Actor', item.actor],
    ['Subject', item.subjectId],
    ...Object.entries(item.details).map(([name, value]) => [labelOf(name), String(value)]),
    ['Hash', item.hash],
    ['Hash before', item.previousHash],
  ];
  return (
    <li className={styles.line}>
      <details>
        <summary>
          <ChevronRight size={15} aria-hidden className={styles.chevron} />
          <time dateTime={item.occurredAt} title={describeTime(item.occurredAt)}>
            {formatClock(item.occurredAt)}
          </time>
          <span>
            <b>{who}</b> {sentenceOf(item)}
          </span>
        </summary>
        <dl className={styles.details}>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  );
}
