// A value that is made when it is first needed, and kept: a start does not pay for what no request may ever ask for.
export function lazy<T>(make: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}
