// What became of reports, and how codes arrived, in the last two weeks. Of one mode.
import { useQuery } from '@tanstack/react-query';
import { usageQuery } from '../api/home-queries.ts';
import type { Mode } from '../api/queries.ts';
import { Funnel } from '../charts/funnel.tsx';
import { Shares } from '../charts/shares.tsx';
import { countOf, formatCount } from '../format/money.ts';
import { Card } from '../ui/card.tsx';
import { CardBody, Nothing } from './card-body.tsx';
import styles from './home.module.css';
import { failureWords, OUTCOMES, PERIOD_DAYS } from './home-words.ts';

type InMode = { readonly tenantId: string; readonly mode: Mode };

const NOTE = `Last ${PERIOD_DAYS} days`;

export function OutcomesCard({ tenantId, mode }: InMode) {
  const usage = useQuery(usageQuery(tenantId, mode, PERIOD_DAYS));
  return (
    <Card title="Outcomes" note={NOTE}>
      <CardBody query={usage} what="Outcomes">
        {({ outcomes, commonestFailure }) => {
          const parts = OUTCOMES.map(({ of, ...part }) => ({
            ...part,
            count: of.reduce((sum, name) => sum + outcomes[name], 0),
          }));
          return parts.every(({ count }) => count === 0) ? (
            <Nothing>No report ended in these {PERIOD_DAYS} days.</Nothing>
          ) : (
            <>
              <Shares parts={parts} />
              {commonestFailure && (
                <p className={styles.aside}>
                  Commonest failure: <b>{failureWords(commonestFailure.reason)}</b> (
                  {formatCount(commonestFailure.count)}).
                </p>
              )}
            </>
          );
        }}
      </CardBody>
    </Card>
  );
}

export function CodesCard({ tenantId, mode }: InMode) {
  const usage = useQuery(usageQuery(tenantId, mode, PERIOD_DAYS));
  return (
    <Card title="One-time codes" note={NOTE}>
      <CardBody query={usage} what="Codes">
        {({ codes }) =>
          codes.sent === 0 && codes.verified === 0 ? (
            <Nothing>No code was sent in these {PERIOD_DAYS} days.</Nothing>
          ) : (
            <>
              <Funnel
                steps={[
                  { label: 'Sent', count: codes.sent },
                  { label: 'Delivered', count: codes.delivered },
                  { label: 'Verified', count: codes.verified },
                ]}
              />
              {codes.medianSeconds !== null && (
                <p className={styles.aside}>
                  Half of the right codes came within <b>{countOf(codes.medianSeconds, 'second')}</b>.
                </p>
              )}
            </>
          )
        }
      </CardBody>
    </Card>
  );
}
