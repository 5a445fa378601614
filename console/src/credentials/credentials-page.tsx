// API credentials: what each may do, when it was last used, and which secrets still work.
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { credentialsQuery, membersQuery, profileQuery } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { latePart } from '../ui/late-part.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure, SkeletonRows } from '../ui/states.tsx';
import type { Change } from './credential-dialogs.tsx';
import { CredentialLine } from './credential-line.tsx';

const CredentialDialog = latePart(() => import('./credential-dialogs.tsx').then((loaded) => loaded.CredentialDialog));

/** Names of owners, as far as the person may see them: a developer knows only their own. */
function useOwnerNames(tenantId: string, mayReadPeople: boolean): (userId: string) => string {
  const { data: me } = useQuery(profileQuery);
  const { data: members } = useQuery({ ...membersQuery(tenantId), enabled: mayReadPeople });
  return (userId) => {
    if (userId === me?.id) return 'You';
    const owner = members?.find((member) => member.userId === userId);
    if (owner) return `${owner.firstName} ${owner.lastName}`;
    return mayReadPeople && members ? 'Has left' : 'A colleague';
  };
}

export function CredentialsPage() {
  const { id: tenantId, may } = useCompany();
  const credentials = useQuery(credentialsQuery(tenantId));
  const nameOf = useOwnerNames(tenantId, may('members:write'));
  const [change, setChange] = useState<Change>();
  return (
    <Page
      title="API credentials"
      lead="What your systems use to sign in to the API. Each has one owner among your people."
      actions={
        <Button look="primary" onClick={() => setChange({ kind: 'create' })}>
          <Plus size={16} aria-hidden />
          New credential
        </Button>
      }
    >
      <Card isFlush>
        {credentials.isError && !credentials.data ? (
          <Failure error={credentials.error} what="Credentials" onRetry={credentials.refetch} />
        ) : !credentials.data ? (
          <SkeletonRows count={4} label="Loading credentials" />
        ) : credentials.data.length === 0 ? (
          <Empty
            icon={<KeyRound size={20} aria-hidden />}
            title="No credentials yet"
            action={<Button onClick={() => setChange({ kind: 'create' })}>Make one for testing</Button>}
          >
            Start with a test-only credential: it can never spend money.
          </Empty>
        ) : (
          <ul>
            {credentials.data.map((credential) => (
              <CredentialLine
                key={credential.id}
                credential={credential}
                owner={nameOf(credential.ownerUserId)}
                onChange={setChange}
              />
            ))}
          </ul>
        )}
      </Card>
      {change && <CredentialDialog tenantId={tenantId} change={change} onClose={() => setChange(undefined)} />}
    </Page>
  );
}
