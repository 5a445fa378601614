// Which markers prove that a program drives the browser. Scripts out of caches may name others, which prove nothing:
// embedded browsers and pages in the background can lack a window or a language without anybody driving them.

const PROOFS: readonly string[] = ['webdriver', 'headless', 'phantom'];

export function isAutomated(markers: readonly string[]): boolean {
  return markers.some((marker) => PROOFS.includes(marker));
}
