// From signals to a session id, in four seconds at the most. It always comes to something: where no session could be
// made the id is one that the server will not know, so that the page can go on all the same (docs/decisions/0136).
import { randomHex } from './random-hex.ts';
import { gatherSignals, type Signals } from './signals.ts';

export type DeviceSession = { readonly sessionId: string; readonly degraded?: true };

const DEADLINE_MS = 4_000;
/** Leaves the larger part of the time to the network. */
const GATHER_MS = 1_500;
const RETRY_AFTER_MS = 250;
const TRIES = 2;

export async function makeSession(address: string | undefined): Promise<DeviceSession> {
  const late = new Promise<DeviceSession>((resolve) => setTimeout(() => resolve(unverified()), DEADLINE_MS));
  return Promise.race([collect(address).catch(unverified), late]);
}

async function collect(address: string | undefined): Promise<DeviceSession> {
  if (address === undefined) return unverified();
  const signals = await gatherSignals(GATHER_MS);
  for (let tried = 1; ; tried += 1) {
    const sessionId = await post(address, signals);
    if (sessionId !== undefined) return signals.degraded ? { sessionId, degraded: true } : { sessionId };
    if (tried === TRIES) return unverified();
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
  }
}

/** Undefined when it is worth another try; throws when it is not. */
async function post(address: string, signals: Signals): Promise<string | undefined> {
  const response = await fetch(address, {
    method: 'POST',
    // As plain text the browser asks no leave first: one round trip instead of two. The body is JSON all the same.
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: write(signals),
    mode: 'cors',
    credentials: 'omit',
    cache: 'no-store',
    // Addresses of pages are not ours to know.
    referrerPolicy: 'no-referrer',
  }).catch(() => undefined);
  if (response === undefined || response.status >= 500) return undefined;
  if (!response.ok) throw new Error('refused');
  const { sessionId } = (await response.json()) as { sessionId?: unknown };
  if (typeof sessionId !== 'string' || sessionId === '') throw new Error('unreadable');
  return sessionId;
}

/** Libraries of old teach lists and objects to write themselves, not as JSON: here they may not. */
const UNTAUGHT = { toJSON: undefined };

function write(signals: Signals): string {
  return JSON.stringify({ ...signals, ...UNTAUGHT, automation: Object.assign([...signals.automation], UNTAUGHT) });
}

export function unverified(): DeviceSession {
  return { sessionId: `unverified.${randomHex()}`, degraded: true };
}
