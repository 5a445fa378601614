// What consumers read in text messages: whose code it is, and for which page.
import { useState } from 'react';
import { CardForm } from '../forms/card-form.tsx';
import { Card } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { type CardProps, useChange } from './use-change.ts';

const HOST = /^(?=.{1,60}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/i;
const textOf = (fields: FormData, name: string) => String(fields.get(name) ?? '').trim() || null;

export function WordsCard(props: CardProps) {
  const [settings, change] = useChange(props);
  const [fault, setFault] = useState<string>();

  function check(fields: FormData): Promise<void> | undefined {
    const [displayName, otpHost] = [textOf(fields, 'displayName'), textOf(fields, 'otpHost')];
    const isHost = otpHost === null || HOST.test(otpHost);
    setFault(isHost ? undefined : 'Enter the name of a host, such as claims.example.com, without https://.');
    if (!isHost) return undefined;
    return change({ displayName, otpHost }, `Text messages now speak of ${displayName ?? settings.name}`);
  }

  return (
    <Card title="Text messages" note="What consumers read beside their code">
      <CardForm label="Text messages" send={check}>
        <Field
          label="Name in texts"
          hint={`The company that consumers see in the text. If you leave it empty, it is ${settings.name}. A long name may be shortened.`}
          name="displayName"
          defaultValue={settings.displayName ?? ''}
          maxLength={100}
          autoComplete="off"
        />
        <Field
          label="Host of your page"
          hint="The site on which consumers type the code, such as claims.example.com. Phones then fill in the code on that site only. Leave it empty if you have none."
          name="otpHost"
          defaultValue={settings.otpHost ?? ''}
          fault={fault}
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
        />
      </CardForm>
    </Card>
  );
}
