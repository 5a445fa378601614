// The texts that test challenges would have sent, newest first, and the clock of each report: it only moves forward.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { components } from '@trefoil/sdk';
import { FastForward, Inbox as InboxIcon } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { inboxQuery } from '../api/playground-queries.ts';
import { SENDS } from '../format/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { CopyText } from '../ui/copy.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import styles from './playground.module.css';
import { type Result, refusalOf } from './run-scenario.ts';

type Message = components['schemas']['TestMessage'];

export function Inbox({ tenantId }: { readonly tenantId: string }) {
  const inbox = useQuery(inboxQuery(tenantId));
  return (
    <Card title="Test inbox" note="What would have been sent. The newest ten." isFlush>
      {inbox.isError && !inbox.data ? (
        <Failure error={inbox.error} what="The inbox" onRetry={inbox.refetch} />
      ) : !inbox.data ? (
        <SkeletonRows count={4} label="Loading the inbox" />
      ) : inbox.data.length === 0 ? (
        <Empty icon={<InboxIcon size={20} aria-hidden />} title="No texts yet">
          Run a scenario that asks for a code.
        </Empty>
      ) : (
        <ul className={styles.messages}>
          {inbox.data.map((message) => (
            <Text key={`${message.challengeId} ${message.number}`} tenantId={tenantId} message={message} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** A minute, and past the five minutes in which a code works. */
const STEPS = [
  { seconds: 60, label: '1 minute' },
  { seconds: 301, label: 'Past 5 minutes' },
];

function Text({ tenantId, message }: { readonly tenantId: string; readonly message: Message }) {
  const { creditReportId, number, to, text, state, sentAt } = message;
  const code = /\b\d{6}\b/.exec(text)?.[0];
  return (
    <li>
      <div className={styles.messageHead}>
        <span className="quiet">
          {to ? `To ${to}` : 'No number'}
          {number > 1 && `, text ${number}`}
        </span>
        <span className="quiet">
          <Time at={sentAt} />
        </span>
      </div>
      <p className={styles.bubble}>{text}</p>
      <div className={styles.messageFoot}>
        <Badge tone={state === 'delivered' ? 'good' : 'warn'}>{SENDS[state]}</Badge>
        {code && <CopyText text={code} label="the code" />}
        <Link to="/$tenantId/reports/$reportId" params={{ tenantId, reportId: creditReportId }}>
          Open the report
        </Link>
      </div>
      {/* The clock belongs to the report: its other texts need none. */}
      {number === 1 && <Clock tenantId={tenantId} reportId={creditReportId} />}
    </li>
  );
}

function Clock({ tenantId, reportId }: { readonly tenantId: string; readonly reportId: string }) {
  const queryClient = useQueryClient();
  const [result, setResult] = useState<Result>();
  const [isMoving, setMoving] = useState(false);
  async function move(seconds: number) {
    if (isMoving) return;
    setMoving(true);
    setResult(await advance(tenantId, reportId, seconds));
    setMoving(false);
    await queryClient.invalidateQueries({ queryKey: [tenantId] });
  }
  return (
    <div className={styles.clock}>
      <FastForward size={15} aria-hidden />
      <span>Clock</span>
      {STEPS.map(({ seconds, label }) => (
        <Button key={seconds} onClick={() => void move(seconds)} aria-disabled={isMoving}>
          <span className="visually-hidden">Move the clock: </span>
          {label}
        </Button>
      ))}
      <span role="status" className={styles.result}>
        {result && (
          <>
            <Badge tone={result.tone}>{result.label}</Badge>
            {result.detail && <span className="quiet">{result.detail}</span>}
          </>
        )}
      </span>
    </div>
  );
}

/** The answer to a move is the only thing that tells the time: `expiresInSeconds`. */
async function advance(tenantId: string, reportId: string, seconds: number): Promise<Result> {
  try {
    const { data } = await api(tenantId).advanceTestClock(reportId, seconds, { maxRetries: 0 });
    return data.expiresInSeconds === null
      ? { tone: 'quiet', label: 'No code is open any more' }
      : { tone: 'info', label: `The code works for ${data.expiresInSeconds} more seconds` };
  } catch (error) {
    return refusalOf(error);
  }
}
