// How much money is left, and how long it lasts. Live alone: test mode spends nothing.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCompany } from '../api/company.ts';
import { usageQuery } from '../api/home-queries.ts';
import { walletQuery } from '../api/queries.ts';
import { settingsQuery } from '../api/settings-queries.ts';
import { formatCredits } from '../format/money.ts';
import { formatRunway, runwayDays } from '../format/runway.ts';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Skeleton } from '../ui/states.tsx';
import { SHORT_DAYS } from './alerts.ts';
import { CardBody, Loading } from './card-body.tsx';
import styles from './home.module.css';
import { PERIOD_DAYS } from './home-words.ts';

/** A full bar is a month. */
const GAUGE_DAYS = 30;

type InCompany = { readonly tenantId: string };

export function BalanceCard({ tenantId }: InCompany) {
  const wallet = useQuery(walletQuery(tenantId));
  return (
    <Card title="Balance">
      <CardBody query={wallet} what="The balance" waiting={<Waiting />}>
        {({ balance, available, held }) => (
          <>
            <p className={styles.hero}>{formatCredits(balance)}</p>
            <Runway tenantId={tenantId} available={available} />
            <dl className={styles.facts}>
              <Fact name="Available">{formatCredits(available)}</Fact>
              <Fact name="Held for work in progress">{formatCredits(held)}</Fact>
              <Limit tenantId={tenantId} />
              <Week tenantId={tenantId} />
            </dl>
          </>
        )}
      </CardBody>
      <div className={styles.cardActions}>
        <Link to="/$tenantId/wallet" params={{ tenantId }} className={buttonClass('second')}>
          <ReceiptText size={15} aria-hidden />
          Statement
        </Link>
      </div>
    </Card>
  );
}

const Waiting = () => (
  <>
    <Loading what="the balance" />
    <Skeleton width="11rem" height="2.75rem" />
    <div className={styles.waitingFacts}>
      <Skeleton width="80%" height="1.25rem" />
      <Skeleton height="8.5rem" />
    </div>
  </>
);

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="num">{children}</dd>
  </div>
);

function Runway({ tenantId, available }: InCompany & { readonly available: number }) {
  const usage = useQuery(usageQuery(tenantId, 'live', PERIOD_DAYS));
  const days = usage.data && runwayDays(available, usage.data.last7DaysCredits);
  if (!usage.data && !usage.isError) {
    return (
      <p className={styles.runway}>
        <Skeleton width="12rem" height="1.25rem" />
      </p>
    );
  }
  if (days === undefined) {
    return (
      <p className={styles.runway}>
        {usage.data ? 'Nothing spent in the last 7 days' : 'How long it lasts is not known'}
      </p>
    );
  }
  return (
    <>
      <p className={styles.runway}>
        <b>{formatRunway(days)}</b> at this week’s pace
      </p>
      <div className={styles.gauge} aria-hidden="true">
        <span style={{ width: `${Math.min(1, days / GAUGE_DAYS) * 100}%` }} data-low={days < SHORT_DAYS || undefined} />
      </div>
    </>
  );
}

/** For those whose role includes the settings. */
function Limit({ tenantId }: InCompany) {
  const isShown = useCompany().may('settings:write');
  const { data, isError } = useQuery({ ...settingsQuery(tenantId), enabled: isShown });
  if (!isShown) return null;
  return (
    <Fact name="Alert when below">
      {isError && !data ? (
        'Not known'
      ) : !data ? (
        <Skeleton width="4rem" />
      ) : data.lowBalanceCredits === null ? (
        'No alert'
      ) : (
        formatCredits(data.lowBalanceCredits)
      )}
    </Fact>
  );
}

function Week({ tenantId }: InCompany) {
  const { data, isError } = useQuery(usageQuery(tenantId, 'live', PERIOD_DAYS));
  return (
    <Fact name="Spent in the last 7 days">
      {isError && !data ? 'Not known' : data ? formatCredits(data.last7DaysCredits) : <Skeleton width="4rem" />}
    </Fact>
  );
}
