// The company that the page's address names, and what the person may do there.
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { may, type Role, type Scope } from '../format/roles.ts';
import { companiesQuery } from './queries.ts';

export type Company = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly isEnabled: boolean;
  readonly isSelected: boolean;
};

export function useCompanies(): readonly Company[] {
  return useSuspenseQuery(companiesQuery).data;
}

/** Below the frame, which shows no page for a company that the person does not belong to. */
export function useCompany() {
  const { tenantId } = useParams({ from: '/$tenantId' });
  const company = useCompanies().find(({ id }) => id === tenantId);
  if (!company) throw new Error('a page outside the frame asked for the company');
  return { ...company, may: (scope: Scope) => may(company.role, scope) };
}
