// Whether a text is one IPv4 or IPv6 address (docs/decisions/0013-field-rules.md), or a network of them, and whether the
// one lies in the other. It does not say whose an address is or whether it is public.
import { BlockList, isIP, isIPv6 } from 'node:net';

export function isIpAddress(text: string): boolean {
  // A zone id names an interface of one machine, so it means nothing in a consumer's address.
  return isIP(text) !== 0 && !text.includes('%');
}

/**
 * The address in what a proxy or the system wrote: alone or with a port, in brackets, with a zone id. Undefined when there is
 * none. The zone names an interface of one machine and says nothing about the client.
 */
export function readAddress(text: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  const [address = '', zone] = (bracketed ?? beforePort ?? text).split('%', 2);
  if (!isIpAddress(address)) return undefined;
  const isWellPlaced = isIPv6(address) || (zone === undefined && bracketed === undefined);
  return isWellPlaced ? address : undefined;
}

/**
 * An IPv6 address shortened to its /64 network; an IPv4 address as it is, also out of an IPv6 address that only wraps it. A
 * text that is no address comes back as it is: this never throws, because it is asked before anything has been judged.
 */
export function networkOf(text: string): string {
  const address = readAddress(text) ?? text;
  if (!isIPv6(address)) return address;
  // In one form of many: lower case, no leading zeros, the longest row of zeros left out.
  const canonical = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address;
  const wrapped = /^::ffff:(\w+):(\w+)$/
    .exec(canonical)
    ?.slice(1)
    .map((group) => Number.parseInt(group, 16));
  if (wrapped) return wrapped.flatMap((group) => [group >> 8, group & 255]).join('.');
  const [head = '', tail] = canonical.split('::', 2);
  const groups = head.split(':').filter(Boolean);
  const tailGroups = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(tail === undefined ? 0 : 8 - groups.length - tailGroups.length).fill('0');
  return `${[...groups, ...zeros, ...tailGroups].slice(0, 4).join(':')}::/64`;
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** An address, or an address and a prefix length. IPv4 is written as such, never inside IPv6. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  if (rest.length > 0 || !isIpAddress(address) || (isIPv6(address) && address.includes('.'))) return false;
  return prefix === undefined || (/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= (isIPv6(address) ? 128 : 32));
}

/** Whether an address lies in one of the networks, each written as `isNetwork` asks. */
export function createNetworkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return (address) => isIpAddress(address) && list.check(address, familyOf(address));
}
