// Hands the session to the page's function: once, whenever the page comes to register it, and to the one that stands
// there at that moment. Looks instead of setting traps on the page's objects, which are the page's own.
import type { DeviceSession } from './make-session.ts';

type Service = { deviceFingerprint?: unknown } | undefined;

const LOOK_EVERY_MS = 50;
/** Pages that register late do so within moments; those that come later still can wait for half a second. */
const EAGER_MS = 5_000;
const THEN_EVERY_MS = 500;
/** A session lives for 30 minutes: after these the page could not do much with it. */
const GIVE_UP_MS = 20 * 60_000;

export function callPage(session: DeviceSession): void {
  const startedMs = Date.now();
  look();

  function look(): void {
    const call = findFunction();
    if (call) {
      // In a task of its own: what the page's function throws is reported as the page's error, and stops nothing here.
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
