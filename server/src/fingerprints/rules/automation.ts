// Which markers prove that a program controls the browser. Cached scripts may send others, which prove nothing:
// embedded browsers and background pages can lack a window or a language without being controlled.

const PROOFS: readonly string[] = ['webdriver', 'headless', 'phantom'];

export function isAutomated(markers: readonly string[]): boolean {
  return markers.some((marker) => PROOFS.includes(marker));
}
