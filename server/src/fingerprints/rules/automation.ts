// Which markers of the script prove that a program drives the browser, and which only make one wonder: embedded browsers
// and pages in the background can lack a window or a language without anybody driving them.

const PROOFS: readonly string[] = ['webdriver', 'headless', 'phantom'];

export function isAutomated(markers: readonly string[]): boolean {
  return markers.some((marker) => PROOFS.includes(marker));
}
