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
import { cose, decodeAttestationObject, decodeCredentialPublicKey, isoBase64URL } from '@simplewebauthn/server/helpers';
import { isCheapToVerify } from '../../lib/crypto/public-keys.ts';
import type { Tx } from '../../lib/postgres/sql.ts';
import { insertPasskey, listPasskeys, lockPasskey, type Passkey, updatePasskeyUsed } from './passkey-store.ts';

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

/**
 * We ask for no attestation, and take none with certificates: to check one, the library fetches addresses that stand in them, and
 * the person who adds the passkey chooses these (docs/decisions/0289-attacks-tried-again.md). A device that vouches for itself needs no certificate.
 */
function hasNoCertificates({ response }: RegistrationResponseJSON): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

const RSA_BYTES_MIN = 256;

/**
 * RSA keys have 2,048 to 4,096 bits, as those of credentials (docs/decisions/0184-costly-keys.md): whoever knows the id of a passkey can
 * make us verify with it.
 */
function isFit(publicKey: Uint8Array<ArrayBuffer>): boolean {
  const key = decodeCredentialPublicKey(publicKey);
  if (!cose.isCOSEPublicKeyRSA(key)) return true;
  const [n, e] = [key.get(cose.COSEKEYS.n), key.get(cose.COSEKEYS.e)];
  if (n === undefined || e === undefined || n.length < RSA_BYTES_MIN) return false;
  return isCheapToVerify({ n: Buffer.from(n).toString('base64url'), e: Buffer.from(e).toString('base64url') });
}

async function checkCreation(response: RegistrationResponseJSON, { party, challenge }: Omit<Answered, 'answer'>) {
  if (!hasNoCertificates(response)) return undefined;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return verified && isFit(registrationInfo.credential.publicKey) ? registrationInfo.credential : undefined;
}

/** Returns true when the passkey now belongs to the person. */
export async function addPasskey(
  tx: Tx,
  { answer, ...asked }: Answered,
  owner: { readonly userId: string; readonly name: string },
): Promise<boolean> {
  const response = parseAnswer<RegistrationResponseJSON>(answer);
  if (!response) return false;
  // Whatever is wrong with an answer, the person learns only that it failed.
  const credential = await checkCreation(response, asked).catch(() => undefined);
  if (!credential) return false;
  const { id, publicKey, counter, transports } = credential;
  return insertPasskey(tx, {
    userId: owner.userId,
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    transports: (transports ?? []).filter((transport) => TRANSPORTS.includes(transport)),
    name: owner.name,
  });
}

async function checkUse(
  response: AuthenticationResponseJSON,
  passkey: Passkey,
  { party, challenge }: Omit<Answered, 'answer'>,
) {
  const publicKey = Uint8Array.from(passkey.publicKey);
  if (!isFit(publicKey)) return undefined;
  // If a device keeps a counter, it must grow: the library refuses a cloned key whose counter stayed behind.
  return verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: passkey.credentialId.toString('base64url'), publicKey, counter: passkey.signCount },
  });
}

/** The person whose passkey answered; undefined when the answer is not valid. */
export async function findPasskeyPerson(tx: Tx, { answer, ...asked }: Answered): Promise<string | undefined> {
  const response = parseAnswer<AuthenticationResponseJSON>(answer);
  const passkey = response && (await lockPasskey(tx, Buffer.from(response.id, 'base64url')));
  if (!passkey) return undefined;
  const checked = await checkUse(response, passkey, asked).catch(() => undefined);
  if (!checked?.verified || !checked.authenticationInfo.userVerified) return undefined;
  await updatePasskeyUsed(tx, passkey.credentialId, checked.authenticationInfo.newCounter);
  return passkey.userId;
}
