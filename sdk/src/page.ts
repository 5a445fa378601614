// A list as its first page and as all its items: `await` it for the one, `for await` over it for the other.

type PageBody<Item> = { readonly data: { readonly items: readonly Item[]; readonly nextCursor: string | null } };
export type ItemOf<Body> = Body extends PageBody<infer Item> ? Item : never;

/** `await` gives one page. `for await` gives the items of this page and of all that follow, and asks for each as needed. */
export type Page<Body> = Promise<Body> & AsyncIterable<ItemOf<Body>>;

/**
 * `read` is called at once for the first page; each further page is a call of its own, with its own time limit.
 * `isLast` is for a feed, which has a cursor even at its end.
 */
export function createPage<Query extends object, Body extends PageBody<unknown>>(
  query: Query,
  read: (query: Query & { cursor?: string }) => Promise<Body>,
  isLast: (body: Body) => boolean = ({ data }) => data.nextCursor === null,
): Page<Body> {
  const first = read(query);
  async function* items(): AsyncGenerator<ItemOf<Body>> {
    let body = await first;
    for (;;) {
      yield* body.data.items as ItemOf<Body>[];
      const cursor = body.data.nextCursor;
      if (cursor === null || isLast(body)) return;
      body = await read({ ...query, cursor });
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
