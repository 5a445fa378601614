// The test wallet: what reports of test mode that ask for charges spend, apart from real money (docs/decisions/0287-money-in-test-mode.md).
// The API keeps its lines for 91 days and sums up no months of it, so all of them are one list.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { FlaskConical, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { entriesQuery, walletQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { latePart } from '../ui/late-part.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, SkeletonRows, SmallFailure } from '../ui/states.tsx';
import { Downloads } from './downloads.tsx';
import { Figure } from './figure.tsx';
import { Lines } from './lines.tsx';
import styles from './wallet.module.css';

const ResetTestWallet = latePart(() => import('./reset-test-wallet.tsx').then((loaded) => loaded.ResetTestWallet));

const CHARGES = <code>testOptions.charges</code>;

export function TestWallet() {
  const { id: tenantId, may } = useCompany();
  const [isAsking, setAsking] = useState(false);
  return (
    <Page
      title="Test wallet"
      lead={<>Only test reports with {CHARGES} move it, at your prices. No real credits are charged.</>}
      actions={
        may('reports:write') && (
          <Button onClick={() => setAsking(true)}>
            <RotateCcw size={15} aria-hidden />
            Reset
          </Button>
        )
      }
    >
      <Balance tenantId={tenantId} />
      <TestLines tenantId={tenantId} />
      {isAsking && <ResetTestWallet tenantId={tenantId} onClose={() => setAsking(false)} />}
    </Page>
  );
}

function Balance({ tenantId }: { readonly tenantId: string }) {
  const wallet = useQuery(walletQuery(tenantId, 'test'));
  if (wallet.isError && !wallet.data) {
    return (
      <Card>
        <SmallFailure what="The balance" onRetry={wallet.refetch} />
      </Card>
    );
  }
  // Test mode holds nothing: all of it is available.
  return (
    <dl className={styles.figures}>
      <Figure name="Balance" credits={wallet.data?.balance} />
    </dl>
  );
}

function TestLines({ tenantId }: { readonly tenantId: string }) {
  const entries = useInfiniteQuery(entriesQuery(tenantId, 'test'));
  const lines = entries.data?.pages.flatMap(({ items }) => items);
  return (
    <Card isFlush>
      <div className={styles.bar}>
        <span className={styles.period}>Last 91 days</span>
        <Downloads tenantId={tenantId} />
      </div>
      {entries.isError && !lines ? (
        <Failure error={entries.error} what="The lines" onRetry={entries.refetch} />
      ) : !lines ? (
        <SkeletonRows count={10} label="Loading the lines" />
      ) : lines.length === 0 ? (
        <Empty icon={<FlaskConical size={20} aria-hidden />} title="Nothing has moved the test wallet">
          Send a test report with {CHARGES}, for instance in the playground. Other test reports cost nothing.
        </Empty>
      ) : (
        <Lines tenantId={tenantId} entries={lines} caption="Lines of the test wallet, newest first" mode="test" />
      )}
      <ListFoot count={lines?.length ?? 0} noun="line" list={entries} />
    </Card>
  );
}
