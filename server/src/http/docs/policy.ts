// The content policies of everything below /docs. The pages run bundles of others, so on the origin of the API a script in
// them must not be able to use a session (docs/decisions/0153-the-reference-and-sessions.md): those pages are sandboxed.

const COMMON = [
  "default-src 'none'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** The bundle of the reference writes style elements and starts workers of its own text. */
const REFERENCE = [...COMMON, "script-src 'self'", "style-src 'self' 'unsafe-inline'", "worker-src 'self' blob:"];

/** Search is WebAssembly; colours of code samples are style attributes. A style cannot act. */
const SITE = [
  ...COMMON,
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "worker-src 'self'",
];
/** The reference as a page of the site, with its search. */
const REFERENCE_IN_SITE = [
  ...REFERENCE.filter((part) => !part.startsWith('script-src')),
  "script-src 'self' 'wasm-unsafe-eval'",
];

/** Without `allow-same-origin`: a script in the page has no origin, no cookies and no storage. */
const SANDBOX = 'sandbox allow-scripts';

/** On the origin of the API, with nothing to connect to. */
export const SANDBOXED = [...REFERENCE, "connect-src 'none'", SANDBOX].join('; ');
/** On an origin that never has a session, readers can try requests out. */
export const REFERENCE_ON_ITS_OWN = [...REFERENCE, "connect-src 'self'"].join('; ');

/** A sandboxed page of the site may read its search index, and no other address of the API. */
const searchOnly = (baseUrl: string) => [`connect-src ${baseUrl}/docs/pagefind/`, SANDBOX];

/** The policy of a page of the site. */
export function sitePolicy(baseUrl: string, page: { isReference: boolean; isOnItsOwn: boolean }): string {
  const parts = page.isReference ? REFERENCE_IN_SITE : SITE;
  return [...parts, ...(page.isOnItsOwn ? ["connect-src 'self'"] : searchOnly(baseUrl))].join('; ');
}
