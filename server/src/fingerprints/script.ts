// The fingerprint script as it is handed out: read once, compressed once, named by its content. What it is made of is in
// fingerprint/, which builds the file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const FILE = new URL('../../../fingerprint/device.js', import.meta.url);

export type ScriptEncoding = 'br' | 'gzip' | 'identity';
export type ScriptForm = { readonly encoding: ScriptEncoding; readonly body: Buffer; readonly etag: string };

export interface FingerprintScript {
  /** The smallest form that the client takes. */
  choose(acceptEncoding: string | undefined): ScriptForm;
}

export function readFingerprintScript(): FingerprintScript {
  const code = readFileSync(FILE);
  const digest = createHash('sha256').update(code).digest('base64url').slice(0, 22);
  // A strong tag names bytes, and each form has its own.
  const form = (encoding: ScriptEncoding, body: Buffer) => ({ encoding, body, etag: `"${digest}-${encoding}"` });
  const identity = form('identity', code);
  const forms = [
    form('br', brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })),
    form('gzip', gzipSync(code, { level: 9 })),
  ];
  return {
    choose: (acceptEncoding = '') => forms.find(({ encoding }) => accepts(acceptEncoding, encoding)) ?? identity,
  };
}

/** RFC 9110, 12.5.3; a star takes every coding that is not named. */
function accepts(header: string, encoding: string): boolean {
  let star = false;
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const isWanted = !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    if (name === encoding) return isWanted;
    if (name === '*') star = isWanted;
  }
  return star;
}

/** RFC 9110, 13.1.2: compared weakly. */
export function isStillRight(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}
