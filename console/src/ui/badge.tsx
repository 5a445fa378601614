// A state in one or two words. The colour only repeats what the word says.
import type { ReactNode } from 'react';
import type { Tone } from '../format/words.ts';
import styles from './badge.module.css';

type Props = { readonly tone?: Tone; readonly hasDot?: boolean; readonly children: ReactNode };

export function Badge({ tone = 'quiet', hasDot = true, children }: Props) {
  return <span className={`${styles.badge} ${styles[tone]} ${hasDot ? styles.dotted : ''}`}>{children}</span>;
}
