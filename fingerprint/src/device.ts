// THE BROWSER SCRIPT, served at /v1/fingerprints/device. On any page it starts itself, makes a device session and calls
// window.service.deviceFingerprint({ sessionId }) once. It never throws into the page, never blocks it and leaves
// nothing in it: no cookie, no storage, no element. Interface, "Prerequisite".
import { callPage } from './call-page.ts';
import { makeSession, unverified } from './make-session.ts';

/** Shared by every copy of the script in a page, so that a second script tag makes no second call. */
const STARTED = Symbol.for('trefoil.device-fingerprint');

/** Next to the script, wherever the page loaded it from, including a path on the tenant's site that is proxied to us. */
function findCollectionAddress(): string | undefined {
  try {
    const own = document.currentScript;
    // A page element named `currentScript` shadows the property, and must not choose the address we post to.
    const address = own instanceof HTMLScriptElement && own.src ? own.src : findTag()?.src;
    // Without the query, which may contain slashes.
    return address?.split(/[?#]/)[0]?.replace(/[^/]*$/, 'collections');
  } catch {
    return undefined;
  }
}

/** For scripts of type module, which have no current script. */
function findTag(): HTMLScriptElement | undefined {
  return Array.from(document.querySelectorAll('script')).find(({ src }) => /\/device(\?|$)/.test(src));
}

function start(): void {
  if (STARTED in window) return;
  Object.defineProperty(window, STARTED, { value: true });
  // Two catches: without the call the page would wait for ever, and an unhandled rejection would be the page's error.
  void makeSession(findCollectionAddress())
    .catch(unverified)
    .then(callPage)
    .catch(() => undefined);
}

try {
  start();
} catch {
  // If the page cannot be read, the script does nothing.
}
