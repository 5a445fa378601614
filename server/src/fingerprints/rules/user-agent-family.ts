// The family of a browser out of its User-Agent header, such as "Firefox": enough to see whether the browser that made
// the session is the one that uses it, and no more. Versions and platforms are not kept.

/** The first that fits wins: most browsers also name the ones they descend from. */
const FAMILIES: readonly (readonly [family: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPT|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
  // A page inside an app of Apple's devices names no browser at all.
  ['WebKit', /\bAppleWebKit\//],
];

/** A header this long is no browser's. */
const HEADER_CHARS_MAX = 1_024;

/** Null when nothing is said; `Other` for what is none of the known. */
export function userAgentFamily(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  const text = header.slice(0, HEADER_CHARS_MAX);
  return FAMILIES.find(([, mark]) => mark.test(text))?.[0] ?? 'Other';
}
