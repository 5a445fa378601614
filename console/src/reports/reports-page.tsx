// Every report of the company, newest first. No consumer's name stands in a list.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { FileSearch, FileText, Send } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import {
  type ReportFilter,
  type ReportItem,
  type ReportStatus,
  reportCountsQuery,
  reportsQuery,
} from '../api/queries.ts';
import { formatCount, formatCredits } from '../format/money.ts';
import { formatTime } from '../format/time.ts';
import { FAILURES, SOURCES, STATUSES } from '../format/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import table from '../ui/table.module.css';
import { Time } from '../ui/time.tsx';
import { ReferenceSearch } from './reference-search.tsx';
import styles from './reports.module.css';

const CHIPS: readonly (ReportStatus | undefined)[] = [
  undefined,
  'complete',
  'authentication-required',
  'blocked',
  'failed',
];

export function ReportsPage() {
  const { id: tenantId, may } = useCompany();
  const { status, mode = 'live' } = useSearch({ from: '/$tenantId/reports' });
  const navigate = useNavigate({ from: '/$tenantId/reports' });
  // Not in the address: a reference may name a person.
  const [reference, setReference] = useState('');
  const filter: ReportFilter = { mode, status, reference: reference || undefined };
  const reports = useInfiniteQuery(reportsQuery(tenantId, filter));
  const rows = reports.data?.pages.flatMap(({ items }) => items);

  function clear() {
    setReference('');
    void navigate({ search: mode === 'test' ? { mode } : {} });
  }

  return (
    <Page
      title="Reports"
      lead={mode === 'test' ? 'Every test report of your company.' : 'Every report that your company has asked for.'}
      actions={
        may('reports:write') && (
          <Link to="/$tenantId/new" params={{ tenantId }} className={buttonClass('primary')}>
            <Send size={15} aria-hidden />
            New report
          </Link>
        )
      }
    >
      <Card isFlush>
        <div className={styles.tools}>
          <ReferenceSearch value={reference} onChange={setReference} />
          <Outcomes tenantId={tenantId} filter={filter} />
        </div>
        {reports.isError && !rows ? (
          <Failure error={reports.error} what="Reports" onRetry={reports.refetch} />
        ) : !rows ? (
          <SkeletonRows count={12} label="Loading reports" />
        ) : rows.length > 0 ? (
          <Rows tenantId={tenantId} rows={rows} />
        ) : reports.hasNextPage ? (
          <Empty icon={<FileSearch size={20} aria-hidden />} title="None among the newest reports">
            Show more to look at older ones.
          </Empty>
        ) : reference || status ? (
          <Empty
            icon={<FileSearch size={20} aria-hidden />}
            title="No report fits"
            action={<Button onClick={clear}>Clear the filters</Button>}
          >
            A reference is matched whole, with capitals as they were sent.
          </Empty>
        ) : (
          <NoReports isTest={mode === 'test'} />
        )}
        <ListFoot count={rows?.length ?? 0} noun="report" list={reports} />
      </Card>
    </Page>
  );
}

/** The counts come on top: without them the filter still works. */
function Outcomes({ tenantId, filter }: { readonly tenantId: string; readonly filter: ReportFilter }) {
  const { data: counts } = useQuery(reportCountsQuery(tenantId, filter));
  return (
    <ul className={styles.chips} aria-label="Outcome">
      {CHIPS.map((each) => (
        <li key={each ?? 'all'}>
          <Link
            from="/$tenantId/reports"
            to="."
            search={(before: { mode?: 'test' | undefined }) => ({ ...before, status: each })}
            className={styles.chip}
            // Exactly this filter: by default "All" is current with every other one.
            activeOptions={{ exact: true }}
            activeProps={{}}
          >
            {each ? STATUSES[each].label : 'All'}
            {counts && <span className="num">{formatCount(counts[each ?? 'total'])}</span>}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The whole id would be wider than a phone; its end differs between reports of the same moment. */
const shortId = (id: string) => `${id.slice(0, 8)}…${id.slice(-6)}`;

function Rows({ tenantId, rows }: { readonly tenantId: string; readonly rows: readonly ReportItem[] }) {
  return (
    <table className={`${table.table} ${table.linked}`}>
      <caption className="visually-hidden">Reports, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Reference</th>
          <th scope="col" className={styles.status}>
            Outcome
          </th>
          <th scope="col" className={table.wide}>
            Source
          </th>
          <th scope="col" className={`${table.end} ${table.wide}`}>
            Cost
          </th>
          <th scope="col" className={`${table.end} ${table.wide}`}>
            Requested
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.creditReportId}>
            <td>
              <Link
                to="/$tenantId/reports/$reportId"
                params={{ tenantId, reportId: row.creditReportId }}
                className={table.cover}
              >
                {row.externalReference ?? <code>{shortId(row.creditReportId)}</code>}
              </Link>
              <span className={`${table.sub} ${table.narrow}`}>
                {formatTime(row.createdAt)} · {formatCredits(row.costCredits)}
              </span>
            </td>
            <td className={styles.status}>
              <Badge tone={STATUSES[row.status].tone}>{STATUSES[row.status].label}</Badge>
              <span className={`${table.sub} ${table.wide}`}>{noteOf(row)}</span>
            </td>
            <td className={`${table.wide} quiet`}>{SOURCES[row.source]}</td>
            <td className={`${table.end} ${table.wide} ${row.costCredits === 0 ? 'faint' : ''}`}>
              {formatCredits(row.costCredits)}
            </td>
            <td className={`${table.end} ${table.wide} quiet`}>
              <Time at={row.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the outcome alone does not say. */
function noteOf({ status, isPurged, failureReason }: ReportItem): string | undefined {
  if (isPurged) return 'Content erased';
  if (status === 'blocked') return 'Stopped by screening';
  return failureReason ? FAILURES[failureReason] : undefined;
}

function NoReports({ isTest }: { readonly isTest: boolean }) {
  const { may } = useCompany();
  return (
    <Empty
      icon={<FileText size={20} aria-hidden />}
      title={isTest ? 'No test reports yet' : 'No reports yet'}
      action={
        may('credentials:write') && (
          <a href="/docs" className={buttonClass('second')}>
            Read how to request one
          </a>
        )
      }
    >
      {isTest
        ? 'Test reports that you or your systems request appear here.'
        : 'Reports that you request, or your systems through the API, appear here.'}
    </Empty>
  );
}
