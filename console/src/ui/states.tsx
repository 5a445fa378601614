// What stands where data will be, is not, or could not be had.
import { Link } from '@tanstack/react-router';
import { TrefoilError, TrefoilNoAnswerError } from '@trefoil/sdk';
import { CircleAlert, FlaskConical, LockKeyhole, RotateCw, WifiOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { NotLoadedError } from '../api/late.ts';
import { Button, buttonClass } from './button.tsx';
import styles from './states.module.css';

export function Skeleton({
  width = '100%',
  height = '0.875rem',
  label,
}: {
  readonly width?: string;
  readonly height?: string;
  /** Where nothing else says what is coming, as in a heading. */
  readonly label?: string;
}) {
  return (
    <>
      {label && <span className="visually-hidden">{label}</span>}
      <span className={styles.skeleton} style={{ width, height }} />
    </>
  );
}

const WIDTHS = ['62%', '48%', '70%', '55%'];

/** Rows of the same height as the real ones, so that nothing moves when they come. */
export function SkeletonRows({ count, label }: { readonly count: number; readonly label: string }) {
  const rows = Array.from({ length: count }, (_, index) => ({ id: index, width: WIDTHS[index % WIDTHS.length] ?? '' }));
  return (
    <div role="status" className={styles.rows}>
      <span className="visually-hidden">{label}</span>
      {rows.map(({ id, width }) => (
        <div key={id} className={styles.row}>
          <Skeleton width={width} />
          <Skeleton width="5rem" />
          <Skeleton width="4rem" />
        </div>
      ))}
    </div>
  );
}

type EmptyProps = {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className={styles.state}>
      <span className={styles.icon}>{icon}</span>
      <p className={styles.title}>{title}</p>
      {children && <p className={styles.text}>{children}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

export function Forbidden() {
  return (
    <Empty icon={<LockKeyhole size={20} aria-hidden />} title="Your role does not include this">
      Ask an owner or admin of your company if you need it.
    </Empty>
  );
}

/** In place of what belongs to the other mode: the band above would say what is not true of it. */
export function OtherMode({ what, isTest }: { readonly what: string; readonly isTest: boolean }) {
  const mode = isTest ? ('test' as const) : undefined;
  return (
    <Empty
      icon={<FlaskConical size={20} aria-hidden />}
      title={`This ${what} belongs to ${mode ?? 'live'} mode`}
      action={
        <Link to="." search={(before: object) => ({ ...before, mode })} className={buttonClass('second')}>
          Switch to {isTest ? 'Test' : 'Live'}
        </Link>
      }
    >
      Live and test are kept apart.
    </Empty>
  );
}

type FailureProps = {
  readonly error: unknown;
  /** Of what: "The statement". */
  readonly what: string;
  readonly onRetry: () => unknown;
};

function reasonOf(error: unknown): string {
  if (error instanceof TrefoilNoAnswerError) return 'No answer came. Check your connection.';
  if (error instanceof NotLoadedError) return error.message;
  if (!(error instanceof TrefoilError)) return 'The console made a mistake.';
  if (error.status === 429) return 'Too many requests just now. Try again in a few seconds.';
  if (error.status >= 500) return 'Something went wrong on our side.';
  return error.message;
}

/** Says what failed and what to do. A refusal by role is not repeated. */
export function Failure({ error, what, onRetry }: FailureProps) {
  if (error instanceof TrefoilError && error.status === 403) return <Forbidden />;
  const isOffline = error instanceof TrefoilNoAnswerError || (error instanceof NotLoadedError && !error.needsNewPage);
  return (
    <div className={styles.state} role="alert">
      <span className={`${styles.icon} ${styles.bad}`}>
        {isOffline ? <WifiOff size={20} aria-hidden /> : <CircleAlert size={20} aria-hidden />}
      </span>
      <p className={styles.title}>{what} could not be loaded</p>
      <p className={styles.text}>{reasonOf(error)}</p>
      <div className={styles.action}>
        <Button onClick={() => onRetry()}>
          <RotateCw size={15} aria-hidden />
          Try again
        </Button>
      </div>
      {error instanceof TrefoilError && error.requestId && (
        <p className={styles.trace}>
          Request <code>{error.requestId}</code>
        </p>
      )}
    </div>
  );
}

/** The same in one line, for a part of a page that fails alone. */
export function SmallFailure({ what, onRetry }: Omit<FailureProps, 'error'>) {
  return (
    <p className={styles.smallFailure} role="alert">
      <CircleAlert size={15} aria-hidden />
      <span>
        {what} could not be loaded.{' '}
        <button type="button" onClick={() => onRetry()}>
          Try again
        </button>
      </span>
    </p>
  );
}
