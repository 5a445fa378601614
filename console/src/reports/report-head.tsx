// What stands over every report, also over one whose content cannot be read.
import type { CreditReportListResponse } from '@trefoil/sdk';
import { STATUSES } from '../format/words.ts';
import { Badge } from '../ui/badge.tsx';
import { CopyText } from '../ui/copy.tsx';
import { Time } from '../ui/time.tsx';
import styles from './report.module.css';

type HeadingProps = Pick<CreditReportListResponse['data']['items'][number], 'status' | 'test'> & {
  readonly externalReference?: string | null;
};

export function Heading({ externalReference, status, test }: HeadingProps) {
  return (
    <span className={styles.heading}>
      {externalReference ?? 'Report'}
      <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>
      {test && (
        <Badge tone="warn" hasDot={false}>
          Test
        </Badge>
      )}
    </span>
  );
}

type LeadProps = { readonly reportId: string; readonly createdAt: string | undefined };

export function Lead({ reportId, createdAt }: LeadProps) {
  return (
    <span className={styles.lead}>
      {createdAt && (
        <>
          <Time at={createdAt} isFull />
          <span aria-hidden="true">·</span>
        </>
      )}
      <CopyText text={reportId} shown={`${reportId.slice(0, 8)}…${reportId.slice(-4)}`} label="the report’s id" />
    </span>
  );
}
