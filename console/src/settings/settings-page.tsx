// What the company sets for itself. Each card is a form of its own; each change needs a fresh second factor.
import { useQuery } from '@tanstack/react-query';
import type { Settings } from '@trefoil/sdk';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { settingsQuery } from '../api/settings-queries.ts';
import { formatCount, formatCredits } from '../format/money.ts';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Failure, SkeletonRows } from '../ui/states.tsx';
import { AlertCard } from './alert-card.tsx';
import { FactorCard } from './factor-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { RetentionCard } from './retention-card.tsx';
import styles from './settings.module.css';
import { countryName } from './settings-values.ts';
import { WordsCard } from './words-card.tsx';

export function SettingsPage() {
  const { id: tenantId } = useCompany();
  return (
    <Page title="Settings" lead="For the whole company, live and test. Each change is in the audit log.">
      <Cards key={tenantId} tenantId={tenantId} />
    </Page>
  );
}

/** The fields keep what they begin with, so they begin with an answer of this visit and not with one that was kept. */
function Cards({ tenantId }: { readonly tenantId: string }) {
  const [openedAt] = useState(Date.now);
  const { data, dataUpdatedAt, isError, error, refetch } = useQuery({
    ...settingsQuery(tenantId),
    refetchOnMount: 'always',
  });
  const settings = dataUpdatedAt >= openedAt ? data : undefined;
  if (!settings) {
    return (
      <Card isFlush>
        {isError ? (
          <Failure error={error} what="Settings" onRetry={refetch} />
        ) : (
          <SkeletonRows count={8} label="Loading settings" />
        )}
      </Card>
    );
  }
  return (
    <div className={styles.cards}>
      <RetentionCard tenantId={tenantId} settings={settings} />
      <WordsCard tenantId={tenantId} settings={settings} />
      <LimitsCard tenantId={tenantId} settings={settings} />
      <AlertCard tenantId={tenantId} settings={settings} />
      <FactorCard tenantId={tenantId} settings={settings} />
      <Agreed {...settings} />
    </div>
  );
}

/** What the company cannot change by itself. */
function Agreed({ name, agreed }: Settings) {
  const facts = [
    ['Company', name],
    ['Countries that get texts', agreed.smsCountries.map(countryName).join(', ')],
    ['Texts in a day', `${formatCount(agreed.smsDailyMessages)}, for at most ${formatCredits(agreed.smsDailyCredits)}`],
    ['Texts in a minute', formatCount(agreed.smsMinuteMessages)],
  ];
  return (
    <Card
      title="Agreed with the operator"
      note="Only the operator of the service can change these. Your own limits can be lower."
    >
      <dl className={styles.facts}>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
