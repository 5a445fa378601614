// Passkeys (WebAuthn): the options a browser gets and the checks of its answer. A passkey verifies its person
// by itself, so it is two factors in one. The caller keeps the challenge, bound to one page, and uses it once.

import { isIP } from 'node:net';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Tx } from '../../lib/postgres/sql.ts';
import { insertPasskey, listPasskeys, lockPasskey, updatePasskeyUsed } from './passkey-store.ts';

const NAME = 'Trefoil';
const TIMEOUT_MS = 300_000;
/** EdDSA, ES256 and RS256: what devices have. Listed, since the library would otherwise try every algorithm of this Node. */
const ALGORITHMS = [-8, -7, -257];

/** The site name that passkeys are bound to. */
export type RelyingParty = { readonly id: string; readonly origin: string };

/** Undefined where the host is an IP address, since browsers bind passkeys to names only. */
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

/** Without a person, the device offers every passkey it holds; with one, only that person's passkeys are accepted. */
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

/** Returns true when the passkey now belongs to the person. */
export async function addPasskey(
  tx: Tx,
  { party, challenge, answer }: Answered,
  owner: { readonly userId: string; readonly name: string },
): Promise<boolean> {
  const response = parseAnswer<RegistrationResponseJSON>(answer);
  if (!response) return false;
  // Whatever is wrong with an answer, the person learns only that it failed.
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

/** The person whose passkey answered; undefined when the answer is not valid. */
export async function findPasskeyPerson(tx: Tx, { party, challenge, answer }: Answered): Promise<string | undefined> {
  const response = parseAnswer<AuthenticationResponseJSON>(answer);
  const passkey = response && (await lockPasskey(tx, Buffer.from(response.id, 'base64url')));
  if (!passkey) return undefined;
  // If a device keeps a counter, it must grow: the library refuses a cloned key whose counter stayed behind.
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
