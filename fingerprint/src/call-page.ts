// Calls the page's function with the session, once, whenever the page registers it. It calls the function that is
// registered at that moment. It polls instead of adding traps to objects that belong to the page.
import type { DeviceSession } from './make-session.ts';

type Service = { deviceFingerprint?: unknown } | undefined;

const LOOK_EVERY_MS = 50;
/** Most pages that register late do so within moments; a later one can wait half a second. */
const EAGER_MS = 5_000;
const THEN_EVERY_MS = 500;
/** A session lives for 30 minutes: after this long the page has little use for it. */
const GIVE_UP_MS = 20 * 60_000;

export function callPage(session: DeviceSession): void {
  const startedMs = Date.now();
  look();

  function look(): void {
    const call = findFunction();
    if (call) {
      // In a separate task: an exception in the page's function is reported as the page's error and stops nothing here.
      setTimeout(() => call(session), 0);
      return;
    }
    const waitedMs = Date.now() - startedMs;
    if (waitedMs < GIVE_UP_MS) setTimeout(look, waitedMs < EAGER_MS ? LOOK_EVERY_MS : THEN_EVERY_MS);
  }
}

function findFunction(): ((session: DeviceSession) => void) | undefined {
  try {
    const { service } = window as { service?: Service };
    const registered = service?.deviceFingerprint;
    return typeof registered === 'function' ? (session) => registered.call(service, session) : undefined;
  } catch {
    return undefined;
  }
}
