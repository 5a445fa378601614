// When the company is told that its balance is low.
import { useState } from 'react';
import { formatCredits } from '../format/money.ts';
import { CardForm } from '../forms/card-form.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import styles from './settings.module.css';
import { poundsText, readPounds } from './settings-values.ts';
import { type CardProps, useChange } from './use-change.ts';

/** API: the highest threshold. */
const CREDITS_MAX = 1_000_000_000;

export function AlertCard(props: CardProps) {
  const [settings, change] = useChange(props);
  const [fault, setFault] = useState<string>();

  function check(fields: FormData): Promise<void> | undefined {
    const text = String(fields.get('alert') ?? '').trim();
    const credits = text === '' ? null : readPounds(text);
    const isFit = credits === null || (credits !== undefined && credits >= 1 && credits <= CREDITS_MAX);
    setFault(isFit ? undefined : 'Enter an amount in pounds, such as 50.00.');
    if (!isFit) return undefined;
    const told =
      credits === null ? 'The alert is off' : `You are told when less than ${formatCredits(credits)} is left`;
    return change({ lowBalanceCredits: credits }, told);
  }

  return (
    <Card title="Low balance" note="Sent by e-mail to your owners and finance people, and as the event “Balance low”">
      <CardForm label="Low balance" send={check}>
        <div className={styles.short}>
          <Field
            label="Alert below, in £"
            hint="You are told once, at the first charge that leaves less than this, and again only after a top-up has lifted the balance. Leave it empty for no alert."
            name="alert"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={poundsText(settings.lowBalanceCredits)}
            fault={fault}
          />
        </div>
      </CardForm>
    </Card>
  );
}
