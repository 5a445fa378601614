// Home: how much money is left and how long it lasts, what it bought, and whether anything needs a person. Live and test apart;
// a role sees the cards that its scopes allow (docs/decisions/0235-home.md).
import { Link, useSearch } from '@tanstack/react-router';
import { FlaskConical, Send } from 'lucide-react';
import { useCompany } from '../api/company.ts';
import { formatLongDay, londonDay } from '../format/time.ts';
import { buttonClass } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { ActivityCard } from './activity-card.tsx';
import { Attention } from './attention.tsx';
import { BalanceCard } from './balance-card.tsx';
import { BureausCard } from './bureaus-card.tsx';
import styles from './home.module.css';
import { SpendCard } from './spend-card.tsx';
import { CodesCard, OutcomesCard } from './usage-cards.tsx';

export function HomePage() {
  const { id: tenantId, may } = useCompany();
  const { mode = 'live' } = useSearch({ from: '/$tenantId/' });
  const isLive = mode === 'live';
  const hasUsage = may('wallet:read');
  return (
    <Page
      title="Home"
      lead={formatLongDay(londonDay(new Date()))}
      actions={
        may('reports:write') && (
          <Link to="/$tenantId/new" params={{ tenantId }} className={buttonClass('primary')}>
            <Send size={15} aria-hidden />
            New report
          </Link>
        )
      }
    >
      <Attention tenantId={tenantId} mode={mode} />
      {isLive ? (
        hasUsage && (
          <div className={styles.money}>
            <BalanceCard tenantId={tenantId} />
            <SpendCard tenantId={tenantId} />
          </div>
        )
      ) : (
        <LiveOnly tenantId={tenantId} />
      )}
      {(hasUsage || isLive) && (
        <div className={styles.columns}>
          {hasUsage && <OutcomesCard tenantId={tenantId} mode={mode} />}
          {hasUsage && <CodesCard tenantId={tenantId} mode={mode} />}
          {isLive && <BureausCard tenantId={tenantId} />}
        </div>
      )}
      <ActivityCard tenantId={tenantId} mode={mode} />
    </Page>
  );
}

/** In place of money and bureaus, which test mode does not have. */
const LiveOnly = ({ tenantId }: { readonly tenantId: string }) => (
  <p className={`${styles.notice} ${styles.liveOnly}`}>
    <FlaskConical size={16} aria-hidden />
    <span>
      Money and bureaus are live only: a test report charges no real credits and asks no bureau. Everything below is of
      test mode.
    </span>
    <Link to="/$tenantId" params={{ tenantId }} search={{ mode: undefined }}>
      See live
    </Link>
  </p>
);
