// One endpoint: its state, how the newest deliveries went, its settings, and every delivery with its attempts.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { TrefoilError, type WebhookEndpoint } from '@trefoil/sdk';
import { ArrowLeft, Ellipsis, History, Pause, Pencil, Play, RefreshCw, Send, Trash2, Unplug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { endpointQuery } from '../api/webhooks-queries.ts';
import { eventWords } from '../format/event-words.ts';
import { shortUrl } from '../format/short-url.ts';
import { Refusal } from '../forms/refusal.tsx';
import { useSending } from '../forms/use-sending.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CopyText } from '../ui/copy.tsx';
import { latePart } from '../ui/late-part.tsx';
import { Menu, type MenuProps } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, OtherMode, Skeleton, SkeletonRows } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Address } from './address.tsx';
import { Deliveries } from './deliveries.tsx';
import type { Change } from './endpoint-dialogs.tsx';
import { stateOf } from './endpoint-words.ts';
import { Newest } from './newest.tsx';
import { LastReplay, ReplayProgress } from './replay-progress.tsx';
import { useFollow } from './use-follow.ts';
import { useTestEvent } from './use-test-event.ts';
import styles from './webhooks.module.css';

const EndpointDialog = latePart(() => import('./endpoint-dialogs.tsx').then((loaded) => loaded.EndpointDialog));
const FROM = '/$tenantId/webhooks/$endpointId';
type Kind = Exclude<Change['kind'], 'add'>;

export function EndpointPage() {
  const { tenantId, endpointId } = useParams({ from: FROM });
  const { mode = 'live' } = useSearch({ from: FROM });
  const endpoint = useQuery(endpointQuery(tenantId, endpointId));
  const crumb = (
    <Link to="/$tenantId/webhooks" params={{ tenantId }}>
      <ArrowLeft size={14} aria-hidden />
      Webhooks
    </Link>
  );
  if (endpoint.isError && !endpoint.data) {
    const isUnknown = endpoint.error instanceof TrefoilError && endpoint.error.status === 404;
    return (
      <Page title="Endpoint" crumb={crumb}>
        <Card isFlush>
          {isUnknown ? (
            <Empty icon={<Unplug size={20} aria-hidden />} title="This endpoint does not exist">
              It may have been deleted.
            </Empty>
          ) : (
            <Failure error={endpoint.error} what="This endpoint" onRetry={endpoint.refetch} />
          )}
        </Card>
      </Page>
    );
  }
  if (!endpoint.data) {
    return (
      <Page title="Endpoint" crumb={crumb} heading={<Skeleton width="16rem" height="1.75rem" label="Endpoint" />}>
        <Card isFlush>
          <SkeletonRows count={6} label="Loading the endpoint" />
        </Card>
      </Page>
    );
  }
  const { data } = endpoint;
  if (data.test !== (mode === 'test')) {
    return (
      <Page title="Endpoint" crumb={crumb}>
        <Card isFlush>
          <OtherMode what="endpoint" isTest={data.test} />
        </Card>
      </Page>
    );
  }
  return <Shown key={endpointId} tenantId={tenantId} endpoint={data} crumb={crumb} />;
}

type ShownProps = {
  readonly tenantId: string;
  readonly endpoint: WebhookEndpoint;
  readonly crumb: ReactNode;
};

function Shown({ tenantId, endpoint, crumb }: ShownProps) {
  const [kind, setKind] = useState<Kind>();
  const sendTest = useTestEvent(tenantId, endpoint.id);
  const { error, isSending, run } = useSending();
  useFollow(tenantId, endpoint);
  const state = stateOf(endpoint);
  const isOn = endpoint.status === 'enabled';
  return (
    <Page
      title={shortUrl(endpoint.url)}
      crumb={crumb}
      heading={
        <span className={styles.heading}>
          <span>
            <Address url={endpoint.url} />
          </span>
          <Badge tone={state.tone}>{state.label}</Badge>
        </span>
      }
      lead={endpoint.description}
      actions={
        <>
          {isOn && (
            <Button
              // In test mode it may be a test of any type; a live receiver gets the plain one.
              onClick={() => (endpoint.test ? setKind('test') : void run(() => sendTest()))}
              aria-disabled={isSending}
            >
              <Send size={15} aria-hidden />
              Send test event
            </Button>
          )}
          <Menu
            align="end"
            trigger={
              <Button isIcon aria-label="More actions">
                <Ellipsis size={17} aria-hidden />
              </Button>
            }
            groups={actionsOf(endpoint, setKind)}
          />
        </>
      }
    >
      {error !== undefined && <Refusal error={error} action="Send test event" />}
      {state.why && (
        <div className={styles.stopped}>
          <p>{state.why}</p>
          {endpoint.status === 'disabled' && endpoint.disabledReason !== 'unreadable' && (
            <Button onClick={() => setKind('enable')}>Enable</Button>
          )}
        </div>
      )}
      {endpoint.replay?.status === 'running' && <ReplayProgress replay={endpoint.replay} />}
      <div className={styles.top}>
        <Newest tenantId={tenantId} endpoint={endpoint} />
        <Settings endpoint={endpoint} />
      </div>
      <Deliveries tenantId={tenantId} endpoint={endpoint} />
      {kind && <EndpointDialog tenantId={tenantId} change={{ kind, endpoint }} onClose={() => setKind(undefined)} />}
    </Page>
  );
}

function actionsOf({ status, disabledReason }: WebhookEndpoint, choose: (kind: Kind) => void): MenuProps['groups'] {
  const isOn = status !== 'disabled';
  const power = {
    label: isOn ? 'Disable' : 'Enable',
    icon: isOn ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />,
    onSelect: () => choose(isOn ? 'disable' : 'enable'),
  };
  return [
    [
      { label: 'Change', icon: <Pencil size={16} aria-hidden />, onSelect: () => choose('edit') },
      {
        label: 'Replace the signing secret',
        icon: <RefreshCw size={16} aria-hidden />,
        onSelect: () => choose('rotate'),
      },
      { label: 'Send events again', icon: <History size={16} aria-hidden />, onSelect: () => choose('replay') },
      // Until its address and secret are new there is nothing to enable.
      ...(disabledReason === 'unreadable' ? [] : [power]),
    ],
    [
      {
        label: 'Delete endpoint',
        icon: <Trash2 size={16} aria-hidden />,
        isDanger: true,
        onSelect: () => choose('delete'),
      },
    ],
  ];
}

function Settings({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const { url, eventTypes, ordered, createdAt, replay } = endpoint;
  return (
    <Card title="Settings">
      <dl className={styles.settings}>
        {url && (
          <div>
            <dt>Address</dt>
            <dd>
              <CopyText text={url} label="the address" />
            </dd>
          </div>
        )}
        <div>
          <dt>Events</dt>
          <dd className={styles.events}>
            {eventTypes ? (
              eventTypes.map((type) => (
                <Badge key={type} hasDot={false}>
                  {eventWords(type)}
                </Badge>
              ))
            ) : (
              <Badge hasDot={false}>All events</Badge>
            )}
          </dd>
        </div>
        <div className={styles.half}>
          <dt>Order</dt>
          <dd>{ordered ? 'Kept for each report' : 'Not kept'}</dd>
        </div>
        <div className={styles.half}>
          <dt>Added</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
        {replay?.status === 'ended' && (
          <div>
            <dt>Last sent again</dt>
            <dd>
              <LastReplay replay={replay} />
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
