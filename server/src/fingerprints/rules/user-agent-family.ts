// The browser family from a User-Agent header, such as "Firefox": enough to see whether the browser that made
// the session is the one that uses it, and no more. Versions and platforms are not kept.

/** The first match wins: most browsers also name the ones they descend from. */
const FAMILIES: readonly (readonly [family: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPT|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
  // A page inside an app on an Apple device names no browser at all.
  ['WebKit', /\bAppleWebKit\//],
];

/** No browser sends a longer header. */
const HEADER_CHARS_MAX = 1_024;

/** Null when there is no header; `Other` for an unknown browser. */
export function userAgentFamily(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  const text = header.slice(0, HEADER_CHARS_MAX);
  return FAMILIES.find(([, mark]) => mark.test(text))?.[0] ?? 'Other';
}
