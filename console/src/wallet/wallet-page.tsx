// What is in the wallet, and the statement of one month: every line with the balance after it.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useCompany } from '../api/company.ts';
import { entriesQuery, pricesQuery, walletQuery } from '../api/queries.ts';
import { monthsQuery } from '../api/wallet-queries.ts';
import { formatCount, formatCredits } from '../format/money.ts';
import { formatMonth, londonDay, monthPeriod } from '../format/time.ts';
import { Card } from '../ui/card.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, Skeleton, SkeletonRows, SmallFailure } from '../ui/states.tsx';
import { Downloads } from './downloads.tsx';
import { Lines } from './lines.tsx';
import { MonthPicker } from './month-picker.tsx';
import { Totals } from './totals.tsx';
import styles from './wallet.module.css';

export function WalletPage() {
  const { id: tenantId } = useCompany();
  const { data: prices } = useQuery(pricesQuery(tenantId));
  return (
    <Page
      title="Wallet"
      lead={
        prices &&
        `A report is ${formatCredits(prices.report.credits)} and ${formatCredits(prices.bureau.credits)} for each bureau that answers. A delivered text is ${formatCredits(prices.sms.credits)}.`
      }
    >
      <Figures tenantId={tenantId} />
      <Statement tenantId={tenantId} />
    </Page>
  );
}

function Figures({ tenantId }: { readonly tenantId: string }) {
  const wallet = useQuery(walletQuery(tenantId));
  if (wallet.isError && !wallet.data) {
    return (
      <Card>
        <SmallFailure what="The balance" onRetry={wallet.refetch} />
      </Card>
    );
  }
  const figures = [
    ['Balance', wallet.data?.balance],
    ['Held for work in progress', wallet.data?.held],
    ['Available', wallet.data?.available],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([name, credits]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {credits === undefined ? (
              <Skeleton width="6rem" height="2.25rem" />
            ) : (
              <>
                {formatCredits(credits)}
                <small>{formatCount(credits)} credits</small>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Statement({ tenantId }: { readonly tenantId: string }) {
  const now = londonDay(new Date()).slice(0, 7);
  const { month = now } = useSearch({ from: '/$tenantId/wallet' });
  const months = useQuery(monthsQuery(tenantId));
  const entries = useInfiniteQuery(entriesQuery(tenantId, monthPeriod(month)));
  const lines = entries.data?.pages.flatMap(({ items }) => items);
  const totals = months.data?.find((each) => each.month === month);
  return (
    <Card isFlush>
      <div className={styles.bar}>
        <MonthPicker month={month} now={now} months={months.data?.map((each) => each.month) ?? []} />
        <Downloads key={month} tenantId={tenantId} month={month} hasMonth={totals !== undefined} />
      </div>
      <Totals query={months} totals={totals} isCurrent={month === now} />
      {entries.isError && !lines ? (
        <Failure error={entries.error} what="The statement" onRetry={entries.refetch} />
      ) : !lines ? (
        <SkeletonRows count={10} label="Loading the statement" />
      ) : lines.length === 0 ? (
        <Empty icon={<ReceiptText size={20} aria-hidden />} title={`Nothing moved in ${formatMonth(month)}`}>
          Charges, refunds and top-ups are listed on the day they happen. Test reports cost nothing.
        </Empty>
      ) : (
        <Lines tenantId={tenantId} entries={lines} />
      )}
      <ListFoot count={lines?.length ?? 0} noun="line" total={totals?.count} list={entries} />
    </Card>
  );
}
