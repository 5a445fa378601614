// Device sessions without storage: what the script saw, sealed into the token that the page passes on as `sessionId`. A
// token opens or is unknown; opening never throws and never says why, since a forger would learn from the difference. This
// file does not bind a session to one person of one tenant: the caller binds its hash at the first use.
import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { takeRandom } from '../lib/crypto/random-pool.ts';
import { decrypt, encrypt, type RingKey } from '../lib/crypto/vault.ts';
import { isAutomated } from './rules/automation.ts';

/** Interface, `sessionId`: at most 1,024 characters. */
export const TOKEN_CHARS_MAX = 1_024;
/** docs/decisions/0034-device-sessions.md. The last millisecond still opens. */
export const LIFETIME_MS = 30 * 60_000;
/** How far the sealing node's clock may be ahead of the opening node's. */
export const CLOCK_SKEW_MAX_MS = 60_000;

/** The maximum bytes of each fact in the token; the rest is cut off. Together they keep every token below its limit. */
const FACT_BYTES_MAX = {
  deviceDigest: 128,
  collectedAt: 40,
  ipAddress: 64,
  userAgentFamily: 128,
  timeZone: 64,
  automation: 60,
} as const;
const RING_KEY_ID_BYTES_MAX = 64;

/** The version is part of the authenticated data: another format under the same key does not open as this one. */
const PREFIX = 'ds1.';
const SESSION_ID_BYTES = 16;
const TIME_BYTES = 6;

/** What a session holds. A fact that was not requested is absent; a fact that the browser withheld is null. */
export type CollectedFacts = {
  readonly deviceDigest: string;
  /** ISO 8601. */
  readonly collectedAt: string;
  readonly network: { readonly ipAddress: string | null; readonly userAgentFamily: string | null };
  readonly browser?: BrowserFacts;
};

export type BrowserFacts = {
  /** An IANA name such as Europe/London, as the browser reports it; unchecked, like everything here. */
  readonly timeZone: string | null;
  /** The names of the signs of a controlled browser, such as `webdriver`; empty for most. */
  readonly automation: readonly string[];
  /** The digest is random: the script could not read the traits in time. */
  readonly isDegraded: boolean;
};

/** Structurally the screening port's type, with more fields. */
export type DeviceFacts = Omit<CollectedFacts, 'browser'> &
  Partial<BrowserFacts> & {
    /** A marker proves that a program controls the browser. */
    readonly isAutomated?: boolean;
  };

export type OpenedSession =
  /** `sessionHash` identifies the session, but can neither open nor forge it. */
  { readonly kind: 'known'; readonly sessionHash: Buffer; readonly facts: DeviceFacts } | { readonly kind: 'unknown' };

export interface DeviceSessions {
  seal(facts: CollectedFacts, now: Date): string;
  open(token: string, now: Date): OpenedSession;
}

const UNKNOWN: OpenedSession = { kind: 'unknown' };

/** The first key of the ring seals; every key of the ring opens. */
export function createDeviceSessions(ring: readonly [RingKey, ...RingKey[]]): DeviceSessions {
  const [current] = ring;
  const keys = new Map(ring.map(({ id, key }) => [id, keyForSessions(key)]));
  if (ring.some(({ id }) => Buffer.byteLength(id) > RING_KEY_ID_BYTES_MAX)) {
    throw new RangeError(`the id of a ring key has more than ${RING_KEY_ID_BYTES_MAX} bytes`);
  }
  const sealingKey = keyForSessions(current.key);

  return {
    seal(facts, now) {
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(now.getTime(), 0, TIME_BYTES);
      const plaintext = Buffer.concat([takeRandom(SESSION_ID_BYTES), time, writeFacts(facts)]);
      const keyId = Buffer.from(current.id);
      const sealed = encrypt(sealingKey, bindingOf(current.id), plaintext);
      return PREFIX + Buffer.concat([Buffer.of(keyId.length), keyId, sealed]).toString('base64url');
    },
    open(token, now) {
      try {
        const bytes = readToken(token);
        if (!bytes) return UNKNOWN;
        const sealedFrom = 1 + bytes.readUInt8(0);
        const keyId = bytes.toString('utf8', 1, sealedFrom);
        const key = keys.get(keyId);
        if (!key) return UNKNOWN;
        return readSession(decrypt(key, bindingOf(keyId), bytes.subarray(sealedFrom)), now);
      } catch {
        return UNKNOWN;
      }
    },
  };
}

/** A separate key, so that nothing sealed for another purpose under the same ring opens as a session. */
function keyForSessions(ringKey: Buffer): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', ringKey, '', 'trefoil/device-session', 32)));
}

const bindingOf = (keyId: string) => `${PREFIX}${keyId}`;

function readToken(token: string): Buffer | undefined {
  if (token.length > TOKEN_CHARS_MAX || !token.startsWith(PREFIX)) return undefined;
  const encoded = token.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64url');
  // Decoding is lenient. A session has only one spelling, so that a client cannot make two tokens of it.
  return bytes.toString('base64url') === encoded ? bytes : undefined;
}

function readSession(plaintext: Buffer, now: Date): OpenedSession {
  const factsFrom = SESSION_ID_BYTES + TIME_BYTES;
  const ageMs = now.getTime() - plaintext.readUIntBE(SESSION_ID_BYTES, TIME_BYTES);
  // In this direction, a time that is not a number is too old.
  if (!(ageMs <= LIFETIME_MS && ageMs >= -CLOCK_SKEW_MAX_MS)) return UNKNOWN;
  const sessionHash = createHash('sha256').update(plaintext.subarray(0, SESSION_ID_BYTES)).digest();
  return { kind: 'known', sessionHash, facts: readFacts(plaintext.subarray(factsFrom)) };
}

type WrittenNetwork = readonly [string, string, string | null, string | null];
/** The second place held the language, which nothing needed; older sessions may still have one. */
type WrittenBrowser = readonly [timeZone: string | null, unused: string | null, automation: string, degraded: 0 | 1];
type WrittenFacts = WrittenNetwork | readonly [...WrittenNetwork, ...WrittenBrowser];

const cutOrNull = (text: string | null, bytesMax: number) => (text === null ? null : cut(text, bytesMax));

function writeFacts({ deviceDigest, collectedAt, network, browser }: CollectedFacts): Buffer {
  const written: WrittenNetwork = [
    cut(deviceDigest, FACT_BYTES_MAX.deviceDigest),
    cut(collectedAt, FACT_BYTES_MAX.collectedAt),
    cutOrNull(network.ipAddress, FACT_BYTES_MAX.ipAddress),
    cutOrNull(network.userAgentFamily, FACT_BYTES_MAX.userAgentFamily),
  ];
  return Buffer.from(JSON.stringify(browser ? [...written, ...writeBrowser(browser)] : written));
}

function writeBrowser({ timeZone, automation, isDegraded }: BrowserFacts): WrittenBrowser {
  return [
    cutOrNull(timeZone, FACT_BYTES_MAX.timeZone),
    null,
    cut(automation.join(' '), FACT_BYTES_MAX.automation),
    isDegraded ? 1 : 0,
  ];
}

/** Reads only what `writeFacts` wrote: the seal is verified, so the shape need not be checked. */
function readFacts(bytes: Buffer): DeviceFacts {
  const written = JSON.parse(bytes.toString()) as WrittenFacts;
  const [deviceDigest, collectedAt, ipAddress, userAgentFamily] = written;
  const facts = { deviceDigest, collectedAt, network: { ipAddress, userAgentFamily } };
  if (written.length === 4) return facts;
  const [, , , , timeZone, , automation, degraded] = written;
  const markers = automation === '' ? [] : automation.split(' ');
  const browser = { timeZone, automation: markers, isDegraded: degraded === 1 };
  return { ...facts, ...browser, isAutomated: isAutomated(markers) };
}

/** Characters that JSON writes unescaped, one byte each. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Counts bytes as JSON writes them, since a control character takes six. */
function cut(text: string, bytesMax: number): string {
  if (PLAIN.test(text)) return text.length <= bytesMax ? text : text.slice(0, bytesMax);
  let kept = '';
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes > bytesMax) break;
    kept += character;
  }
  return kept;
}
