// A list as its first page, as its pages and as all its items: `await` it, or `for await` over its `pages()` or over itself.
import type { Call } from './call.ts';

type PageBody<Item> = { readonly data: { readonly items: readonly Item[]; readonly nextCursor: string | null } };
export type ItemOf<Body> = Body extends PageBody<infer Item> ? Item : never;

/** `await` gives one page. `for await` gives the items of this page and of all that follow, and asks for each as needed. */
export type Page<Body> = Call<Body> &
  AsyncIterable<ItemOf<Body>> & {
    /** This page and all that follow, each with its `nextCursor`: store that to continue after the page. */
    pages(): AsyncIterable<Body>;
  };

/**
 * `read` is called at once for the first page; each further page is a call of its own, with its own time limit.
 * `isLast` is for a feed, which has a cursor even at its end.
 */
export function createPage<Query extends object, Body extends PageBody<unknown>>(
  query: Query,
  read: (query: Query & { cursor?: string }) => Call<Body>,
  isLast: (body: Body) => boolean = ({ data }) => data.nextCursor === null,
): Page<Body> {
  const first = read(query);
  async function* pages(): AsyncGenerator<Body> {
    let body = await first;
    for (;;) {
      yield body;
      const cursor = body.data.nextCursor;
      if (cursor === null || isLast(body)) return;
      body = await read({ ...query, cursor });
    }
  }
  async function* items(): AsyncGenerator<ItemOf<Body>> {
    for await (const { data } of pages()) yield* data.items as ItemOf<Body>[];
  }
  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}
