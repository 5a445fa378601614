// What was spent on each day, reports and texts. Live alone.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { type Usage, usageQuery } from '../api/home-queries.ts';
import { Legend, type Series, StackedBars } from '../charts/stacked-bars.tsx';
import { formatAxis, formatCredits } from '../format/money.ts';
import { changeOf } from '../format/shares.ts';
import { formatDay, formatLongDay } from '../format/time.ts';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Empty, Skeleton } from '../ui/states.tsx';
import { CardBody, Loading } from './card-body.tsx';
import styles from './home.module.css';

type Day = Usage['days'][number];
type Period = '7' | '14' | '30';

const PERIODS = (['7', '14', '30'] as const).map((value) => ({ value, label: `${value} days` }));

const SERIES: readonly Series<Day>[] = [
  { label: 'Reports', color: 'var(--chart-1)', amountOf: ({ reports }) => reports },
  { label: 'Text messages', color: 'var(--chart-2)', amountOf: ({ messages }) => messages },
];

const sumOf = ({ reports, messages }: { readonly reports: number; readonly messages: number }) => reports + messages;

export function SpendCard({ tenantId }: { readonly tenantId: string }) {
  const [period, setPeriod] = useState<Period>('14');
  const usage = useQuery(usageQuery(tenantId, 'live', Number(period)));
  return (
    <Card title="Spend" action={<Segmented label="Period" value={period} onChange={setPeriod} options={PERIODS} />}>
      <CardBody query={usage} what="Your spend" waiting={<Waiting />}>
        {(data) => <Spend tenantId={tenantId} usage={data} period={period} />}
      </CardBody>
    </Card>
  );
}

const Waiting = () => (
  <>
    <Loading what="your spend" />
    <Skeleton width="8rem" height="2.25rem" />
    <div className={styles.waitingChart}>
      <Skeleton height="14.375rem" />
    </div>
  </>
);

type SpendProps = { readonly tenantId: string; readonly usage: Usage; readonly period: Period };

function Spend({ tenantId, usage: { days, spent, previous }, period }: SpendProps) {
  const { may } = useCompany();
  if (days.every((day) => day.reports === 0 && day.messages === 0)) {
    const isFirst = sumOf(previous) === 0;
    return (
      <Empty
        icon={<ReceiptText size={20} aria-hidden />}
        title={isFirst ? 'Nothing spent yet' : `Nothing spent in the last ${period} days`}
        action={
          may('reports:write') && (
            <Link to="/$tenantId/new" params={{ tenantId }} className={buttonClass('second')}>
              Request a report
            </Link>
          )
        }
      >
        A live report shows here as soon as it is charged.
      </Empty>
    );
  }
  const change = changeOf(sumOf(spent), sumOf(previous));
  return (
    <>
      <div className={styles.figureRow}>
        <p className={styles.figure}>{formatCredits(sumOf(spent))}</p>
        {change && (
          <p className="quiet">
            {change.direction} {change.by} on the {period} days before
          </p>
        )}
      </div>
      <Legend rows={days} series={SERIES} format={formatCredits} />
      <StackedBars
        caption={`Spend in the last ${period} days`}
        rows={days}
        series={SERIES}
        labelOf={({ day }) => formatDay(day)}
        // The year is this one, or the one that just ended.
        longLabelOf={({ day }) => formatLongDay(day).replace(/ \d{4}$/, '')}
        format={formatCredits}
        formatTick={formatAxis}
      />
    </>
  );
}
