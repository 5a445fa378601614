// Which addresses a request to an address of a tenant's choice may connect to: public unicast addresses and no others
// (docs/decisions/0201-nothing-inside-is-reachable.md). Pure: the addresses of this machine come in.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Everything that IANA has given out for the public lies in here; the rest of IPv6 is special or unassigned. */
const PUBLIC_V6 = ipaddr.parseCIDR('2000::/3');

/** Public by their range, but answered inside a cloud: the metadata and control service of Azure. */
const INSIDE_CLOUDS: readonly string[] = ['168.63.129.16'];

/** ISATAP (RFC 5214) writes an IPv4 address into the last half: a router with such a tunnel would unpack it. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

/**
 * True only for a plain public unicast address in its usual spelling. IPv4 inside IPv6 (mapped, compatible, 6to4, Teredo,
 * NAT64) is refused even where the inner address is public: no receiver needs it, and each form hides another address.
 */
export function isPublicAddress(text: string): boolean {
  // The strict reading first: the library also takes octal, hexadecimal and short spellings, and zones.
  if (isIP(text) === 0 || text.includes('%') || INSIDE_CLOUDS.includes(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address.match(PUBLIC_V6) && !isIsatap(address as ipaddr.IPv6));
}

/** One spelling for one address, so that two spellings compare as equal. Undefined for a text that is no address. */
export function canonicalAddress(text: string): string | undefined {
  const [bare = ''] = text.split('%', 1);
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare).toString();
}

/**
 * What a receiver can change without effort counts as one, as text: an IPv4 address, or the first 64 bits of an IPv6 address, since
 * the other 64 cost nothing to change.
 */
export function blockOf(address: string): string {
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
