// Reads a bureau's reply in this thread or, with an injected reader, elsewhere. All three readers are pure.
import { readReply as readAlbion } from './albion/reply.ts';
import type { Asked } from './asked.ts';
import { readReply as readBeacon } from './beacon/reply.ts';
import type { BureauReply } from './call-bureau.ts';
import { readReply as readCygnet } from './cygnet/reply.ts';

export const READERS = { albion: readAlbion, beacon: readBeacon, cygnet: readCygnet } as const;

export type Wire = keyof typeof READERS;
export type ReadOrder = { readonly reply: Omit<BureauReply, 'retryAfterSeconds'>; readonly asked: Asked };

/** What a reader makes of a reply. Ends by itself when the signal aborts. */
export type ReadReply = <W extends Wire>(
  wire: W,
  order: ReadOrder,
  signal: AbortSignal,
) => Promise<ReturnType<(typeof READERS)[W]>>;

export const readHere: ReadReply = async <W extends Wire>(wire: W, { reply, asked }: ReadOrder) =>
  READERS[wire](reply, asked) as ReturnType<(typeof READERS)[W]>;
