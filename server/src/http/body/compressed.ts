// A text that is compressed once and handed out often: with Brotli for those who can read that, with gzip for the rest, such as
// most programs.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addVary } from '../headers.ts';
import { acceptedEncodings } from './media-type.ts';

/** The smaller one first: browsers accept both and prefer neither. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

export type Compressible = {
  readonly body: Buffer;
  /** The same in the encodings that make it smaller. */
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
};

/** Of a copy that a build made beside the file. */
const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };
/** Of 11: a script of four megabytes takes less than half a second, once, in another thread. The last tenth would take 25 seconds. */
const QUALITY = 6;

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

function keepSmaller(body: Buffer, copies: readonly (readonly [Encoding, Buffer])[]): Compressible {
  return { body, compressed: new Map(copies.filter(([, bytes]) => bytes.length < body.length)) };
}

export async function compress(body: Buffer): Promise<Compressible> {
  const [br, gz] = await Promise.all([
    brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
    zip(body),
  ]);
  return keepSmaller(body, [
    ['br', br],
    ['gzip', gz],
  ]);
}

export const isCompressedCopy = (name: string) => Object.values(SUFFIXES).some((suffix) => name.endsWith(suffix));

/** The file of this name and its compressed copies, of the names that there are. */
export function readCompressed(
  name: string,
  present: ReadonlySet<string>,
  read: (name: string) => Buffer,
): Compressible {
  const copies = ENCODINGS.filter((encoding) => present.has(name + SUFFIXES[encoding]));
  return keepSmaller(
    read(name),
    copies.map((encoding) => [encoding, read(name + SUFFIXES[encoding])]),
  );
}

/** Sets the headers, and returns the smallest form that the client accepts. */
export function chooseForm(request: FastifyRequest, reply: FastifyReply, { body, compressed }: Compressible): Buffer {
  if (compressed.size === 0) return body;
  addVary(reply, 'Accept-Encoding');
  const accepted = acceptedEncodings(request.headers['accept-encoding'], [...compressed.keys()]);
  const encoding = ENCODINGS.find((each) => accepted.includes(each));
  const smaller = encoding && compressed.get(encoding);
  if (smaller) reply.header('content-encoding', encoding);
  return smaller ?? body;
}
