// The person: account, security, light or dark, signing out.
import { useSuspenseQuery } from '@tanstack/react-query';
import { LogOut, Monitor, Moon, ShieldCheck, Sun, UserRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { profileQuery } from '../api/queries.ts';
import { Menu } from '../ui/menu.tsx';
import styles from './shell.module.css';
import { applyTheme, readTheme, type Theme } from './theme.ts';

const THEMES = [
  ['system', 'Same as this device', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const;

export function PersonMenu() {
  const { data: person } = useSuspenseQuery(profileQuery);
  const [theme, setTheme] = useState<Theme>(readTheme);
  const signOut = useRef<HTMLFormElement>(null);
  const name = `${person.firstName} ${person.lastName}`;
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <button type="button" className={styles.person} aria-label={`${name}, your account`}>
            <span data-initials={`${person.firstName[0] ?? ''}${person.lastName[0] ?? ''}`} />
          </button>
        }
        head={
          <>
            <b>{name}</b>
            <br />
            <span className="quiet">{person.email}</span>
          </>
        }
        groups={[
          [
            { label: 'Your account', icon: <UserRound size={16} aria-hidden />, href: '/v1/auth/account' },
            { label: 'Sign-in and security', icon: <ShieldCheck size={16} aria-hidden />, href: '/v1/auth/security' },
          ],
          THEMES.map(([value, label, Icon]) => ({
            label,
            icon: <Icon size={16} aria-hidden />,
            isChecked: theme === value,
            onSelect: () => choose(value),
          })),
          [
            {
              label: 'Sign out',
              icon: <LogOut size={16} aria-hidden />,
              onSelect: () => signOut.current?.requestSubmit(),
            },
          ],
        ]}
      />
      <form ref={signOut} method="post" action="/v1/auth/logout" hidden />
    </>
  );
}
