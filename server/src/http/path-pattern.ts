// Route patterns as regular expressions, for code that matches addresses before or beside the router.

/** Matches the addresses of a route's pattern. */
export function pathPattern(url: string): RegExp {
  return new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`);
}
