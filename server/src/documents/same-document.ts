// Whether two PDFs of our painter say the same. Deflate may pack the same bytes in another way on another processor or in another
// build of Node, so packed streams are compared unpacked, lengths and offsets by what they lead to, and everything else to the byte. The file comes from a stranger: its
// cross-reference table must lead to the objects that are compared, and to nothing else.
import { inflateSync } from 'node:zlib';

/** The fonts, two of 380 kB, are the largest streams. */
const UNPACKED_MAX = 20_000_000;
const STREAM = '\nstream\n';
const STREAM_END = '\nendstream\n';

/** Undefined if it is not the whole of these bytes that was packed. */
function unpack(packed: Buffer): string | undefined {
  try {
    const { buffer, engine } = inflateSync(packed, { info: true, maxOutputLength: UNPACKED_MAX }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return engine.bytesWritten === packed.length ? buffer.toString('latin1') : undefined;
  } catch {
    return undefined;
  }
}

type Opened = {
  /** What stands between the streams, without lengths, and the streams themselves. */
  readonly parts: readonly string[];
  readonly placeOf: ReadonlyMap<string, number>;
  /** From the cross-reference table on. */
  readonly end: string;
  readonly endsAt: number;
};

function open(file: Buffer): Opened | undefined {
  const text = file.toString('latin1');
  const parts: string[] = [];
  const placeOf = new Map<string, number>();
  for (let at = 0; ; ) {
    const stream = text.indexOf(STREAM, at);
    const endsAt = text.indexOf('\nxref\n', at);
    const until = stream === -1 || (endsAt !== -1 && endsAt < stream) ? endsAt : stream;
    if (until === -1) return undefined;
    const between = text.slice(at, until);
    for (const { 1: id = '', index } of between.matchAll(/(?<=\n)(\d+) 0 obj\n/g)) placeOf.set(id, at + index);
    parts.push(between.replaceAll(/\/Length (0|[1-9]\d*)\n/g, '/Length\n'));
    if (until === endsAt) return { parts, placeOf, end: text.slice(endsAt + 1), endsAt: endsAt + 1 };
    const dictionary = between.slice(between.lastIndexOf(' 0 obj\n'));
    const length = Number(/\/Length (\d+)\n/.exec(dictionary)?.[1]);
    const from = stream + STREAM.length;
    at = from + length;
    if (!Number.isInteger(length) || !text.startsWith(STREAM_END, at)) return undefined;
    const bytes = file.subarray(from, at);
    const content = dictionary.includes('/Filter /FlateDecode\n') ? unpack(bytes) : bytes.toString('latin1');
    if (content === undefined) return undefined;
    parts.push(content);
  }
}

/** The end of the file with the object in place of each offset. Undefined if an offset leads elsewhere. */
function resolveEnd({ end, endsAt, placeOf }: Opened): string | undefined {
  const [head = '', start = '', ...rest] = end.split(/(?<=\nstartxref\n)([1-9]\d*)(?=\n)/);
  if (Number(start) !== endsAt || rest.length !== 1) return undefined;
  let id = -1;
  let isSound = true;
  const table = head.replaceAll(/(?<=\n)(\d{10})( \d{5} [nf] \n)/g, (line, offset: string, rest: string) => {
    id += 1;
    if (rest.includes('f')) return line;
    isSound &&= placeOf.get(String(id)) === Number(offset);
    return `${id}${rest}`;
  });
  return isSound ? table + rest.join('') : undefined;
}

export function isSameDocument(document: Buffer, painted: Buffer): boolean {
  if (document.equals(painted)) return true;
  const [theirs, ours] = [open(document), open(painted)];
  if (!theirs || !ours) return false;
  const [theirEnd, ourEnd] = [resolveEnd(theirs), resolveEnd(ours)];
  return (
    theirEnd !== undefined &&
    theirEnd === ourEnd &&
    theirs.parts.length === ours.parts.length &&
    theirs.parts.every((part, at) => part === ours.parts[at])
  );
}
