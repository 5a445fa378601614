// A titled box. The heading names the region, so that a screen reader can list the parts of the page.
import { type ReactNode, useId } from 'react';
import styles from './card.module.css';

type Props = {
  readonly title?: string;
  readonly note?: ReactNode;
  readonly action?: ReactNode;
  /** For tables and lists, which reach the edges. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
};

export function Card({ title, note, action, isFlush = false, children }: Props) {
  const id = useId();
  const className = `${styles.card} ${isFlush ? styles.flush : ''}`;
  if (title === undefined) return <div className={className}>{children}</div>;
  return (
    <section className={className} aria-labelledby={id}>
      <header className={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {note && <p className={styles.note}>{note}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
