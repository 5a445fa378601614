// How a text that never changes while the process lives is handed out: compressed for those who can read that, and not at all
// to a browser that still has it.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings } from '../body/media-type.ts';
import { addVary } from '../headers.ts';

export type KeptFile = {
  readonly etag: string;
  readonly body: Buffer;
  /** The same compressed with Brotli, where that makes it smaller. */
  readonly compressed: Buffer | undefined;
};

/** Browsers keep it and ask each time whether it is still the same. */
export const REVALIDATED = 'no-cache';
const TAG_LENGTH = 22;
/** Of 11: a script of four megabytes takes less than half a second, once, in another thread. The last tenth would take 25 seconds. */
const QUALITY = 6;

/** Weak: the same text has one tag, compressed or not. */
export const etagOf = (body: Buffer) =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_LENGTH)}"`;

const compress = promisify(brotliCompress);

export async function keepFile(body: Buffer): Promise<KeptFile> {
  const compressed = await compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  return { etag: etagOf(body), body, compressed: compressed.length < body.length ? compressed : undefined };
}

/** RFC 9110, 13.1.2; the header may list several tags, each also in its weak form. */
const isUnchanged = ({ headers }: FastifyRequest, etag: string) =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));

/** Sets the status and the headers, and returns what to send. */
export function present(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, body, compressed }: KeptFile,
  status = 200,
): Buffer | undefined {
  reply.code(status).header('etag', etag);
  if (compressed) addVary(reply, 'Accept-Encoding');
  if (status === 200 && isUnchanged(request, etag)) {
    reply.code(304);
    return undefined;
  }
  const isCompressed = compressed && acceptedEncodings(request.headers['accept-encoding'], ['br']).includes('br');
  if (!isCompressed) return body;
  reply.header('content-encoding', 'br');
  return compressed;
}
