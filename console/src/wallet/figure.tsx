// One amount of a wallet, large, in pounds and in credits.
import { formatCount, formatCredits } from '../format/money.ts';
import { Skeleton } from '../ui/states.tsx';

/** `credits` undefined: not known yet. */
export function Figure({ name, credits }: { readonly name: string; readonly credits: number | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {credits === undefined ? (
          <Skeleton width="6rem" height="2.25rem" />
        ) : (
          <>
            {formatCredits(credits)}
            <small>{formatCount(credits)} credits</small>
          </>
        )}
      </dd>
    </div>
  );
}
