// Passkeys (WebAuthn): the options a browser is given and the checks of what it answers. A passkey verifies its person
// by itself, so it is two factors in one. Whoever calls keeps the challenge, bound to one page, and uses it once.

import { isIP } from 'node:net';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Tx } from '../../lib/sql.ts';
import { insertPasskey, listPasskeys, lockPasskey, updatePasskeyUsed } from './passkey-store.ts';

const NAME = 'Trefoil';
const TIMEOUT_MS = 300_000;
/** EdDSA, ES256 and RS256: what devices have. Named, since the library would otherwise try what this Node can do. */
const ALGORITHMS = [-8, -7, -257];

/** What passkeys are bound to: the name of our site. */
export type RelyingParty = { readonly id: string; readonly origin: string };

/** Undefined for a server without a name, since browsers bind passkeys to names and not to addresses. */
export function relyingPartyOf(baseUrl: string): RelyingParty | undefined {
  const { hostname, origin } = new URL(baseUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? undefined : { id: hostname, origin };
}

type Person = { readonly userId: string; readonly email: string; readonly name: string };

export async function passkeyCreation(tx: Tx, party: RelyingParty, person: Person) {
  const own = await listPasskeys(tx, person.userId);
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    userID: Uint8Array.from(Buffer.from(person.userId)),
    userName: person.email,
    userDisplayName: person.name,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: own.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** For nobody in particular the device offers what it holds; for a person only theirs will do. */
export async function passkeyRequest(tx: Tx, party: RelyingParty, userId: string | undefined) {
  const own = userId === undefined ? [] : await listPasskeys(tx, userId);
  return generateAuthenticationOptions({
    rpID: party.id,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: own.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports: [...transports],
    })),
  });
}

type Answered = { readonly party: RelyingParty; readonly challenge: string; readonly answer: string };

function parseAnswer<T extends { id: string }>(text: string): T | undefined {
  try {
    const value = JSON.parse(text) as T | null;
    return typeof value?.id === 'string' && /^[\w-]{1,1400}$/.test(value.id) ? value : undefined;
  } catch {
    return undefined;
  }
}

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** Says whether the passkey is now the person's. */
export async function addPasskey(
  tx: Tx,
  { party, challenge, answer }: Answered,
  owner: { readonly userId: string; readonly name: string },
): Promise<boolean> {
  const response = parseAnswer<RegistrationResponseJSON>(answer);
  if (!response) return false;
  // Whatever is wrong with an answer, the person learns only that it did not work.
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!checked?.verified) return false;
  const { id, publicKey, counter, transports } = checked.registrationInfo.credential;
  return insertPasskey(tx, {
    userId: owner.userId,
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports: (transports ?? []).filter((transport) => TRANSPORTS.includes(transport)),
    name: owner.name,
  });
}

/** Whose passkey answered; undefined when none did. */
export async function findPasskeyPerson(tx: Tx, { party, challenge, answer }: Answered): Promise<string | undefined> {
  const response = parseAnswer<AuthenticationResponseJSON>(answer);
  const passkey = response && (await lockPasskey(tx, Buffer.from(response.id, 'base64url')));
  if (!passkey) return undefined;
  // The count of a device that keeps one must grow: the library refuses a copy that stayed behind.
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: passkey.credentialId.toString('base64url'),
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: passkey.signCount,
    },
  }).catch(() => undefined);
  if (!checked?.verified || !checked.authenticationInfo.userVerified) return undefined;
  await updatePasskeyUsed(tx, passkey.credentialId, checked.authenticationInfo.newCounter);
  return passkey.userId;
}
