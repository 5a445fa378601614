// The verifier against files with one thing wrong. Each wrong thing is told apart from the others, and no byte can be changed
// without a word about it.
import { createHash, createPrivateKey, type JsonWebKey, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { costGrowth, GROWTH_MAX } from '../../../tools/testing/cost-growth.ts';
import { newEvidenceKeys } from '../../src/evidence/evidence-keys.ts';
import { writeCanonical } from '../../src/evidence/rules/canonical-json.ts';
import type { Statement } from '../../src/evidence/rules/statement.ts';
import { readPdfAttachments } from '../../src/evidence/verification/pdf-attachments.ts';
import type { PublishedKey } from '../../src/evidence/verification/published-keys.ts';
import { verifier } from '../../src/evidence/verification/verifier.ts';
import { startServer, type TestServer } from '../harness.ts';
import {
  asJson,
  asPdf,
  attachedFiles,
  type EvidenceData,
  type Files,
  newEvidence,
  publishedKeys,
} from '../support/evidence.ts';

let server: TestServer;
let keys: PublishedKey[];
let evidence: EvidenceData;
let files: Files;
let others: Files;
beforeAll(async () => {
  server = await startServer();
  keys = await publishedKeys(server);
  evidence = await newEvidence(server, { bureaus: ['equifax'], email: 'test001@example.com' });
  files = attachedFiles(evidence);
  others = attachedFiles(await newEvidence(server));
});
afterAll(() => server?.close());

/** As if they had just been read from a file. */
function judge(given: Files, by = keys) {
  const { 'statement.json': statement, 'statement.sig': signature, ...rest } = given;
  const listed = Object.entries(rest).map(([name, bytes]) => ({ name, bytes }));
  if (!statement || !signature) throw new Error('a file is missing');
  return verifier.verify({ form: 'pdf', statement, signature, files: listed, beside: [] }, by);
}

const verdictOf = async (given: Files, by = keys) => (await judge(given, by)).verdict;
const textOf = (given: Files) => String(given['statement.json']);
const bytesOf = (name: string) => files[name] ?? Buffer.alloc(0);

/** Signed with our own key, true or not. */
function signed(text: string): Files {
  const [key] = JSON.parse(server.environment['TREFOIL_EVIDENCE_KEYS'] ?? '[]') as [JsonWebKey];
  const { kty, crv, x, d } = key;
  const privateKey = createPrivateKey({ key: { kty, crv, x, d } as JsonWebKey, format: 'jwk' });
  return { ...files, 'statement.json': Buffer.from(text), 'statement.sig': sign(null, Buffer.from(text), privateKey) };
}

test('good: from a PDF, and from the answer of the API with and without its envelope', async () => {
  const pdf = await verifier.read(await asPdf(files));
  expect([pdf.form, (await verifier.verify(pdf, keys)).verdict]).toEqual(['pdf', 'good']);
  const json = await verifier.read(asJson(files));
  expect([json.form, (await verifier.verify(json, keys)).verdict]).toEqual(['json', 'good']);
  const enveloped = await verifier.read(Buffer.from(`{"meta":{},"data":${asJson(files)}}`));
  const finding = await verifier.verify(enveloped, keys);
  expect(finding).toMatchObject({ verdict: 'good', wrongFiles: [], kid: keys[0]?.kid });
  expect(finding.statementSha256).toBe(createHash('sha256').update(bytesOf('statement.json')).digest('hex'));
});

describe('every byte flipped', () => {
  test.each(['statement.json', 'statement.sig', 'report.json', 'provenance.json', 'VERIFY.txt'])(
    '%s: no changed byte goes unnoticed, whichever bit it is',
    async (name) => {
      const { length } = bytesOf(name);
      expect(length).toBeGreaterThan(60);
      const missed: number[] = [];
      for (let at = 0; at < length; at += 1) {
        const changed = Buffer.from(bytesOf(name));
        changed.writeUInt8(changed.readUInt8(at) ^ (1 << (at % 8)), at);
        const { verdict, wrongFiles } = await judge({ ...files, [name]: changed });
        const isTold = name.startsWith('statement')
          ? verdict === 'statement-altered' || verdict === 'unknown-key'
          : verdict === 'file-altered' && wrongFiles.join() === name;
        if (!isTold) missed.push(at);
      }
      expect(missed).toEqual([]);
    },
    120_000,
  );

  test('a byte more, a byte less, or no byte at all', async () => {
    for (const [name, bytes] of Object.entries(files)) {
      for (const changed of [Buffer.concat([bytes, Buffer.from(' ')]), bytes.subarray(0, -1), Buffer.alloc(0)]) {
        expect([name, await verdictOf({ ...files, [name]: changed })]).not.toEqual([name, 'good']);
      }
    }
  });

  test('of a PDF: a changed byte of what carries an attached file is noticed, or changes nothing of it', async () => {
    const pdf = await asPdf(files);
    const from = pdf.indexOf('/EmbeddedFile');
    const until = pdf.lastIndexOf('/Filespec');
    let noticed = 0;
    for (let at = from; at < until; at += 7) {
      const changed = Buffer.from(pdf);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const read = await verifier.read(changed).catch(() => undefined);
      const verdict = read && (await verifier.verify(read, keys)).verdict;
      if (verdict !== 'good') noticed += 1;
      // Descriptions, dates and check sums of the PDF itself are not part of what is signed.
      else
        expect(
          Object.fromEntries((read?.files ?? []).map((file) => [file.name, Buffer.from(file.bytes)])),
        ).toMatchObject({
          'report.json': files['report.json'],
          'provenance.json': files['provenance.json'],
        });
    }
    expect(noticed).toBeGreaterThan(100);
  }, 120_000);
});

describe('told apart', () => {
  const only = (name: string, bytes = others[name]) => ({ ...files, [name]: bytes ?? Buffer.alloc(0) });

  test('files of another report: one of them, all of them, or two under each other’s names', async () => {
    expect(await judge(only('report.json'))).toMatchObject({ verdict: 'file-altered', wrongFiles: ['report.json'] });
    const all = { ...only('report.json'), 'provenance.json': others['provenance.json'] ?? Buffer.alloc(0) };
    expect(await judge(all)).toMatchObject({
      verdict: 'file-swapped',
      wrongFiles: ['provenance.json', 'report.json'],
    });
    expect(await verdictOf(only('report.json', files['provenance.json']))).toBe('file-swapped');
  });

  test('the statement of another report: its files are not these; its signature does not fit this statement', async () => {
    const theirs = { ...files, 'statement.json': others['statement.json'], 'statement.sig': others['statement.sig'] };
    expect(await verdictOf(theirs as Files)).toBe('file-swapped');
    expect(await verdictOf(only('statement.sig'))).toBe('statement-altered');
  });

  test('a file that is missing, and one that was never signed', async () => {
    const { 'report.json': _gone, ...rest } = files;
    expect(await judge(rest)).toMatchObject({ verdict: 'file-altered', wrongFiles: ['report.json'] });
    const more = { ...files, 'consent.json': Buffer.from('{}') };
    expect(await judge(more)).toMatchObject({ verdict: 'file-altered', wrongFiles: ['consent.json'] });
  });

  test('another key: one that is not published, and one that is published under its name', async () => {
    const [other] = JSON.parse(newEvidenceKeys()) as [PublishedKey];
    const foreign = { ...other, validUntil: null, revokedAt: null };
    expect(await verdictOf(files, [foreign])).toBe('unknown-key');
    expect(await verdictOf(files, [{ ...foreign, kid: keys[0]?.kid ?? '' }])).toBe('statement-altered');
  });

  test('a forger with a key of their own who names ours: the signature does not fit', async () => {
    const [forged] = JSON.parse(newEvidenceKeys()) as [JsonWebKey];
    const privateKey = createPrivateKey({ key: forged, format: 'jwk' });
    const signature = sign(null, bytesOf('statement.json'), privateKey);
    expect(await verdictOf({ ...files, 'statement.sig': signature })).toBe('statement-altered');
  });

  test('a revoked key, and whether the statement says that it was signed before that', async () => {
    const { issuedAt } = JSON.parse(textOf(files)) as Statement;
    const revoked = (ms: number) => [
      { ...(keys[0] as PublishedKey), revokedAt: new Date(Date.parse(issuedAt) + ms).toISOString() },
    ];
    expect(await judge(files, revoked(1))).toMatchObject({ verdict: 'revoked-key', isSignedBeforeRevocation: true });
    expect(await judge(files, revoked(0))).toMatchObject({ verdict: 'revoked-key', isSignedBeforeRevocation: false });
    // What was changed as well is told first.
    expect(await verdictOf(only('report.json'), revoked(1))).toBe('file-altered');
  });

  test('a key outside its time: not before its first instant, and not from its last on', async () => {
    const { issuedAt } = JSON.parse(textOf(files)) as Statement;
    const [key] = keys as [PublishedKey];
    const later = new Date(Date.parse(issuedAt) + 1).toISOString();
    expect(await verdictOf(files, [{ ...key, validFrom: issuedAt, validUntil: later }])).toBe('good');
    expect(await verdictOf(files, [{ ...key, validFrom: later }])).toBe('key-not-valid');
    expect(await verdictOf(files, [{ ...key, validUntil: issuedAt }])).toBe('key-not-valid');
  });
});

describe('what stands beside the statement in the JSON agrees with it', () => {
  const judgeAnswer = async (answer: unknown) =>
    verifier.verify(await verifier.read(Buffer.from(JSON.stringify(answer))), keys);

  test('the answer of the API is good, in its envelope and without it', async () => {
    for (const answer of [evidence, { meta: { request: { timeTakenMs: 9 } }, data: evidence }]) {
      expect(await judgeAnswer(answer)).toMatchObject({ verdict: 'good', wrongFiles: [] });
    }
  });

  const [url, other] = ['https://evil.example/v/1', 'x'.repeat(43)];
  const changes: [named: string, change: (given: EvidenceData) => object][] = [
    ['verifyUrl', (given) => ({ ...given, verifyUrl: url })],
    ['verifyUrl', (given) => ({ ...given, verifyUrl: given.verifyUrl.slice(0, -1) })],
    ['kid', (given) => ({ ...given, kid: other })],
    ['evidenceId', (given) => ({ ...given, evidenceId: '01890000-0000-7000-8000-000000000000' })],
    ['issuedAt', (given) => ({ ...given, issuedAt: '2020-01-01T00:00:00.000Z' })],
    ['summary', (given) => ({ ...given, summary: 'owes nothing' })],
    [
      'provenance.json',
      ({ files: [first, ...rest], ...given }) => ({ ...given, files: [{ ...first, sha256: '0'.repeat(64) }, ...rest] }),
    ],
    [
      'note of provenance.json',
      ({ files: [first, ...rest], ...given }) => ({ ...given, files: [{ ...first, note: '' }, ...rest] }),
    ],
    ['verifyUrl', (given) => ({ data: given, verifyUrl: url })],
  ];
  test.each(changes)('altered: %s', async (named, change) => {
    expect(await judgeAnswer(change(evidence))).toMatchObject({ verdict: 'file-altered', wrongFiles: [named] });
  });
});

describe('a statement that our key signed and that two readers could understand differently', () => {
  const again = (changes: Record<string, unknown>) => writeCanonical({ ...JSON.parse(textOf(files)), ...changes });

  test('the same text signed again is good, so that the others fail for what they are', async () => {
    expect(again({})).toBe(textOf(files));
    expect(await verdictOf(signed(again({})))).toBe('good');
    expect(await verdictOf(signed(again({ isTest: false })))).toBe('good');
  });

  const wrong: [what: string, change: (text: string) => string][] = [
    ['a key that comes twice', (text) => text.replace('{"audit"', '{"isTest":false,"audit"')],
    ['a key that comes twice, once escaped', (text) => text.replace('{"audit"', '{"\\u0069sTest":false,"audit"')],
    ['a float', (text) => text.replace(/"seq":(\d+)/, '"seq":$1.0')],
    ['an exponent', (text) => text.replace(/"seq":(\d+)/, '"seq":$1e0')],
    ['a lone surrogate', (text) => text.replace('"merge":"', '"merge":"\\ud800')],
    ['an escape that is not needed', (text) => text.replace('"merge":"0', '"merge":"\\u0030')],
    ['white space', (text) => text.replace('{"audit"', '{ "audit"')],
    ['a line break at the end', (text) => `${text}\n`],
    ['a byte order mark', (text) => `\ufeff${text}`],
    [
      'another order of keys',
      (text) => text.replace(/^\{("audit":\{.*?\}),/, '{').replace(/\}$/, ',"audit":{"hash":"","seq":1}}'),
    ],
    ['another type', (text) => text.replace('trefoil/evidence/1', 'trefoil/evidence/2')],
    ['a field more', (text) => text.replace('{"audit"', '{"also":1,"audit"')],
    ['a field less', (text) => text.replace(/"completedAt":"[^"]+",/, '')],
    ['a digest in capitals', (text) => text.replace(/"hash":"[^"]+"/, `"hash":"${'AB'.repeat(32)}"`)],
  ];
  test.each(wrong)('%s: refused', async (_what, change) => {
    const text = change(textOf(files));
    expect(text).not.toBe(textOf(files));
    expect(await verdictOf(signed(text))).toBe('statement-altered');
  });

  test('the signer refuses floats and lone surrogates too', () => {
    expect(() => writeCanonical({ ...JSON.parse(textOf(files)), audit: { seq: 1.5 } })).toThrow();
    expect(() => writeCanonical({ ...JSON.parse(textOf(files)), issuer: '\ud800' })).toThrow();
  });
});

describe('files that are none of ours', () => {
  const reasonOf = (bytes: Buffer) =>
    verifier.read(bytes).then(
      () => 'read',
      (error: Error) => error.message,
    );

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
    ['a text', Buffer.from('hello')],
    ['JSON of another kind', Buffer.from('{"hello":1}')],
    ['a list', Buffer.from('[]')],
    ['null', Buffer.from('null')],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['a nest without end', Buffer.from('['.repeat(1_000_000))],
  ])('%s: a reason in words', async (_what, bytes) => {
    expect(await reasonOf(bytes)).toBe('it is neither a report document (PDF) nor its evidence file (JSON)');
  });

  test('JSON with a key that comes twice, or two files of one name', async () => {
    const text = String(asJson(files));
    expect(await reasonOf(Buffer.from(text.replace('{"statement"', '{"statement":"","statement"')))).toMatch(/neither/);
    expect(await reasonOf(Buffer.from(text.replace('"provenance.json"', '"report.json"')))).toBe(
      'two files have one name',
    );
  });

  test('a PDF without attachments, cut off, or with a list that lies', async () => {
    expect(await reasonOf(await asPdf({}))).toBe('no signed statement is attached to it');
    const pdf = await asPdf(files);
    for (const part of [0.1, 0.5, 0.9, 0.999]) {
      expect(await reasonOf(pdf.subarray(0, pdf.length * part))).not.toBe('read');
    }
    const text = pdf.toString('latin1');
    const turned = (from: string, to: string) => Buffer.from(text.replaceAll(from, to), 'latin1');
    expect(await reasonOf(turned('/UF (report.json)', '/UF (raport.json)'))).toBe('a file has two names');
    expect(await reasonOf(turned('(provenance.json)', '(statement.json) '))).toBe('two files have one name');
    expect(await reasonOf(turned('startxref', 'startxxxx'))).toBe('its end is missing');
    expect(await reasonOf(turned(' 00000 n', ' 00001 n'))).toBe('its table is damaged');
    expect(await reasonOf(Buffer.concat([pdf, Buffer.from('more')]))).toBe('its end is missing');
  });

  test('a bomb: a small file that would inflate without end is stopped', async () => {
    const zeros = await asPdf({ ...files, 'report.json': Buffer.alloc(21_000_000) });
    expect(zeros.length).toBeLessThan(200_000);
    expect(await reasonOf(zeros)).toBe('an attached file is too large');
  });

  test('a table that points to itself, numbers without end, nests without end: a reason, at a cost that grows with the file', async () => {
    const pdf = (await asPdf(files)).toString('latin1');
    const withinTrailer = (part: string) => pdf.replace(/\/Root /, `/X ${part} /Root `);
    const costly: readonly (readonly [string, (part: string) => string])[] = [
      ['['.repeat(100_000), withinTrailer],
      ['9'.repeat(100_000), withinTrailer],
      ['x'.repeat(9_999_999), ({ length }) => pdf.replace(/xref\n0 \d+/, `xref\n0 ${length}`)],
      ['('.repeat(1_000_000), (part) => `%PDF-1.7\n${part}`],
    ];
    const read = (text: string) => reasonOf(Buffer.from(text, 'latin1'));
    for (const previous of [9, Number(/startxref\s+(\d+)/.exec(pdf)?.[1])]) {
      expect(await read(pdf.replace(/\/Root /, `/Prev ${previous} /Root `))).not.toBe('read');
    }
    for (const [part, pdfWith] of costly) {
      expect(await read(pdfWith(part))).not.toBe('read');
      expect(await costGrowth(part, (less) => read(pdfWith(less)))).toBeLessThanOrEqual(GROWTH_MAX);
    }
  });
});

test('a PDF with a newer table at its end is read as a viewer reads it', async () => {
  const pdf = await asPdf(files);
  const text = pdf.toString('latin1');
  const [, start] = /startxref\s+(\d+)/.exec(text) ?? [];
  const [, root] = /\/Root (\d+) 0 R/.exec(text) ?? [];
  const [, size] = /\/Size (\d+)/.exec(text) ?? [];
  const added = `${size} 0 obj\n(another page)\nendobj\n`;
  const table = `xref\n${size} 1\n${String(pdf.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size ${Number(size) + 1} /Root ${root} 0 R /Prev ${start} >>\n`;
  const whole = Buffer.concat([pdf, Buffer.from(`${added}${table}startxref\n${pdf.length + added.length}\n%%EOF\n`)]);
  const names = (await readPdfAttachments(whole)).map(({ name }) => name).toSorted();
  expect(names).toEqual(Object.keys(files).toSorted());
});
