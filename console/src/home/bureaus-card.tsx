// How each bureau answered the company's live reports in the last day.
import { useQuery } from '@tanstack/react-query';
import { type Bureau, bureausQuery } from '../api/home-queries.ts';
import { Slots } from '../charts/slots.tsx';
import { countOf } from '../format/money.ts';
import { formatShare } from '../format/shares.ts';
import { BUREAUS } from '../format/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { CardBody, Nothing } from './card-body.tsx';
import styles from './home.module.css';
import { BUREAU_STATES } from './home-words.ts';

export function BureausCard({ tenantId }: { readonly tenantId: string }) {
  const bureaus = useQuery(bureausQuery(tenantId));
  return (
    <Card title="Bureaus" note="Last 24 hours">
      <CardBody query={bureaus} what="Bureaus">
        {(items) =>
          items.every(({ state }) => state === 'not-asked') ? (
            <Nothing>No live report asked a bureau in the last 24 hours.</Nothing>
          ) : (
            <ul className={styles.bureaus}>
              {items.map((item) => (
                <BureauLine key={item.bureau} item={item} />
              ))}
            </ul>
          )
        }
      </CardBody>
    </Card>
  );
}

function BureauLine({ item: { bureau, state, answeredShare, slots } }: { readonly item: Bureau }) {
  const { label, tone } = BUREAU_STATES[state];
  const asked = slots.reduce((sum, slot) => sum + slot.asked, 0);
  return (
    <li>
      <div className={styles.bureauHead}>
        <span>{BUREAUS[bureau]}</span>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <Slots slots={slots} caption={`${BUREAUS[bureau]} by half hours`} />
      <p className={styles.bureauFoot}>
        <span className="num">{answeredShare === null ? 'No enquiry' : `${formatShare(answeredShare)} answered`}</span>
        {asked > 0 && <span className="num">{countOf(asked, 'enquiry', 'enquiries')}</span>}
      </p>
    </li>
  );
}
