import { deflateSync, inflateSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { paint } from './painter.worker.ts';
import { isSameDocument } from './same-document.ts';
import { SAMPLE } from './sample.ts';

let document: Buffer;
beforeAll(async () => {
  document = Buffer.from(await paint({ completed: SAMPLE, evidence: undefined, format: 'pdf' }));
});

type Change = (stream: Buffer, place: number) => Buffer;

/** The document with other packed streams: lengths and offsets are written anew, as another build would have written them. */
function rewrite(change: Change): Buffer {
  const text = document.toString('latin1');
  let place = -1;
  const written = text
    .slice(0, text.indexOf('\nxref\n') + 1)
    .replaceAll(
      /\/Length \d+\n(\/Filter \/FlateDecode\n>>\nstream\n)(.*?)\nendstream\n/gs,
      (_all, between: string, packed: string) => {
        place += 1;
        const changed = change(Buffer.from(packed, 'latin1'), place);
        return `/Length ${changed.length}\n${between}${changed.toString('latin1')}\nendstream\n`;
      },
    );
  let id = -1;
  const end = text
    .slice(text.indexOf('\nxref\n') + 1)
    .replaceAll(/(?<=\n)\d{10}( \d{5} [nf] \n)/g, (line, rest: string) => {
      id += 1;
      if (rest.includes('f')) return line;
      return `${String(written.indexOf(`\n${id} 0 obj\n`) + 1).padStart(10, '0')}${rest}`;
    })
    .replace(/startxref\n\d+/, `startxref\n${written.length}`);
  return Buffer.from(written + end, 'latin1');
}

const again = (change: (content: Buffer) => Buffer, level = 6): Change => {
  return (stream) => deflateSync(change(inflateSync(stream)), { level });
};
const asItWas = (content: Buffer) => content;
const replace = (from: string, to: string) => Buffer.from(document.toString('latin1').replace(from, to), 'latin1');

test.each([1, 6, 9])('packed again at level %i it is the same', (level) => {
  const other = rewrite(again(asItWas, level));
  expect(other.equals(document)).toBe(level === 6);
  expect(isSameDocument(other, document)).toBe(true);
});

test('one byte of any stream changed is seen, however it is packed', () => {
  let streams = 0;
  rewrite((stream) => {
    streams += 1;
    return stream;
  });
  expect(streams).toBeGreaterThan(4);
  for (let place = 0; place < streams; place += 1) {
    const changed = rewrite((stream, at) => {
      if (at !== place) return stream;
      const content = inflateSync(stream);
      content.writeUInt8(content.readUInt8(content.length >> 1) ^ 1, content.length >> 1);
      return deflateSync(content, { level: 1 });
    });
    expect(isSameDocument(changed, document), `stream ${place}`).toBe(false);
  }
});

test('something behind the packed bytes, where another object could hide, is seen', () => {
  const hidden = Buffer.from('\n7 0 obj\n<< >>\nendobj\n');
  expect(
    isSameDocument(
      rewrite((stream) => Buffer.concat([stream, hidden])),
      document,
    ),
  ).toBe(false);
});

test('a cross-reference table that leads elsewhere is seen', () => {
  const [first = ''] = /(?<=\n)\d{10} 00000 n/.exec(document.toString('latin1')) ?? [];
  const other = `${String(Number(first.slice(0, 10)) + 1).padStart(10, '0')} 00000 n`;
  expect(isSameDocument(replace(first, other), document)).toBe(false);
  expect(isSameDocument(replace('startxref\n', 'startxref\n1'), document)).toBe(false);
  // Zeros before a number lead to the same place, and are other bytes.
  expect(isSameDocument(replace('startxref\n', 'startxref\n0'), document)).toBe(false);
  expect(isSameDocument(replace(first, first.replace('00000 n', '00001 n')), document)).toBe(false);
});

test.each([
  ['a word between the streams', () => replace('/MediaBox [0 0 5', '/MediaBox [0 0 9')],
  ['something after the end', () => Buffer.concat([document, Buffer.from('\n% more\n')])],
  ['a file cut short', () => document.subarray(0, -40)],
  ['a file that ends in a stream', () => document.subarray(0, document.length >> 1)],
  ['no PDF', () => Buffer.from('hello')],
])('%s is seen', (_name, make) => {
  const changed = make();
  expect(changed.equals(document)).toBe(false);
  expect(isSameDocument(changed, document)).toBe(false);
});
