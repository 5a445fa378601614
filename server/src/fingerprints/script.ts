// The fingerprint script as it is served: read at the start, compressed once for the first request, named by its content.
// The workspace fingerprint/ holds the source and builds the file into this folder.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptedEncodings } from '../http/body/media-type.ts';
import { lazy } from '../lib/lazy.ts';

const FILE = new URL('device.js', import.meta.url);

export type ScriptEncoding = 'br' | 'gzip' | 'identity';
export type ScriptForm = { readonly encoding: ScriptEncoding; readonly body: Buffer; readonly etag: string };

export interface FingerprintScript {
  /** The smallest form that the client accepts. */
  choose(acceptEncoding: string | undefined): Promise<ScriptForm>;
}

/** The smallest first. */
const COMPRESSIONS = ['br', 'gzip'] as const;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

export function readFingerprintScript(): FingerprintScript {
  const code = readFileSync(FILE);
  const digest = createHash('sha256').update(code).digest('base64url').slice(0, 22);
  // A strong ETag identifies bytes, so each form has its own.
  const form = (encoding: ScriptEncoding, body: Buffer) => ({ encoding, body, etag: `"${digest}-${encoding}"` });
  const identity = form('identity', code);
  // Takes tens of milliseconds: not on the event loop, and not in a process that is never asked for the script.
  const compressed = {
    br: lazy(async () => form('br', await brotli(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))),
    gzip: lazy(async () => form('gzip', await zip(code, { level: 9 }))),
  };
  return {
    async choose(acceptEncoding) {
      const accepted = acceptedEncodings(acceptEncoding, COMPRESSIONS);
      const encoding = COMPRESSIONS.find((each) => accepted.includes(each));
      return encoding ? compressed[encoding]() : identity;
    },
  };
}

/** RFC 9110, 13.1.2: compared weakly. */
export function isStillRight(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
}
