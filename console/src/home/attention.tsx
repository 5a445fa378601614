// The band above the cards: what needs attention. Without anything there is no band, and a question that fails adds none.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound, type LucideIcon, TriangleAlert, Wallet, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCompany } from '../api/company.ts';
import { bureausQuery, type FailingEndpoint, failingEndpointsQuery, usageQuery } from '../api/home-queries.ts';
import { credentialsQuery, type Mode, walletQuery } from '../api/queries.ts';
import { settingsQuery } from '../api/settings-queries.ts';
import { countOf, formatCount, formatCredits } from '../format/money.ts';
import { formatRunway } from '../format/runway.ts';
import { formatAgo, formatTime } from '../format/time.ts';
import { BUREAUS } from '../format/words.ts';
import { type Alert, bureauAlerts, endpointAlerts, moneyAlert, secretAlerts } from './alerts.ts';
import styles from './home.module.css';
import { PERIOD_DAYS } from './home-words.ts';

/** API: where `retrying` stops counting. */
const RETRYING_MAX = 100;

type InMode = { readonly tenantId: string; readonly mode: Mode };

/** Each question is asked only of those whose role includes it. */
function useAlerts({ tenantId, mode }: InMode): readonly Alert[] {
  const { may } = useCompany();
  const isLive = mode === 'live';
  const hasMoney = isLive && may('wallet:read');
  const wallet = useQuery({ ...walletQuery(tenantId), enabled: hasMoney }).data;
  const usage = useQuery({ ...usageQuery(tenantId, mode, PERIOD_DAYS), enabled: hasMoney }).data;
  const settings = useQuery({ ...settingsQuery(tenantId), enabled: isLive && may('settings:write') }).data;
  const bureaus = useQuery({ ...bureausQuery(tenantId), enabled: isLive && may('reports:read') }).data;
  const endpoints = useQuery({ ...failingEndpointsQuery(tenantId, mode), enabled: may('webhooks:write') }).data;
  const credentials = useQuery({ ...credentialsQuery(tenantId), enabled: may('credentials:write') }).data;
  const money = isLive
    ? moneyAlert({ wallet, weekCredits: usage?.last7DaysCredits, limitCredits: settings?.lowBalanceCredits })
    : undefined;
  return [
    ...(money ? [money] : []),
    ...bureauAlerts(isLive ? bureaus : []),
    ...endpointAlerts(endpoints),
    ...secretAlerts(credentials, !isLive, new Date()),
  ];
}

const keyOf = (alert: Alert) =>
  alert.kind === 'bureau'
    ? alert.bureau
    : alert.kind === 'endpoint'
      ? alert.endpoint.id
      : alert.kind === 'secret'
        ? alert.credential + alert.endsAt
        : alert.kind;

export function Attention({ tenantId, mode }: InMode) {
  const alerts = useAlerts({ tenantId, mode });
  if (alerts.length === 0) return null;
  return (
    <ul className={styles.alerts} aria-label="Needs attention">
      {alerts.map((alert) => (
        <AlertLine key={keyOf(alert)} tenantId={tenantId} alert={alert} />
      ))}
    </ul>
  );
}

function AlertLine({ tenantId, alert }: { readonly tenantId: string; readonly alert: Alert }) {
  switch (alert.kind) {
    case 'empty':
      return (
        <Line icon={Wallet} title="The wallet is empty." link={<ToWallet tenantId={tenantId} />}>
          Live reports are refused until it has funds.
        </Line>
      );
    case 'held':
      return (
        <Line icon={Wallet} title="All of the balance is held." link={<ToWallet tenantId={tenantId} />}>
          New live reports are refused until work in progress ends or the wallet has more funds.
        </Line>
      );
    case 'below-limit':
      return (
        <Line icon={Wallet} title="The balance is low." link={<ToWallet tenantId={tenantId} />}>
          It is below your alert limit of {formatCredits(alert.limitCredits)}.
        </Line>
      );
    case 'short':
      return (
        <Line icon={Wallet} title="The balance is low." link={<ToWallet tenantId={tenantId} />}>
          {formatRunway(alert.days)} left at this week’s pace.
        </Line>
      );
    case 'bureau':
      return (
        <Line
          icon={TriangleAlert}
          title={`${BUREAUS[alert.bureau]} ${alert.isFailing ? 'has answered less than half of its enquiries' : 'is unsteady'}`}
        >
          {alert.since && `since ${formatTime(alert.since)}`}.{' '}
          {alert.hasOther
            ? 'Reports still complete with the bureaus that answer, and you pay only for those.'
            : 'You pay only for bureaus that answer.'}
        </Line>
      );
    case 'endpoint':
      return (
        <Line
          icon={Webhook}
          title={endpointTitle(alert.endpoint)}
          link={
            <Link to="/$tenantId/webhooks/$endpointId" params={{ tenantId, endpointId: alert.endpoint.id }}>
              See attempts
            </Link>
          }
        >
          {endpointWords(alert.endpoint)}
        </Line>
      );
    case 'secret':
      return (
        <Line
          icon={KeyRound}
          title={`A secret of “${alert.credential}” ends ${formatAgo(alert.endsAt)}.`}
          link={
            <Link to="/$tenantId/credentials" params={{ tenantId }}>
              See credentials
            </Link>
          }
        >
          {alert.isLast
            ? 'It is the only one: requests with it will be refused.'
            : 'Systems that still use it must have the newer one by then.'}
        </Line>
      );
  }
}

const ToWallet = ({ tenantId }: { readonly tenantId: string }) => (
  <Link to="/$tenantId/wallet" params={{ tenantId }}>
    See the wallet
  </Link>
);

/** The host alone: the rest of an address may hold a secret. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : 'an address that cannot be read');

function endpointTitle({ status, disabledReason }: FailingEndpoint): string {
  if (status === 'confirming') return 'A webhook endpoint is being confirmed.';
  return disabledReason ? 'A webhook endpoint was disabled.' : 'A webhook endpoint is failing.';
}

function endpointWords({ url, status, disabledReason, retrying }: FailingEndpoint): string {
  const host = hostOf(url);
  if (status === 'confirming') {
    return `${host} said that it was gone. It gets one test message; if it accepts that, what waits is sent.`;
  }
  if (disabledReason === 'gone') return `${host} said that it is gone. Events wait for up to 30 days.`;
  if (disabledReason === 'failing')
    return `Every attempt to reach ${host} failed for five days. Events wait for up to 30 days.`;
  if (disabledReason === 'unreadable') return 'Its address must be given again. Events wait for up to 30 days.';
  const many =
    retrying >= RETRYING_MAX
      ? `${formatCount(RETRYING_MAX)} or more deliveries`
      : countOf(retrying, 'delivery', 'deliveries');
  return `${many} to ${host} ${retrying === 1 ? 'waits' : 'wait'} to be tried again.`;
}

type LineProps = {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly link?: ReactNode;
  readonly children: ReactNode;
};

function Line({ icon: Icon, title, link, children }: LineProps) {
  return (
    <li className={styles.notice}>
      <Icon size={16} aria-hidden />
      <span>
        <b>{title}</b> {children}
      </span>
      {link}
    </li>
  );
}
