// Checks Twilio's signature of a request: base64 of HMAC-SHA1, keyed with the account's token, over the whole address
// followed by every parameter's name and value in the order of names.
import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignedRequest = {
  /** The base of the addresses we give to Twilio, not the process's own address behind a proxy. */
  readonly bases: readonly string[];
  /** Path and query as received. */
  readonly url: string;
  readonly parameters: URLSearchParams;
  readonly signature: string;
};

/** Accepts any of the tokens, so that one can be replaced while receipts under the other are on their way. */
export function isSigned({ bases, url, parameters, signature }: SignedRequest, tokens: readonly string[]): boolean {
  const given = Buffer.from(signature);
  const content = writeParameters(parameters);
  const expected = tokens.flatMap((token) =>
    bases.map((base) => createHmac('sha1', token).update(`${base}${url}${content}`).digest('base64')),
  );
  // Compares the text and not the decoded bytes: several texts decode to the same bytes.
  return expected.some((each) => given.length === each.length && timingSafeEqual(given, Buffer.from(each)));
}

/** A repeated name is written once for each different value, in the order of values, as Twilio does. */
function writeParameters(parameters: URLSearchParams): string {
  // Grouped in one pass: looking each name up would scan all of them each time.
  const groups = new Map<string, Set<string>>();
  for (const [name, value] of parameters) {
    const group = groups.get(name);
    if (group) group.add(value);
    else groups.set(name, new Set([value]));
  }
  return [...groups]
    .toSorted(([left], [right]) => compareText(left, right))
    .flatMap(([name, values]) => [...values].toSorted(compareText).map((value) => `${name}${value}`))
    .join('');
}

const compareText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** With and without its port: Twilio is not consistent about it, and its own libraries accept both. */
export function spellingsOf(baseUrl: string): readonly string[] {
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, '');
  const usualPort = protocol === 'https:' ? '443' : '80';
  return [
    ...new Set([baseUrl, `${protocol}//${hostname}${path}`, `${protocol}//${hostname}:${port || usualPort}${path}`]),
  ];
}
