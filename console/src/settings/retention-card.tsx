// How long reports are kept. A shorter time erases reports, so it says how many and asks first.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { TrefoilError } from '@trefoil/sdk';
import { useEffect, useState } from 'react';
import { retentionQuery } from '../api/settings-queries.ts';
import { countOf } from '../format/money.ts';
import { formatDate } from '../format/time.ts';
import { CardForm } from '../forms/card-form.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { latePart } from '../ui/late-part.tsx';
import styles from './settings.module.css';
import { readWhole } from './settings-values.ts';
import { type CardProps, useChange } from './use-change.ts';

const Confirm = latePart(() => import('../forms/confirm.tsx').then((loaded) => loaded.Confirm));

/** API: as many days as a report may be kept. */
const DAYS = { min: 0, max: 90 };
/** After the last key: reports are counted for what was typed, not for each digit of it. */
const TYPED_MS = 400;
/** `reports` is undefined where they could not be counted. */
type Asked = { readonly days: number; readonly reports: number | undefined };

const toldOf = (days: number) =>
  days === 0 ? 'Reports are no longer kept' : `Reports are now kept for ${countOf(days, 'day')}`;

export function RetentionCard(props: CardProps) {
  const { tenantId } = props;
  const queryClient = useQueryClient();
  const [settings, change] = useChange(props);
  const [typed, setTyped] = useState(String(settings.retentionDays));
  const [fault, setFault] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const read = readWhole(typed, DAYS);

  async function count(days: number): Promise<number | undefined> {
    try {
      return (await queryClient.fetchQuery({ ...retentionQuery(tenantId, days), staleTime: 0 })).reports;
    } catch (error) {
      // A confirmed change counts nothing, so it also works where counting takes too long.
      if (error instanceof TrefoilError && error.status >= 500) return undefined;
      throw error;
    }
  }

  async function save(days: number): Promise<void> {
    const reports = days < settings.retentionDays ? await count(days) : 0;
    if (reports !== 0) {
      setAsked({ days, reports });
      return;
    }
    try {
      await change({ retentionDays: days }, toldOf(days));
    } catch (error) {
      // Since they were counted, a report has come to the age at which it would be erased.
      if (!(error instanceof TrefoilError && error.is('conflict'))) throw error;
      setAsked({ days, reports: await count(days) });
    }
  }

  function check(): Promise<void> | undefined {
    setFault('fault' in read ? read.fault : undefined);
    return 'value' in read ? save(read.value) : undefined;
  }

  return (
    <Card title="Reports" note="How long the content of a report can be read">
      <CardForm label="Reports" send={check}>
        <div className={styles.short}>
          <Field
            label="Days that reports are kept"
            hint="From 0 to 90 days after a report has ended. With 0, nothing is kept: a report is only in the answer to the request or to the code."
            name="retentionDays"
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setFault(undefined);
              // So that what is typed can be saved, whatever becomes of the connection or of this build.
              void Confirm.ahead();
            }}
            fault={fault}
          />
        </div>
        {'value' in read && read.value < settings.retentionDays && <Effect tenantId={tenantId} days={read.value} />}
      </CardForm>
      {asked && (
        <Confirm
          title={asked.reports === undefined ? 'Erase older reports?' : `Erase ${countOf(asked.reports, 'report')}?`}
          lead={
            <>
              {asked.reports === undefined && 'How many reports that are could not be counted. '}
              Reports that were settled more than {countOf(asked.days, 'day')} ago can no longer be read, at once. Then
              they are erased for good. This cannot be undone.
            </>
          }
          action="Erase and save"
          isDanger
          send={() => change({ retentionDays: asked.days }, toldOf(asked.days), true)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Card>
  );
}

/** Told while typing; the form asks again before it saves. */
function Effect({ tenantId, days }: { readonly tenantId: string; readonly days: number }) {
  const [typed, setTyped] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setTyped(days), TYPED_MS);
    return () => clearTimeout(timer);
  }, [days]);
  const { data, isError } = useQuery({ ...retentionQuery(tenantId, days), enabled: typed === days });
  return (
    <p role="status" className={data && data.reports > 0 ? styles.erases : 'quiet'}>
      {!data
        ? isError
          ? 'How many reports would be erased could not be counted.'
          : 'Counting the reports that would be erased…'
        : data.reports === 0
          ? 'No report would be erased.'
          : `${countOf(data.reports, 'report')} would be erased${
              data.newestSettledAt ? `, the newest of them from ${formatDate(data.newestSettledAt)}` : ''
            }.`}
    </p>
  );
}
