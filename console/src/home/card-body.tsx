// What a card of Home shows: its figures, its own failure, or what stands there until they come. The other cards do not wait.
import { TrefoilError } from '@trefoil/sdk';
import type { ReactNode } from 'react';
import { Skeleton, SmallFailure } from '../ui/states.tsx';
import styles from './home.module.css';

type Props<Data> = {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly isError: boolean;
    refetch(): unknown;
  };
  /** Of what: "The balance". */
  readonly what: string;
  readonly waiting?: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

export function CardBody<Data>({ query, what, waiting, children }: Props<Data>) {
  // Figures that came once stay while newer ones fail.
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return waiting ?? <WaitingLines what={what} />;
  // The role was changed since the page asked for it: no use in trying again.
  if (query.error instanceof TrefoilError && query.error.status === 403) {
    return <Nothing>Your role does not include this.</Nothing>;
  }
  return <SmallFailure what={what} onRetry={query.refetch} />;
}

/** For a screen reader, while a drawing of the figures to come is shown. */
export const Loading = ({ what }: { readonly what: string }) => (
  <span role="status" className="visually-hidden">
    Loading: {what}
  </span>
);

const WIDTHS = ['90%', '70%', '80%', '60%'];

function WaitingLines({ what }: { readonly what: string }) {
  return (
    <div className={styles.lines}>
      <Loading what={what} />
      {WIDTHS.map((width) => (
        <Skeleton key={width} width={width} height="1rem" />
      ))}
    </div>
  );
}

/** A card without figures says why. */
export const Nothing = ({ children }: { readonly children: ReactNode }) => <p className={styles.nothing}>{children}</p>;
