// THE BROWSER SCRIPT, served at /v1/fingerprints/device. Dropped into any page it starts by itself, makes a device
// session and calls window.service.deviceFingerprint({ sessionId }) once. It never throws into the page, never blocks
// it and leaves nothing behind in it: no cookie, no storage, no element. Interface, "Prerequisite".
import { callPage } from './call-page.ts';
import { makeSession } from './make-session.ts';

/** Shared by every copy of the script in a page, so that a second tag does not make a second call. */
const STARTED = Symbol.for('trefoil.device-fingerprint');

/** Beside the script, wherever that was loaded from: also below a path of the tenant's own that is passed on to us. */
function findCollectionAddress(): string | undefined {
  const own = document.currentScript as HTMLScriptElement | null;
  // Scripts of type module have no current script.
  const others = [...document.scripts].map(({ src }) => src).filter((src) => /\/device(\?|$)/.test(src));
  const address = own?.src || others[0];
  return address ? new URL('collections', address).href : undefined;
}

function start(): void {
  if (STARTED in window) return;
  Object.defineProperty(window, STARTED, { value: true });
  void makeSession(findCollectionAddress()).then(callPage);
}

try {
  start();
} catch {
  // A page that cannot be read is left as it is.
}
