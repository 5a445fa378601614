// Whether a URL of a tenant's choice has a form that the service would ever send a request to. Pure. It judges the text
// alone: which addresses a name has is judged when the request is sent (guarded-line.ts), because that may change.
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export const URL_LENGTH_MAX = 2_048;
const PORT_HTTPS = 443;
/** Ports below belong to services of the system: mail, SSH, databases of old. */
const PORT_MIN = 1_024;

/** Names that never belong to a public host (RFC 6761, 6762, 8375, 9476, and names of clouds). */
const INSIDE_NAMES =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion|alt)$/;

export type UrlRules = {
  /** Addresses that development allows besides public ones; plain http goes only there. */
  readonly isAllowed: (address: string) => boolean;
  readonly isPlainAllowed: boolean;
};

export type JudgedUrl = { readonly url: URL } | { readonly fault: string };

/** Without the brackets of an IPv6 address and the dot of the root. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

export const portOf = ({ port, protocol }: URL) =>
  port === '' ? (protocol === 'https:' ? PORT_HTTPS : 80) : Number(port);

function faultOf(text: string, url: URL, { isAllowed, isPlainAllowed }: UrlRules): string | undefined {
  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  const isOurs = isAddress && isAllowed(host);
  if (url.protocol !== 'https:' && !(isPlainAllowed && url.protocol === 'http:')) return 'Use https.';
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    return 'Leave out the user name and password.';
  }
  if (url.hash !== '' || text.includes('#')) return 'Leave out the fragment: # and what follows it.';
  const port = portOf(url);
  if (port !== PORT_HTTPS && port < PORT_MIN) return `Use port ${PORT_HTTPS}, or one from ${PORT_MIN}.`;
  if (isOurs) return undefined;
  if (isAddress) return isPublicAddress(host) ? undefined : 'Use a host that can be reached from the internet.';
  if (host === 'localhost' && isPlainAllowed) return undefined;
  // Resolvers read a name with an empty label in different ways.
  if (host.split('.').includes('')) return 'Use a host that can be reached from the internet.';
  // A name with one label is looked up inside a network, and so are these endings.
  if (!host.includes('.') || INSIDE_NAMES.test(host)) return 'Use a host that can be reached from the internet.';
  return undefined;
}

export function judgeOutsideUrl(text: string, rules: UrlRules): JudgedUrl {
  // The parser drops line breaks and tabs without a word; a URL that needs that is a mistake or an attack.
  if (text.length > URL_LENGTH_MAX || /[\s\\\p{Cc}]/u.test(text)) return { fault: 'Use an absolute https address.' };
  const url = URL.parse(text);
  if (!url || url.hostname === '') return { fault: 'Use an absolute https address.' };
  const fault = faultOf(text, url, rules);
  return fault === undefined ? { url } : { fault };
}
