// The trefoil.
import styles from './shell.module.css';

export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className={styles.mark}>
      <circle cx="16" cy="9" r="7" />
      <circle cx="9" cy="19" r="7" />
      <circle cx="23" cy="19" r="7" />
      <path d="M15 18h2v13h-2z" />
    </svg>
  );
}
