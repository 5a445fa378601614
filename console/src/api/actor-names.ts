// Names of those who acted, as far as the person may see them.
import { useQuery } from '@tanstack/react-query';
import { useCompany } from './company.ts';
import { credentialsQuery, membersQuery, profileQuery } from './queries.ts';

/** `isNeeded`: whether there is anybody to name; before that nothing is asked. */
export function useActorNames(isNeeded = true): (actor: string) => string {
  const { id: tenantId, may } = useCompany();
  const { data: me } = useQuery(profileQuery);
  const { data: members } = useQuery({ ...membersQuery(tenantId), enabled: isNeeded && may('members:write') });
  const { data: credentials } = useQuery({
    ...credentialsQuery(tenantId),
    enabled: isNeeded && may('credentials:write'),
  });
  return (actor) => {
    if (actor === 'system') return 'The service';
    if (actor === 'operator') return 'The operator';
    if (actor === me?.id) return 'You';
    const person = members?.find(({ userId }) => userId === actor);
    if (person) return `${person.firstName} ${person.lastName}`;
    const credential = credentials?.find(({ id }) => id === actor);
    return credential ? `“${credential.name}”` : `Account …${actor.slice(-6)}`;
  };
}
