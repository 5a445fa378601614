// How a text that never changes while the process lives is handed out: compressed for those who can read that, and not at all
// to a client that still has it.
import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Compressible, chooseForm, compress } from '../body/compressed.ts';

export type KeptFile = Compressible & { readonly etag: string };

/** Browsers keep it and ask each time whether it is still the same. */
export const REVALIDATED = 'no-cache';
const TAG_LENGTH = 22;

/** Weak: the same text has one tag, compressed or not. */
export const etagOf = (body: Buffer) =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_LENGTH)}"`;

export const keepFile = async (body: Buffer): Promise<KeptFile> => ({ etag: etagOf(body), ...(await compress(body)) });

/** RFC 9110, 13.1.2; the header may list several tags, each also in its weak form. */
const isUnchanged = ({ headers }: FastifyRequest, etag: string) =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));

/** Sets the status and the headers, and returns what to send. */
export function present(
  request: FastifyRequest,
  reply: FastifyReply,
  file: KeptFile,
  status = 200,
): Buffer | undefined {
  reply.code(status).header('etag', file.etag);
  const form = chooseForm(request, reply, file);
  if (status !== 200 || !isUnchanged(request, file.etag)) return form;
  reply.code(304).removeHeader('content-encoding');
  return undefined;
}
