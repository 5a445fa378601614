// THE BROWSER SCRIPT, served at /v1/fingerprints/device. Dropped into any page it starts by itself, makes a device
// session and calls window.service.deviceFingerprint({ sessionId }) once. It never throws into the page, never blocks
// it and leaves nothing behind in it: no cookie, no storage, no element. Interface, "Prerequisite".
import { callPage } from './call-page.ts';
import { makeSession, unverified } from './make-session.ts';

/** Shared by every copy of the script in a page, so that a second tag does not make a second call. */
const STARTED = Symbol.for('trefoil.device-fingerprint');

/** Beside the script, wherever that was loaded from: also below a path of the tenant's own that is passed on to us. */
function findCollectionAddress(): string | undefined {
  try {
    const own = document.currentScript;
    // An element of the page that is named so stands in its place, and must not say where we post to.
    const address = own instanceof HTMLScriptElement && own.src ? own.src : findTag()?.src;
    // Without its query, which may have slashes of its own.
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
  // Caught twice: a page without its call would wait for ever, and a rejection that nobody hears is the page's error.
  void makeSession(findCollectionAddress())
    .catch(unverified)
    .then(callPage)
    .catch(() => undefined);
}

try {
  start();
} catch {
  // A page that cannot be read is left as it is.
}
