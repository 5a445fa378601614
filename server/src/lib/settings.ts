// Parses environment texts as values: undefined for an invalid one. Nothing here throws or says what was wrong.
import { isIP } from 'node:net';
import { isNetwork, networkOf } from './values/ip-address.ts';

export function parseUrl(...protocols: string[]) {
  return (text: string) => (protocols.includes(URL.parse(text)?.protocol ?? '') ? text : undefined);
}

export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '') ? url.origin : undefined;
}

/** An address or a name to listen on. */
export function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(text) ? text : undefined;
}

export function parseInteger(min: number, max: number) {
  return (text: string) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

export function parseSwitch(text: string): boolean | undefined {
  return text === 'on' ? true : text === 'off' ? false : undefined;
}

/** A wider network is no list of proxies: trusting it would mean trusting strangers. */
const WIDEST_PREFIX = { ipv4: 8, ipv6: 16 };

function isProxyNetwork(network: string): boolean {
  if (!isNetwork(network)) return false;
  const [address = '', prefix] = network.split('/');
  // IPv4 mapped into IPv6 is another way to write every IPv4 address.
  const isV6 = isIP(address) === 6;
  if (isV6 && isIP(networkOf(address)) === 4) return false;
  return prefix === undefined || Number(prefix) >= (isV6 ? WIDEST_PREFIX.ipv6 : WIDEST_PREFIX.ipv4);
}

export function parseProxies(text: string): string[] | undefined {
  const proxies = text
    .split(',')
    .map((proxy) => proxy.trim())
    .filter(Boolean);
  return proxies.every(isProxyNetwork) ? proxies : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText = (value: unknown) => typeof value === 'string' && value !== '';
export const isTextList = (value: unknown) => Array.isArray(value) && value.every(isText);
