// Where events are sent: the endpoints of the mode that is shown.
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { WebhookEndpoint } from '@trefoil/sdk';
import { Plus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { endpointsQuery } from '../api/webhooks-queries.ts';
import { countOf } from '../format/money.ts';
import { formatTime } from '../format/time.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { latePart } from '../ui/late-part.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import table from '../ui/table.module.css';
import { Time } from '../ui/time.tsx';
import { Address } from './address.tsx';
import { stateOf } from './endpoint-words.ts';
import styles from './webhooks.module.css';

const EndpointDialog = latePart(() => import('./endpoint-dialogs.tsx').then((loaded) => loaded.EndpointDialog));

export function WebhooksPage() {
  const { id: tenantId } = useCompany();
  const { mode = 'live' } = useSearch({ from: '/$tenantId/webhooks' });
  const isTest = mode === 'test';
  const endpoints = useQuery(endpointsQuery(tenantId));
  const shown = endpoints.data?.filter(({ test }) => test === isTest);
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Webhooks"
      lead={`Addresses that Trefoil calls when something happens in ${mode} mode, signed so that you can trust it.`}
      actions={
        <Button look="primary" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden />
          Add endpoint
        </Button>
      }
    >
      <Card isFlush>
        {endpoints.isError && !shown ? (
          <Failure error={endpoints.error} what="Endpoints" onRetry={endpoints.refetch} />
        ) : !shown ? (
          <SkeletonRows count={3} label="Loading endpoints" />
        ) : shown.length > 0 ? (
          <Endpoints tenantId={tenantId} endpoints={shown} />
        ) : (
          <Empty
            icon={<Webhook size={20} aria-hidden />}
            title={isTest ? 'No endpoints of test mode yet' : 'No endpoints yet'}
            action={<Button onClick={() => setAdding(true)}>Add an endpoint</Button>}
          >
            Add one to hear of finished reports at once, instead of asking again and again.
            {(endpoints.data ?? []).length > 0 && ` Your endpoints of ${isTest ? 'live' : 'test'} mode stand there.`}
          </Empty>
        )}
      </Card>
      {isAdding && (
        <EndpointDialog tenantId={tenantId} change={{ kind: 'add', isTest }} onClose={() => setAdding(false)} />
      )}
    </Page>
  );
}

const eventsOf = ({ eventTypes }: WebhookEndpoint) => (eventTypes ? countOf(eventTypes.length, 'type') : 'All events');

type Props = { readonly tenantId: string; readonly endpoints: readonly WebhookEndpoint[] };

function Endpoints({ tenantId, endpoints }: Props) {
  return (
    <table className={`${table.table} ${table.linked}`}>
      <caption className="visually-hidden">Endpoints, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">State</th>
          <th scope="col" className={table.wide}>
            Events
          </th>
          <th scope="col" className={`${table.end} ${table.wide}`}>
            Added
          </th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => {
          const state = stateOf(endpoint);
          return (
            <tr key={endpoint.id}>
              <td className={styles.address}>
                <Link
                  to="/$tenantId/webhooks/$endpointId"
                  params={{ tenantId, endpointId: endpoint.id }}
                  className={table.cover}
                >
                  <Address url={endpoint.url} />
                </Link>
                <span className={table.sub}>{endpoint.description}</span>
                <span className={`${table.sub} ${table.narrow}`}>
                  {eventsOf(endpoint)} · {formatTime(endpoint.createdAt)}
                </span>
              </td>
              <td className={styles.state}>
                <Badge tone={state.tone}>{state.label}</Badge>
                {state.short && <span className={`${table.sub} nowrap`}>{state.short}</span>}
              </td>
              <td className={`${table.wide} quiet nowrap`}>
                {eventsOf(endpoint)}
                {endpoint.ordered && <span className={table.sub}>In order</span>}
              </td>
              <td className={`${table.end} ${table.wide} quiet`}>
                <Time at={endpoint.createdAt} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
