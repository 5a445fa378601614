// From signals to a session id, in four seconds at most. It always returns an id. If no session could be made, the
// server will not know the id, but the page can continue (docs/decisions/0136-fingerprint-script.md).
import { randomHex } from './random-hex.ts';
import { gatherSignals, type Signals } from './signals.ts';

export type DeviceSession = { readonly sessionId: string; readonly degraded?: true };

const DEADLINE_MS = 4_000;
/** Leaves most of the time to the network. */
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

/** Undefined when a retry may help; throws when it cannot. */
async function post(address: string, signals: Signals): Promise<string | undefined> {
  const response = await fetch(address, {
    method: 'POST',
    // Plain text needs no CORS preflight: one round trip instead of two. The body is still JSON.
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
    body: write(signals),
    mode: 'cors',
    credentials: 'omit',
    cache: 'no-store',
    // The server does not need the page's address.
    referrerPolicy: 'no-referrer',
  }).catch(() => undefined);
  if (response === undefined || response.status >= 500) return undefined;
  if (!response.ok) throw new Error('refused');
  const { sessionId } = (await response.json()) as { sessionId?: unknown };
  if (typeof sessionId !== 'string' || sessionId === '') throw new Error('unreadable');
  return sessionId;
}

/** Some old libraries add `toJSON` to arrays and objects; this keeps it from being used here. */
const UNTAUGHT = { toJSON: undefined };

function write(signals: Signals): string {
  return JSON.stringify({ ...signals, ...UNTAUGHT, automation: Object.assign([...signals.automation], UNTAUGHT) });
}

export function unverified(): DeviceSession {
  return { sessionId: `unverified.${randomHex()}`, degraded: true };
}
