// The head of a page: where one is, what it is, what one can do here. It also names the document.
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './page.module.css';

type Props = {
  readonly title: string;
  /** In place of the title, where it has more than words. */
  readonly heading?: ReactNode;
  readonly lead?: ReactNode;
  readonly crumb?: ReactNode;
  readonly actions?: ReactNode;
  /** For what stands here until the page comes: the focus is the page's. */
  readonly isWaiting?: boolean;
  readonly children: ReactNode;
};

let shownBefore: string | undefined;

export function Page({ title, heading, lead, crumb, actions, isWaiting = false, children }: Props) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – Trefoil`;
  }, [title]);
  // A new page takes the focus, so that a screen reader says where one is; the first leaves it where the browser put it.
  useEffect(() => {
    if (isWaiting) return;
    if (shownBefore !== undefined && shownBefore !== location.pathname) head.current?.focus({ preventScroll: true });
    shownBefore = location.pathname;
  }, [isWaiting]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.words}>
          {crumb && (
            <nav aria-label="Back" className={styles.crumb}>
              {crumb}
            </nav>
          )}
          <h1 tabIndex={-1} ref={head}>
            {heading ?? title}
          </h1>
          {lead && <div className={styles.lead}>{lead}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
