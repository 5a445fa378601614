// What happened last. Nothing here is about a consumer: a report is named by what became of it, and its own page says whose it is.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ArrowRight,
  CircleCheck,
  CirclePlus,
  CircleX,
  History,
  KeyRound,
  type LucideIcon,
  MessageSquareText,
  Settings,
  TriangleAlert,
  UserPlus,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useActorNames } from '../api/actor-names.ts';
import { type Activity, activityQuery } from '../api/home-queries.ts';
import type { Mode } from '../api/queries.ts';
import { sentenceOf } from '../format/audit-words.ts';
import { formatSigned } from '../format/money.ts';
import { Card } from '../ui/card.tsx';
import { Empty, SkeletonRows } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { CardBody } from './card-body.tsx';
import styles from './home.module.css';
import { HAPPENINGS } from './home-words.ts';

/** By the kind, or by its part before the dot. */
const ICONS: Readonly<Record<string, LucideIcon>> = {
  'credit-report.completed': CircleCheck,
  'credit-report.challenged': MessageSquareText,
  'credit-report': CircleX,
  'wallet.topped-up': CirclePlus,
  wallet: TriangleAlert,
  credential: KeyRound,
  member: UserPlus,
  invitation: UserPlus,
  webhook: Webhook,
};

const iconOf = (kind: string) => ICONS[kind] ?? ICONS[kind.split('.')[0] ?? ''] ?? Settings;

type Props = { readonly tenantId: string; readonly mode: Mode };

export function ActivityCard({ tenantId, mode }: Props) {
  const activity = useQuery(activityQuery(tenantId, mode));
  return (
    <Card
      title="Recent activity"
      isFlush
      action={
        <Link to="/$tenantId/reports" params={{ tenantId }} className={styles.more}>
          All reports
          <ArrowRight size={14} aria-hidden />
        </Link>
      }
    >
      <div className={styles.activity}>
        <CardBody
          query={activity}
          what="Recent activity"
          waiting={<SkeletonRows count={8} label="Loading recent activity" />}
        >
          {(items) => <Items tenantId={tenantId} items={items} isTest={mode === 'test'} />}
        </CardBody>
      </div>
    </Card>
  );
}

type ItemsProps = { readonly tenantId: string; readonly items: readonly Activity[]; readonly isTest: boolean };

function Items({ tenantId, items, isTest }: ItemsProps) {
  const nameOf = useActorNames(items.some(({ actor }) => actor !== null));
  if (items.length === 0) {
    return (
      <Empty icon={<History size={20} aria-hidden />} title="Nothing has happened yet">
        {isTest
          ? 'Reports that your systems request with “test” show here.'
          : 'Reports, payments and changes by your colleagues show here.'}
      </Empty>
    );
  }
  return (
    <ul>
      {items.map((item) => {
        const Icon = iconOf(item.kind);
        return (
          <li key={item.id} className={styles.item}>
            <span className={styles.activityIcon}>
              <Icon size={15} aria-hidden />
            </span>
            <span className={styles.activityText}>
              <Words tenantId={tenantId} item={item} nameOf={nameOf} />
            </span>
            <span className="num">{item.amount === null ? '' : formatSigned(item.amount)}</span>
            <span className="faint">
              <Time at={item.occurredAt} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

type WordsProps = {
  readonly tenantId: string;
  readonly item: Activity;
  readonly nameOf: (actor: string) => string;
};

function Words({ tenantId, item: { kind, actor, creditReportId }, nameOf }: WordsProps): ReactNode {
  if (actor !== null) {
    return (
      <>
        <b>{nameOf(actor)}</b> <span className="quiet">{sentenceOf({ action: kind, details: {} })}</span>
      </>
    );
  }
  const { what, more } = HAPPENINGS[kind] ?? { what: kind };
  return (
    <>
      {creditReportId === null ? (
        <b>{what}</b>
      ) : (
        <Link to="/$tenantId/reports/$reportId" params={{ tenantId, reportId: creditReportId }}>
          {what}
        </Link>
      )}
      {more && <span className="quiet"> {more}</span>}
    </>
  );
}
