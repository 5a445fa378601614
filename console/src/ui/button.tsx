// Buttons, and the look of links that act as buttons.
import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

type Look = 'primary' | 'second' | 'plain' | 'danger';
export const buttonClass = (look: Look = 'second', isIcon = false) =>
  `${styles.button} ${styles[look]} ${isIcon ? styles.icon : ''}`;

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { readonly look?: Look; readonly isIcon?: boolean };

export function Button({ look, isIcon, type = 'button', className = '', ...rest }: Props) {
  return <button type={type} className={`${buttonClass(look, isIcon)} ${className}`} {...rest} />;
}
