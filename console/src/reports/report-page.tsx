// One report: its content, what is beside it, and the same as JSON and PDF.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { type CreditReportResponse, TrefoilError } from '@trefoil/sdk';
import { ArrowLeft, Ban, CircleAlert, EyeOff, FileDown, FileX, Hourglass, MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCompany } from '../api/company.ts';
import { reportQuery } from '../api/queries.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, Skeleton, SkeletonRows } from '../ui/states.tsx';
import { CodeStep } from './code-step.tsx';
import { Cost } from './rail.tsx';
import { RawJson } from './raw-json.tsx';
import { Readable } from './readable.tsx';
import { Remains, ReportOfOtherMode } from './remains.tsx';
import styles from './report.module.css';
import { Heading, Lead } from './report-head.tsx';
import { Timeline } from './timeline.tsx';

type Report = CreditReportResponse['data'];
const FROM = '/$tenantId/reports/$reportId';

export function ReportPage() {
  const { tenantId, reportId } = useParams({ from: FROM });
  const { mode = 'live', view } = useSearch({ from: FROM });
  const { may } = useCompany();
  const report = useQuery(reportQuery(tenantId, reportId));
  const crumb = (
    <Link to="/$tenantId/reports" params={{ tenantId }}>
      <ArrowLeft size={14} aria-hidden />
      Reports
    </Link>
  );
  // What is shown stays, with what is being typed, unless the answer says what became of the report.
  if (report.isError && hasTimeline(report.error)) {
    return (
      <Remains of={{ tenantId, reportId, status: report.error.code }} crumb={crumb}>
        <Unreadable error={report.error} onRetry={report.refetch} />
      </Remains>
    );
  }
  if (report.isError && !report.data) {
    return (
      <Page title="Report" crumb={crumb}>
        <Card isFlush>
          <Unreadable error={report.error} onRetry={report.refetch} />
        </Card>
      </Page>
    );
  }
  if (!report.data) {
    return (
      <Page title="Report" crumb={crumb} heading={<Skeleton width="10rem" height="1.75rem" label="Report" />}>
        <Card isFlush>
          <SkeletonRows count={6} label="Loading the report" />
        </Card>
      </Page>
    );
  }
  const { data } = report.data;
  if (data.test !== (mode === 'test')) return <ReportOfOtherMode crumb={crumb} isTest={data.test} />;
  return (
    <Page
      title="Report"
      crumb={crumb}
      heading={<Heading {...data} />}
      lead={<Lead reportId={reportId} createdAt={data.createdAt} />}
      actions={data.status === 'complete' && data.creditReport && <Pdf tenantId={tenantId} reportId={reportId} />}
    >
      <nav className={styles.tabs} aria-label="Views of this report">
        <View>Report</View>
        <View view="json">Raw JSON</View>
      </nav>
      <div className={styles.columns}>
        <div className={styles.main}>
          {view === 'json' ? (
            <RawJson value={report.data} />
          ) : data.status === 'authentication-required' && may('reports:write') ? (
            <CodeStep tenantId={tenantId} reportId={reportId} challenge={data.challenge} isTest={data.test} />
          ) : (
            <Content {...data} />
          )}
        </div>
        <div className={styles.rail}>
          <Timeline tenantId={tenantId} reportId={reportId} status={data.status} />
          {may('wallet:read') && <Cost tenantId={tenantId} reportId={reportId} isTest={data.test} />}
        </div>
      </div>
    </Page>
  );
}

type ViewProps = { readonly view?: 'json'; readonly children: string };

function View({ view, children }: ViewProps) {
  return (
    <Link
      from={FROM}
      to="."
      search={(before: { mode?: 'test' | undefined }) => ({ ...before, view })}
      // Exactly this view: by default every view is current whose search is part of the address.
      activeOptions={{ exact: true }}
      activeProps={{}}
    >
      {children}
    </Link>
  );
}

function Pdf({ tenantId, reportId }: { readonly tenantId: string; readonly reportId: string }) {
  return (
    <a
      href={`/${tenantId}/v1/credit-reports/${reportId}/document?format=pdf`}
      target="_blank"
      rel="noopener"
      className={buttonClass('second')}
    >
      <FileDown size={15} aria-hidden />
      PDF
    </a>
  );
}

function Notice(props: { readonly icon: ReactNode; readonly title: string; readonly children: ReactNode }) {
  return (
    <Card isFlush>
      <Empty {...props} />
    </Card>
  );
}

function Content(report: Report) {
  switch (report.status) {
    case 'complete':
      return report.creditReport ? (
        <>
          {report.coverage && report.coverage.status !== 'traced' && (
            <p className={styles.warning} role="note">
              <CircleAlert size={16} aria-hidden />
              <span>{report.coverage.message}</span>
            </p>
          )}
          <Readable report={report.creditReport} />
        </>
      ) : (
        <Notice icon={<EyeOff size={20} aria-hidden />} title="Your role sees reports without their content">
          You can see what happened to it and what it cost. Ask an owner or admin of your company if you need the
          content.
        </Notice>
      );
    case 'authentication-required':
      return (
        <Notice icon={<MessageSquareText size={20} aria-hidden />} title="Waiting for the code">
          {report.test
            ? 'Test mode sends no text message. The report is made once your system has submitted the code of the test inbox.'
            : 'The consumer has been sent a code by text message. The report is made once your system has submitted it. If the code is not submitted in time, the charge is refunded; delivered texts stay charged.'}
        </Notice>
      );
    case 'blocked':
      return (
        <Notice icon={<Ban size={20} aria-hidden />} title="Stopped by screening">
          No bureau was asked, and nothing was charged.
        </Notice>
      );
    case 'failed':
      return (
        <Notice icon={<CircleAlert size={20} aria-hidden />} title="There is no report">
          {report.errorMessage}
        </Notice>
      );
  }
}

/** What remains of an erased report, and what has happened to one in progress. */
const hasTimeline = (error: unknown): error is TrefoilError =>
  error instanceof TrefoilError && error.is('credit-report-purged', 'request-in-progress');

function Unreadable({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) {
  if (!(error instanceof TrefoilError)) return <Failure error={error} what="This report" onRetry={onRetry} />;
  if (error.is('credit-report-not-found')) {
    return (
      <Empty icon={<FileX size={20} aria-hidden />} title="This report does not exist">
        The address may be incomplete, or the report belongs to another company.
      </Empty>
    );
  }
  if (error.is('credit-report-purged')) {
    return (
      <Empty icon={<FileX size={20} aria-hidden />} title="The content of this report was erased">
        Reports are erased when the time is over for which your company keeps them.
      </Empty>
    );
  }
  if (error.is('request-in-progress')) {
    return (
      <Empty
        icon={<Hourglass size={20} aria-hidden />}
        title="This report is in progress"
        action={<Button onClick={() => onRetry()}>Look again</Button>}
      >
        This page looks again every few seconds. It is ready, or has failed, within a minute.
      </Empty>
    );
  }
  return <Failure error={error} what="This report" onRetry={onRetry} />;
}
