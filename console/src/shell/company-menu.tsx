// The company that one works for, and the others of the same person.
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { personApi } from '../api/client.ts';
import { useCompanies, useCompany } from '../api/company.ts';
import { ROLES } from '../format/words.ts';
import { Menu } from '../ui/menu.tsx';
import { Mark } from './mark.tsx';
import styles from './shell.module.css';

export function CompanyMenu() {
  const company = useCompany();
  const others = useCompanies();
  const navigate = useNavigate();
  const words = (
    <>
      <Mark size={24} />
      <span className={styles.companyWords}>
        <b>{company.name}</b>
        <small>{ROLES[company.role].label}</small>
      </span>
    </>
  );
  if (others.length === 1) return <div className={styles.company}>{words}</div>;

  async function choose(tenantId: string) {
    await navigate({ to: '/$tenantId', params: { tenantId } });
    // Remembered for the next visit alone: the address decides. So a failure needs no word.
    await personApi.selectTenant(tenantId).catch(() => undefined);
  }
  return (
    <Menu
      trigger={
        <button type="button" className={styles.company}>
          {words}
          <ChevronsUpDown size={15} aria-hidden />
        </button>
      }
      groups={[
        others
          .filter(({ isEnabled }) => isEnabled)
          .map(({ id, name, role }) => ({
            label: name,
            note: ROLES[role].label,
            isChecked: id === company.id,
            onSelect: () => void choose(id),
          })),
      ]}
    />
  );
}
