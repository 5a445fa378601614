// A script that every page below /docs runs first. A sandboxed page has no storage, which the bundles do not expect: this one
// lasts as long as the page. The reader's choice of light or dark goes with them from page to page in the address.
export const STORAGE = `(() => {
  const THEME = 'starlight-theme';
  let isReplaced = false;
  for (const name of ['localStorage', 'sessionStorage']) {
    try {
      window[name].length;
    } catch {
      const kept = new Map();
      const value = {
        getItem: (key) => kept.get(String(key)) ?? null,
        setItem: (key, text) => void kept.set(String(key), String(text)),
        removeItem: (key) => void kept.delete(String(key)),
        clear: () => kept.clear(),
        key: (index) => [...kept.keys()][index] ?? null,
        get length() { return kept.size; },
      };
      Object.defineProperty(window, name, { value });
      isReplaced = true;
    }
  }
  if (!isReplaced) return;
  const theme = new URLSearchParams(location.search).get('theme');
  if (theme === 'light' || theme === 'dark') localStorage.setItem(THEME, theme);
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!link) return;
    const to = new URL(link.href);
    // A link within the page must not load it again.
    const isHere = to.pathname === location.pathname;
    if (to.host !== location.host || isHere || !/^\\/docs(\\/|$)/.test(to.pathname)) return;
    const chosen = localStorage.getItem(THEME);
    if (chosen) to.searchParams.set('theme', chosen);
    else to.searchParams.delete('theme');
    link.href = to.href;
  }, true);
})();
`;
