// AWS Signature Version 4, the pure part: the canonical request, the string to sign and the signature, as "Create a signed
// AWS API request" describes them. It decides nothing about a caller.
import { createHash, createHmac } from 'node:crypto';

export const ALGORITHM = 'AWS4-HMAC-SHA256';
export const TERMINATOR = 'aws4_request';

export type Signable = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headerList: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
};

export type Scope = { readonly date: string; readonly region: string; readonly service: string };

export function canonicalRequest(request: Signable, signedHeaders: readonly string[]): string {
  const names = [...signedHeaders].sort(byCode);
  const headers = names.map((name) => `${name}:${headerValue(request, name)}\n`).join('');
  return [
    request.method,
    canonicalPath(request.path),
    canonicalQuery(request.query),
    headers,
    names.join(';'),
    sha256(request.body),
  ].join('\n');
}

export function stringToSign(amzDate: string, scope: Scope, canonical: string): string {
  return [ALGORITHM, amzDate, writeScope(scope), sha256(canonical)].join('\n');
}

export function signatureOf(secretAccessKey: string, { date, region, service }: Scope, text: string): string {
  const signingKey = [date, region, service, TERMINATOR].reduce<Buffer>(
    (key, part) => hmac(key, part),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  return hmac(signingKey, text).toString('hex');
}

export const writeScope = ({ date, region, service }: Scope) => [date, region, service, TERMINATOR].join('/');

/** The values of one name in the order of the request, joined with commas; every run of spaces counts as one. */
function headerValue({ headerList }: Signable, wanted: string): string {
  const values = headerList.filter(([name]) => name.toLowerCase() === wanted);
  return values.map(([, value]) => value.trim().replaceAll(/\s+/g, ' ')).join(',');
}

/** AWS also resolves dots and double slashes; no path of KMS has them. */
const canonicalPath = (path: string) => path.split('/').map(uriEncode).join('/') || '/';

function canonicalQuery(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&').map((part) => {
    const [name = '', value = ''] = part.split(/=(.*)/s, 2).map((text) => uriEncode(uriDecode(text)));
    return { name, value };
  });
  pairs.sort((left, right) => byCode(left.name, right.name) || byCode(left.value, right.value));
  return pairs.map(({ name, value }) => `${name}=${value}`).join('&');
}

/** Every byte but the unreserved characters of RFC 3986. */
const uriEncode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

function uriDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const byCode = (left: string, right: string) => (left < right ? -1 : Number(left > right));
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text, 'utf8').digest();
