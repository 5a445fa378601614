// Whether a text is one IPv4 or IPv6 address (docs/decisions/0013). It does not say whose it is or whether it is public.
import { isIP } from 'node:net';

export function isIpAddress(text: string): boolean {
  // A zone id names an interface of one machine, so it means nothing in a consumer's address.
  return isIP(text) !== 0 && !text.includes('%');
}
