// Which configured addresses would send secrets or personal data unencrypted beyond this machine
// (docs/decisions/0148-what-the-start-refuses.md). Pure: an address in, a verdict out.

/** What an operator may still allow, by its name in TREFOIL_ALLOW_PLAINTEXT. */
export const EXCEPTIONS = [
  'base-url',
  'database',
  'redis',
  'bureaus',
  'screening',
  'sms',
  'key-service',
  'traces',
  'unverified-tls',
  'missing-vault-keys',
  'foreign-hash-keys',
] as const;
export type Exception = (typeof EXCEPTIONS)[number];

/** Decided by the name alone: what a name resolves to may change after the start. */
export function isThisMachine(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}

export function isPlainHttp(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && !isThisMachine(url.hostname);
}

export function isPlainRedis(address: string): boolean {
  const url = URL.parse(address);
  // Without a host the client connects to this machine.
  return url?.protocol === 'redis:' && url.hostname !== '' && !isThisMachine(url.hostname);
}

/** Our client uses the last value of a repeated parameter. */
const parameterOf = (url: URL, name: string) => url.searchParams.getAll(name).at(-1) ?? '';

function isPostgresHere(url: URL): boolean {
  const host = parameterOf(url, 'host') || decodeURIComponent(url.hostname);
  // A path is a socket of this machine. Without a host the environment decides, so it is not trusted.
  return host.startsWith('/') || isThisMachine(host);
}

/** Only `verify-full` is unambiguous: our client treats `require` as the same for now, and announces that it will change. */
export function isPlainPostgres(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && !isPostgresHere(url) && parameterOf(url, 'sslmode') !== 'verify-full';
}

export function isRemotePostgres(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && !isPostgresHere(url);
}
