// What can be changed about people. Each change needs a fresh second factor, which the form asks for when the service does.
import type { components } from '@trefoil/sdk';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { ROLES } from '../format/words.ts';
import { ChangeForm } from '../forms/change-form.tsx';
import { Confirm } from '../forms/confirm.tsx';
import { Dialog } from '../forms/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { RemoveMember } from './remove-member.tsx';
import { RoleChoice, roleOf } from './role-choice.tsx';
import { useDone } from './use-done.ts';

export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];

export type Change =
  | { readonly kind: 'invite' }
  | { readonly kind: 'role' | 'remove'; readonly member: Member }
  | { readonly kind: 'resend' | 'withdraw'; readonly invitation: Invitation };

type Around = { readonly tenantId: string; readonly onClose: () => void };

export function PeopleDialog({ change, ...around }: Around & { readonly change: Change }) {
  const done = useDone(around.tenantId);
  const trefoil = api(around.tenantId);
  switch (change.kind) {
    case 'invite':
      return <Invite {...around} />;
    case 'role':
      return <ChangeRole {...around} member={change.member} />;
    case 'remove':
      return <RemoveMember {...around} member={change.member} />;
    case 'resend':
      return (
        <Confirm
          title={`Send the invitation to ${change.invitation.email} again?`}
          lead="The new link works for seven days. The one before stops working."
          action="Send again"
          send={async () => {
            await trefoil.resendInvitation(change.invitation.invitationId);
            await done(`Sent again to ${change.invitation.email}`);
          }}
          onClose={around.onClose}
        />
      );
    case 'withdraw':
      return (
        <Confirm
          title={`Withdraw the invitation to ${change.invitation.email}?`}
          lead="The link in the mail stops working."
          action="Withdraw"
          isDanger
          send={async () => {
            await trefoil.revokeInvitation(change.invitation.invitationId);
            await done('The invitation is withdrawn');
          }}
          onClose={around.onClose}
        />
      );
  }
}

function Invite({ tenantId, onClose }: Around) {
  const done = useDone(tenantId);
  const [fault, setFault] = useState<string>();
  return (
    <Dialog title="Invite a person" lead="They get a link by e-mail that works for seven days." onClose={onClose}>
      {(close) => (
        <ChangeForm
          action="Send invitation"
          onCancel={close}
          send={(fields) => {
            const email = String(fields.get('email') ?? '').trim();
            const isWhole = /^\S+@\S+\.\S+$/.test(email);
            setFault(isWhole ? undefined : 'Enter a whole address, such as name@company.co.uk.');
            if (!isWhole) return undefined;
            return api(tenantId)
              .inviteMember(email, roleOf(fields))
              .then(() => done(`Invitation sent to ${email}`))
              .then(close);
          }}
        >
          <Field label="E-mail address" name="email" type="email" autoComplete="off" fault={fault} />
          <RoleChoice initial="analyst" />
        </ChangeForm>
      )}
    </Dialog>
  );
}

function ChangeRole({ tenantId, member, onClose }: Around & { readonly member: Member }) {
  const done = useDone(tenantId);
  const name = `${member.firstName} ${member.lastName}`;
  return (
    <Dialog title={`Role of ${name}`} lead="The new role holds within seconds." onClose={onClose}>
      {(close) => (
        <ChangeForm
          action="Change role"
          onCancel={close}
          send={(fields) => {
            const role = roleOf(fields);
            return api(tenantId)
              .changeMember(member.userId, role)
              .then(() => done(`${name} is now ${ROLES[role].label}`))
              .then(close);
          }}
        >
          <RoleChoice initial={member.role} />
        </ChangeForm>
      )}
    </Dialog>
  );
}
