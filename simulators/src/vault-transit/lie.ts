// Well-formed answers that are wrong: what a client must notice without help from the wire.
import { randomBytes } from 'node:crypto';
import type { Behaviours } from '../behaviours.ts';
import type { Reply } from '../wire.ts';

type Body = { readonly data?: Readonly<Record<string, unknown>> | null };

/**
 * `lie=length` (the default) cuts the plaintext by a byte; `lie=key` changes its bytes; `lie=version` raises the version of
 * the ciphertext; `lie=type` and `lie=empty` leave the shape.
 */
export function lie(reply: Reply, behaviours: Behaviours): Reply {
  const kind = behaviours.get('lie');
  if (kind === undefined || reply.body === '') return reply;
  const body = JSON.parse(reply.body) as Body;
  return { ...reply, body: JSON.stringify({ ...body, data: spoil(body.data ?? {}, kind) }) };
}

function spoil(data: Readonly<Record<string, unknown>>, kind: string): object | null {
  const { plaintext, ciphertext } = data;
  switch (kind) {
    case 'empty':
      return null;
    case 'version':
      return typeof ciphertext === 'string' ? { ...data, ciphertext: ciphertext.replace(/v\d+/, 'v999') } : data;
    case 'type':
      return typeof plaintext === 'string' ? { ...data, plaintext: 42 } : data;
    default: {
      if (typeof plaintext !== 'string') return data;
      const bytes = Buffer.from(plaintext, 'base64');
      const wrong = kind === 'key' ? randomBytes(bytes.length) : bytes.subarray(1);
      return { ...data, plaintext: wrong.toString('base64') };
    }
  }
}
