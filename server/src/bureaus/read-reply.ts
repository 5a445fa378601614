// Reads a bureau's reply in this thread or, with an injected reader, elsewhere. All three readers are pure. An answer gets
// the digest of the bytes it was read from: it shows later what the bureau sent us.
import { hash } from 'node:crypto';
import { readReply as readAlbion } from './albion/reply.ts';
import type { Asked } from './asked.ts';
import { readReply as readBeacon } from './beacon/reply.ts';
import type { BureauReply } from './call-bureau.ts';
import { readReply as readCygnet } from './cygnet/reply.ts';
import type { ReplyMark } from './port.ts';

export const READERS = { albion: readAlbion, beacon: readBeacon, cygnet: readCygnet } as const;

export type Wire = keyof typeof READERS;
export type ReadOrder = { readonly reply: Omit<BureauReply, 'retryAfterSeconds'>; readonly asked: Asked };

/** What an outcome may be made from carries its mark; steps on the way and failures need none. */
type Marked<Result> = Result extends { readonly kind: 'ok' | 'no-trace' | 'pick-list' } ? Result & ReplyMark : Result;
type MarkedResult<W extends Wire> = Marked<ReturnType<(typeof READERS)[W]>>;

const MARKED: ReadonlySet<string> = new Set(['ok', 'no-trace', 'pick-list']);

/** What a reader makes of a reply that is complete now. Ends by itself when the signal aborts. */
export type ReadReply = <W extends Wire>(wire: W, order: ReadOrder, signal: AbortSignal) => Promise<MarkedResult<W>>;

export function readMarked<W extends Wire>(
  wire: W,
  { reply, asked, answeredAt }: ReadOrder & Pick<ReplyMark, 'answeredAt'>,
): MarkedResult<W> {
  const result = READERS[wire](reply, asked);
  const marked = MARKED.has(result.kind)
    ? { ...result, replySha256: hash('sha256', reply.bytes, 'hex'), answeredAt }
    : result;
  return marked as MarkedResult<W>;
}

export const readHere: ReadReply = async (wire, order) =>
  readMarked(wire, { ...order, answeredAt: new Date().toISOString() });
