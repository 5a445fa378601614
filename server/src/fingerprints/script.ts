// The fingerprint script as it is served: read once, compressed once, named by its content. The workspace
// fingerprint/ holds the source and builds the file into this folder.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { acceptedEncodings } from '../http/body/media-type.ts';

const FILE = new URL('device.js', import.meta.url);

export type ScriptEncoding = 'br' | 'gzip' | 'identity';
export type ScriptForm = { readonly encoding: ScriptEncoding; readonly body: Buffer; readonly etag: string };

export interface FingerprintScript {
  /** The smallest form that the client accepts. */
  choose(acceptEncoding: string | undefined): ScriptForm;
}

export function readFingerprintScript(): FingerprintScript {
  const code = readFileSync(FILE);
  const digest = createHash('sha256').update(code).digest('base64url').slice(0, 22);
  // A strong ETag identifies bytes, so each form has its own.
  const form = (encoding: ScriptEncoding, body: Buffer) => ({ encoding, body, etag: `"${digest}-${encoding}"` });
  const identity = form('identity', code);
  const forms = [
    form('br', brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })),
    form('gzip', gzipSync(code, { level: 9 })),
  ];
  return {
    choose(acceptEncoding) {
      const accepted = acceptedEncodings(
        acceptEncoding,
        forms.map(({ encoding }) => encoding),
      );
      return forms.find(({ encoding }) => accepted.includes(encoding)) ?? identity;
    },
  };
}

/** RFC 9110, 13.1.2: compared weakly. */
export function isStillRight(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}
