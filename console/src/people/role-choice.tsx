// A role, with what it may do. Only those are offered that the person may give.
import type { Role } from '@trefoil/sdk';
import { useState } from 'react';
import { useCompany } from '../api/company.ts';
import { ROLES } from '../format/words.ts';
import { Choice } from '../ui/field.tsx';

const ALL: readonly Role[] = ['owner', 'admin', 'finance', 'developer', 'analyst', 'caseworker'];
/** Nobody gives a role that can do more than their own; finance can spend, an admin cannot. */
const BY_ADMIN: readonly Role[] = ['admin', 'developer', 'analyst', 'caseworker'];

export const roleOf = (fields: FormData) => String(fields.get('role')) as Role;

export function RoleChoice({ initial }: { readonly initial: Role }) {
  const offered = useCompany().role === 'owner' ? ALL : BY_ADMIN;
  const [role, setRole] = useState<Role>(offered.includes(initial) ? initial : 'analyst');
  return (
    <Choice
      label="Role"
      name="role"
      hint={ROLES[role].can}
      value={role}
      onChange={(event) => setRole(event.target.value as Role)}
    >
      {offered.map((each) => (
        <option key={each} value={each}>
          {ROLES[each].label}
        </option>
      ))}
    </Choice>
  );
}
