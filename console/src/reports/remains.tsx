// What is known of a report that was erased, or that a request still works on: its timeline and, once there is one, its cost.
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCompany } from '../api/company.ts';
import { type TimelineOf, timelineQuery } from '../api/report-queries.ts';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { OtherMode } from '../ui/states.tsx';
import { Cost } from './rail.tsx';
import styles from './report.module.css';
import { Heading, Lead } from './report-head.tsx';
import { Timeline } from './timeline.tsx';

type Props = { readonly of: TimelineOf; readonly crumb: ReactNode; readonly children: ReactNode };

export function Remains({ of, crumb, children }: Props) {
  const { data } = useQuery(timelineQuery(of));
  const { mode = 'live' } = useSearch({ from: '/$tenantId/reports/$reportId' });
  const { may } = useCompany();
  if (data && data.test !== (mode === 'test')) return <ReportOfOtherMode crumb={crumb} isTest={data.test} />;
  return (
    <Page
      title="Report"
      crumb={crumb}
      heading={data && <Heading {...data} />}
      lead={<Lead reportId={of.reportId} createdAt={data?.items.find(({ kind }) => kind === 'requested')?.at} />}
    >
      <div className={styles.columns}>
        <Card isFlush>{children}</Card>
        <div className={styles.rail}>
          <Timeline {...of} />
          {data?.isPurged && may('wallet:read') && <Cost {...of} isTest={data.test} />}
        </div>
      </div>
    </Page>
  );
}

export function ReportOfOtherMode({ crumb, isTest }: { readonly crumb: ReactNode; readonly isTest: boolean }) {
  return (
    <Page title="Report" crumb={crumb}>
      <Card isFlush>
        <OtherMode what="report" isTest={isTest} />
      </Card>
    </Page>
  );
}
