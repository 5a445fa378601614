// The deliveries of an endpoint, newest first: all, or those that the address of the page asks for.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { WebhookDelivery, WebhookEndpoint } from '@trefoil/sdk';
import { Inbox } from 'lucide-react';
import { deliveriesQuery } from '../api/webhooks-queries.ts';
import { type DeliveryFilter, readDeliveryFilter } from '../format/delivery-filter.ts';
import { DELIVERY_STATES } from '../format/words.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryLine } from './delivery-line.tsx';
import { statesShown } from './endpoint-words.ts';
import styles from './webhooks.module.css';

type State = WebhookDelivery['state'];
type Which = 'all' | State;
type Props = { readonly tenantId: string; readonly endpoint: WebhookEndpoint };

const FROM = '/$tenantId/webhooks/$endpointId';

const NONE: Record<State, string> = {
  pending: 'is pending',
  waiting: 'waits for the endpoint',
  delivered: 'has arrived in the last 30 days',
  failed: 'has failed in the last 30 days',
};

export function Deliveries({ tenantId, endpoint }: Props) {
  const search = useSearch({ from: FROM });
  const { mode } = search;
  // What the router does not know in an address is in its search all the same.
  const filter = readDeliveryFilter(search);
  const { state, ...others } = filter;
  const navigate = useNavigate({ from: FROM });
  const choose = (next: DeliveryFilter) =>
    void navigate({ search: { ...(mode && { mode }), ...next }, replace: true, resetScroll: false });
  const deliveries = useInfiniteQuery(deliveriesQuery(tenantId, endpoint.id, filter));
  const rows = deliveries.data?.pages.flatMap(({ items }) => items);
  const isFiltered = Object.values(others).some((each) => each !== undefined);
  return (
    <Card
      title="Deliveries"
      note="Kept for 30 days"
      isFlush
      action={
        <div className={styles.which}>
          <Segmented<Which>
            label="Which deliveries"
            value={state ?? 'all'}
            onChange={(which) => choose({ ...others, ...(which !== 'all' && { state: which }) })}
            options={[
              { value: 'all', label: 'All' },
              ...statesShown(endpoint, (each) => each === state).map((value) => ({
                value,
                label: DELIVERY_STATES[value].label,
              })),
            ]}
          />
        </div>
      }
    >
      <DeliveryFilters filter={filter} onChange={choose} />
      {deliveries.isError && !rows ? (
        <Failure error={deliveries.error} what="Deliveries" onRetry={deliveries.refetch} />
      ) : !rows ? (
        <SkeletonRows count={6} label="Loading deliveries" />
      ) : rows.length > 0 ? (
        <ul className={styles.deliveries}>
          {rows.map((delivery) => (
            <DeliveryLine
              key={delivery.id}
              tenantId={tenantId}
              endpoint={endpoint}
              delivery={delivery}
              isOpenAtFirst={filter.event !== undefined}
            />
          ))}
        </ul>
      ) : deliveries.hasNextPage ? (
        <Empty icon={<Inbox size={20} aria-hidden />} title="None among the newest deliveries">
          Show more to look at older ones.
        </Empty>
      ) : state || isFiltered ? (
        <Empty
          icon={<Inbox size={20} aria-hidden />}
          title={state && !isFiltered ? `No delivery ${NONE[state]}` : 'No delivery fits'}
          action={<Button onClick={() => choose({})}>Show all</Button>}
        />
      ) : (
        <Empty icon={<Inbox size={20} aria-hidden />} title="No deliveries yet">
          Events appear here once they are sent to this address.
        </Empty>
      )}
      <ListFoot count={rows?.length ?? 0} noun="delivery" plural="deliveries" list={deliveries} />
    </Card>
  );
}
