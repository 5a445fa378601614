// The open list of a menu.
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { Fragment } from 'react';
import styles from './menu.module.css';
import type { MenuProps } from './menu.tsx';

export function MenuPopup({ trigger, groups, align = 'start', head }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.popup}>
            {head && <div className={styles.head}>{head}</div>}
            {groups.map((actions, index) => (
              <Fragment key={actions[0]?.label}>
                {index > 0 && <Base.Separator className={styles.separator} />}
                {actions.map(({ label, note, icon, href, onSelect, isChecked, isDanger }) => (
                  <Base.Item
                    key={label}
                    className={`${styles.item} ${isDanger ? styles.danger : ''}`}
                    {...(onSelect && { onClick: onSelect })}
                    // biome-ignore lint/a11y/useAnchorContent: the item fills the link with its own content
                    {...(href && { render: <a href={href} /> })}
                  >
                    {icon}
                    <span className={styles.label}>
                      {label}
                      {note && <span className={styles.note}>{note}</span>}
                    </span>
                    {isChecked && <Check size={15} aria-label="chosen" className={styles.check} />}
                  </Base.Item>
                ))}
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
