// The foot of a list: how much of it is shown, and the rest.
import { countOf, formatCount } from '../format/money.ts';
import { Button } from './button.tsx';
import table from './table.module.css';

type Props = {
  readonly count: number;
  /** What is counted: "report". */
  readonly noun: string;
  /** Where it is not the noun with an s. */
  readonly plural?: string;
  /** How many there are in all, where that is known. */
  readonly total?: number | undefined;
  /** The list's query. */
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    fetchNextPage(): Promise<unknown>;
  };
};

export function ListFoot({ count, noun, plural, total, list }: Props) {
  // A page may be empty and have a next one: the search looks at so many rows at a time.
  if (count === 0 && !list.hasNextPage) return null;
  return (
    <div className={table.foot}>
      <span role="status">
        {total !== undefined && total > count
          ? `${formatCount(count)} of ${countOf(total, noun, plural)}`
          : countOf(count, noun, plural)}{' '}
        shown
      </span>
      {list.hasNextPage && (
        <Button onClick={() => void list.fetchNextPage()} aria-disabled={list.isFetchingNextPage}>
          {list.isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </div>
  );
}
