// What is in the wallet, and the statement of one month: every line with the balance after it. Test mode has a wallet of its own.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useCompany } from '../api/company.ts';
import { entriesQuery, pricesQuery, walletQuery } from '../api/queries.ts';
import { monthsQuery } from '../api/wallet-queries.ts';
import { formatCredits } from '../format/money.ts';
import { formatMonth, londonDay, monthPeriod } from '../format/time.ts';
import { Card } from '../ui/card.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, SkeletonRows, SmallFailure } from '../ui/states.tsx';
import { Downloads } from './downloads.tsx';
import { Figure } from './figure.tsx';
import { Lines } from './lines.tsx';
import { MonthPicker } from './month-picker.tsx';
import { TestWallet } from './test-wallet.tsx';
import { Totals } from './totals.tsx';
import styles from './wallet.module.css';

export function WalletPage() {
  const { mode } = useSearch({ from: '/$tenantId/wallet' });
  return mode === 'test' ? <TestWallet /> : <LiveWallet />;
}

function LiveWallet() {
  const { id: tenantId } = useCompany();
  const { data: prices } = useQuery(pricesQuery(tenantId));
  return (
    <Page
      title="Wallet"
      lead={
        prices &&
        `A report is ${formatCredits(prices.report.credits)} and ${formatCredits(prices.bureau.credits)} for each bureau that answers. A delivered text is ${formatCredits(prices.sms.credits)}. To top up, ask the operator of this service.`
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
        <Figure key={name} name={name} credits={credits} />
      ))}
    </dl>
  );
}

function Statement({ tenantId }: { readonly tenantId: string }) {
  const now = londonDay(new Date()).slice(0, 7);
  const { month = now } = useSearch({ from: '/$tenantId/wallet' });
  const months = useQuery(monthsQuery(tenantId));
  const entries = useInfiniteQuery(entriesQuery(tenantId, 'live', monthPeriod(month)));
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
          Charges, refunds and top-ups are listed on the day they happen. What test reports cost is in the test wallet.
        </Empty>
      ) : (
        <Lines tenantId={tenantId} entries={lines} caption="Lines of the month, newest first" />
      )}
      <ListFoot count={lines?.length ?? 0} noun="line" total={totals?.count} list={entries} />
    </Card>
  );
}
