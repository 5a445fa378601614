// Everything that test mode can do, by a click: each value of the catalogue, the texts that were never sent, and the clock of
// a report. Nothing here touches live mode, money or a bureau.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { FlaskConical, Play } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { catalogueQuery, inboxQuery } from '../api/playground-queries.ts';
import { walletQuery } from '../api/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import { Inbox } from './inbox.tsx';
import styles from './playground.module.css';
import { type Result, runScenario } from './run-scenario.ts';
import { type Group, groupsOf, scenarioOf, type TestValue } from './scenarios.ts';

export function PlaygroundPage() {
  const { id: tenantId } = useCompany();
  const { mode } = useSearch({ from: '/$tenantId' });
  if (mode !== 'test') return <LiveMode tenantId={tenantId} />;
  return (
    <Page
      title="Test playground"
      lead="Make every outcome happen before you go live. Each scenario sends the request that your own system would send."
    >
      <div className={styles.columns}>
        <Scenarios tenantId={tenantId} />
        <div className={styles.rail}>
          <Inbox tenantId={tenantId} />
        </div>
      </div>
    </Page>
  );
}

function LiveMode({ tenantId }: { readonly tenantId: string }) {
  return (
    <Page title="Test playground">
      <Card isFlush>
        <Empty
          icon={<FlaskConical size={20} aria-hidden />}
          title="The playground is part of test mode"
          action={
            <Link
              to="/$tenantId/playground"
              params={{ tenantId }}
              search={{ mode: 'test' }}
              className={buttonClass('primary')}
            >
              Switch to test mode
            </Link>
          }
        >
          No text is sent there, no bureau is asked and no real credits are charged.
        </Empty>
      </Card>
    </Page>
  );
}

function Scenarios({ tenantId }: { readonly tenantId: string }) {
  const catalogue = useQuery(catalogueQuery);
  if (catalogue.isError && !catalogue.data) {
    return (
      <Card isFlush>
        <Failure error={catalogue.error} what="The scenarios" onRetry={catalogue.refetch} />
      </Card>
    );
  }
  if (!catalogue.data) {
    return (
      <Card isFlush>
        <SkeletonRows count={10} label="Loading the scenarios" />
      </Card>
    );
  }
  return (
    <div className={styles.groups}>
      {groupsOf(catalogue.data).map((group) => (
        <GroupCard key={group.field} tenantId={tenantId} {...group} />
      ))}
    </div>
  );
}

function GroupCard({ tenantId, field, title, values }: Group & { readonly tenantId: string }) {
  return (
    <Card title={title} note={<code className={styles.field}>{field}</code>} isFlush>
      <ul className={styles.values}>
        {values.map((value) => (
          <Value key={value.value} tenantId={tenantId} value={value} />
        ))}
      </ul>
    </Card>
  );
}

function Value({ tenantId, value }: { readonly tenantId: string; readonly value: TestValue }) {
  const queryClient = useQueryClient();
  const [result, setResult] = useState<Result>();
  const [isRunning, setRunning] = useState(false);
  const scenario = scenarioOf(value);
  async function play() {
    if (!scenario || isRunning) return;
    setRunning(true);
    setResult(undefined);
    try {
      setResult(await runScenario(tenantId, scenario));
    } finally {
      setRunning(false);
    }
    // Lists are asked for when they are next looked at; the inbox and, for who may see it, the test wallet are in view.
    await queryClient.invalidateQueries({ queryKey: [tenantId], refetchType: 'none' });
    await Promise.all([
      queryClient.refetchQueries({ queryKey: inboxQuery(tenantId).queryKey }),
      queryClient.refetchQueries({ queryKey: walletQuery(tenantId, 'test').queryKey, type: 'active' }),
    ]);
  }
  return (
    <li>
      <div className={styles.what}>
        <code>{value.value}</code>
        <p className="quiet">{value.effect}</p>
      </div>
      {scenario && (
        <Button onClick={() => void play()} aria-disabled={isRunning} aria-label={`Run ${value.value}`}>
          <Play size={14} aria-hidden />
          {isRunning ? 'Running…' : 'Run'}
        </Button>
      )}
      <div role="status" className={styles.result}>
        {result && <Outcome tenantId={tenantId} {...result} />}
      </div>
    </li>
  );
}

function Outcome({ tenantId, tone, label, detail, creditReportId }: Result & { readonly tenantId: string }) {
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {detail && <span className="quiet">{detail}</span>}
      {creditReportId && (
        <Link to="/$tenantId/reports/$reportId" params={{ tenantId, reportId: creditReportId }}>
          Open the report
        </Link>
      )}
    </>
  );
}
