// Whether a text is one IPv4 or IPv6 address (docs/decisions/0013). It does not say whose it is or whether it is public.
import { isIP, isIPv6 } from 'node:net';

export function isIpAddress(text: string): boolean {
  // A zone id names an interface of one machine, so it means nothing in a consumer's address.
  return isIP(text) !== 0 && !text.includes('%');
}

/** An IPv6 address shortened to its /64 network; an IPv4 address as it is. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::', 2);
  const groups = head.split(':').filter(Boolean);
  const tailGroups = tail?.split(':').filter(Boolean) ?? [];
  const zeros = Array<string>(Math.max(0, 8 - groups.length - tailGroups.length)).fill('0');
  const network = [...groups, ...(tail === undefined ? [] : zeros), ...tailGroups].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
