// Sends a test with the body that an event of some type has. For endpoints of test mode: a live receiver could act on it.
import { type EventType, TEST_EVENT } from '../format/event-words.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { EventTypeOptions } from '../ui/event-type-options.tsx';
import { Choice } from '../ui/field.tsx';
import { useTestEvent } from './use-test-event.ts';

type Props = { readonly tenantId: string; readonly endpointId: string; readonly onClose: () => void };

export function TestEvent({ tenantId, endpointId, onClose }: Props) {
  const send = useTestEvent(tenantId, endpointId);
  return (
    <Dialog
      title="Send a test event"
      lead="It is attempted once, whatever types the endpoint is for. Its id begins with evt_test_, and its other ids name nothing."
      onClose={onClose}
    >
      {(close) => (
        <ChangeForm
          action="Send"
          onCancel={close}
          send={(fields) => send(fields.get('type') as EventType | typeof TEST_EVENT).then(close)}
        >
          <Choice label="As if this had happened" name="type" defaultValue={TEST_EVENT}>
            <option value={TEST_EVENT}>Nothing: a plain test</option>
            <EventTypeOptions />
          </Choice>
        </ChangeForm>
      )}
    </Dialog>
  );
}
