// Whether people need a second factor to work in this company.
import { CardForm } from '../forms/card-form.tsx';
import { Card } from '../ui/card.tsx';
import { Tick } from '../ui/field.tsx';
import { type CardProps, useChange } from './use-change.ts';

export function FactorCard(props: CardProps) {
  const [settings, change] = useChange(props);
  const save = (fields: FormData) => {
    const requireSecondFactor = fields.has('requireSecondFactor');
    const told = requireSecondFactor ? 'People need a second factor here' : 'A password alone is enough here';
    return change({ requireSecondFactor }, told);
  };
  return (
    <Card
      title="Second factor"
      note="Without one, a stolen password is enough to read reports. Only an owner can turn it off."
    >
      <CardForm label="Second factor" send={save}>
        <Tick
          label="People need a second factor"
          hint="A person without one is asked to set it up at the next sign-in, and cannot use this company until then. API credentials are not affected."
          name="requireSecondFactor"
          defaultChecked={settings.requireSecondFactor}
        />
      </CardForm>
    </Card>
  );
}
