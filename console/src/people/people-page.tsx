// The company's people, and those who are invited.
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Mail, ShieldAlert, ShieldCheck, UserMinus, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { invitationsQuery, membersQuery, profileQuery } from '../api/queries.ts';
import { formatAgo, formatDate } from '../format/time.ts';
import { ROLES } from '../format/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { latePart } from '../ui/late-part.tsx';
import { Menu } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { Failure, SkeletonRows, SmallFailure } from '../ui/states.tsx';
import table from '../ui/table.module.css';
import styles from './people.module.css';
import type { Change, Invitation, Member } from './people-dialogs.tsx';

const PeopleDialog = latePart(() => import('./people-dialogs.tsx').then((loaded) => loaded.PeopleDialog));

type OnChange = (change: Change) => void;

export function PeoplePage() {
  const { id: tenantId } = useCompany();
  const members = useQuery(membersQuery(tenantId));
  const [change, setChange] = useState<Change>();
  return (
    <Page
      title="People"
      lead="Who can sign in for your company, and what each may do."
      actions={
        <Button look="primary" onClick={() => setChange({ kind: 'invite' })}>
          <UserPlus size={15} aria-hidden />
          Invite
        </Button>
      }
    >
      <Card isFlush>
        {members.isError && !members.data ? (
          <Failure error={members.error} what="People" onRetry={members.refetch} />
        ) : !members.data ? (
          <SkeletonRows count={5} label="Loading people" />
        ) : (
          <Members members={members.data} onChange={setChange} />
        )}
      </Card>
      <Invitations tenantId={tenantId} onChange={setChange} />
      {change && <PeopleDialog tenantId={tenantId} change={change} onClose={() => setChange(undefined)} />}
    </Page>
  );
}

function Members({ members, onChange }: { readonly members: readonly Member[]; readonly onChange: OnChange }) {
  const { data: me } = useQuery(profileQuery);
  // Only an owner changes or removes an owner.
  const { role } = useCompany();
  return (
    <table className={table.table}>
      <caption className="visually-hidden">People</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" className={table.wide}>
            Role
          </th>
          <th scope="col" className={table.wide}>
            Second factor
          </th>
          <th scope="col" className={table.wide}>
            Joined
          </th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.userId}>
            <td>
              <Person member={member} isMe={member.userId === me?.id} />
            </td>
            <td className={table.wide}>
              {ROLES[member.role].label}
              <span className={table.sub}>{ROLES[member.role].can}</span>
            </td>
            <td className={table.wide}>
              <SecondFactor isSetUp={member.hasSecondFactor} />
            </td>
            <td className={`${table.wide} quiet`}>{formatDate(member.joinedAt)}</td>
            <td className={table.end}>
              {(role === 'owner' || member.role !== 'owner') && (
                <Menu
                  align="end"
                  trigger={
                    <Button look="plain" isIcon aria-label={`Actions for ${member.firstName} ${member.lastName}`}>
                      <Ellipsis size={17} aria-hidden />
                    </Button>
                  }
                  groups={[
                    [
                      {
                        label: 'Change role',
                        icon: <ShieldCheck size={16} aria-hidden />,
                        onSelect: () => onChange({ kind: 'role', member }),
                      },
                    ],
                    [
                      {
                        label: 'Remove from the company',
                        icon: <UserMinus size={16} aria-hidden />,
                        isDanger: true,
                        onSelect: () => onChange({ kind: 'remove', member }),
                      },
                    ],
                  ]}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SecondFactor({ isSetUp }: { readonly isSetUp: boolean }) {
  const Icon = isSetUp ? ShieldCheck : ShieldAlert;
  return (
    <span className={isSetUp ? styles.ok : styles.missing}>
      <Icon size={15} aria-hidden />
      {isSetUp ? 'Set up' : 'Not yet'}
    </span>
  );
}

function Person({ member, isMe }: { readonly member: Member; readonly isMe: boolean }) {
  const { firstName, lastName, email, role, isEnabled, hasSecondFactor } = member;
  return (
    <span className={styles.person}>
      <span className={styles.initials} aria-hidden="true">
        {firstName[0]}
        {lastName[0]}
      </span>
      <span className={styles.words}>
        <b>
          {firstName} {lastName}
        </b>
        {isMe && <span className="faint"> (you)</span>} {!isEnabled && <Badge>Disabled</Badge>}
        <span className={table.sub}>{email}</span>
        <span className={`${table.sub} ${table.narrow}`}>{ROLES[role].label}</span>
        <span className={`${table.sub} ${table.narrow}`}>
          Second factor: <SecondFactor isSetUp={hasSecondFactor} />
        </span>
      </span>
    </span>
  );
}

function Invitations({ tenantId, onChange }: { readonly tenantId: string; readonly onChange: OnChange }) {
  const invitations = useQuery(invitationsQuery(tenantId));
  if (invitations.isError && !invitations.data) {
    return (
      <Card>
        <SmallFailure what="Invitations" onRetry={invitations.refetch} />
      </Card>
    );
  }
  if (!invitations.data || invitations.data.length === 0) return null;
  return (
    <Card title="Invited" note="They have not joined yet" isFlush>
      <ul className={styles.invited}>
        {invitations.data.map((invitation) => (
          <Invited key={invitation.invitationId} invitation={invitation} onChange={onChange} />
        ))}
      </ul>
    </Card>
  );
}

function Invited({ invitation, onChange }: { readonly invitation: Invitation; readonly onChange: OnChange }) {
  const { email, role, expiresAt, sentCount } = invitation;
  const isOver = Date.parse(expiresAt) < Date.now();
  return (
    <li>
      <Mail size={16} aria-hidden />
      <span className={styles.words}>
        <b>{email}</b>
        <span className={table.sub}>
          {ROLES[role].label}, the link {isOver ? 'ended' : 'ends'} {formatAgo(expiresAt)}
        </span>
      </span>
      {sentCount > 1 && <Badge hasDot={false}>Sent {sentCount} times</Badge>}
      <span className={styles.invitedActions}>
        <Button
          look="plain"
          aria-label={`Send again the invitation to ${email}`}
          onClick={() => onChange({ kind: 'resend', invitation })}
        >
          Send again
        </Button>
        <Button
          look="plain"
          aria-label={`Withdraw the invitation to ${email}`}
          onClick={() => onChange({ kind: 'withdraw', invitation })}
        >
          Withdraw
        </Button>
      </span>
    </li>
  );
}
