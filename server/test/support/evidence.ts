// Evidence in tests: fetched from a server, written into a small PDF as the painter of documents attaches it, and turned into
// a file with one thing wrong.
import { createHash } from 'node:crypto';
import type { EvidenceResponse, GenerateRequest } from '@trefoil/contract';
import PDFDocument from 'pdfkit';
import type { PublishedKey } from '../../src/evidence/verification/published-keys.ts';
import { verifyText } from '../../src/evidence/verification/verify-text.ts';
import { generateBody, type TestServer } from '../harness.ts';
import { send } from './wire.ts';

export type EvidenceData = EvidenceResponse['data'];
export type Files = Record<string, Buffer>;

export async function completeReport(server: TestServer, changes: Partial<GenerateRequest> = {}): Promise<string> {
  const { data } = await server.trefoil.generate(generateBody(changes));
  if (data.status !== 'complete') throw new Error(`expected a report, got ${data.status}`);
  return data.creditReportId;
}

/** A new report's evidence. */
export async function newEvidence(server: TestServer, changes: Partial<GenerateRequest> = {}): Promise<EvidenceData> {
  return (await server.trefoil.getEvidence(await completeReport(server, changes))).data;
}

/** A document as the server hands it out. */
export async function fetchPdf(server: TestServer, creditReportId: string): Promise<Buffer> {
  return Buffer.from(await server.trefoil.getDocument(creditReportId, 'pdf'));
}

/** The files as they are attached to a document. */
export function attachedFiles({ statement, signature, files }: EvidenceData): Files {
  return {
    'statement.json': Buffer.from(statement),
    'statement.sig': Buffer.from(signature, 'base64'),
    ...Object.fromEntries(files.map(({ name, text }) => [name, Buffer.from(text)])),
    'VERIFY.txt': Buffer.from(verifyText(JSON.parse(statement) as { issuer: string; kid: string })),
  };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The same as JSON, from files that may be wrong. */
export function asJson(files: Files): Buffer {
  const { 'statement.json': statement, 'statement.sig': signature, 'VERIFY.txt': _text, ...rest } = files;
  const listed = Object.entries(rest).map(([name, bytes]) => ({ name, text: bytes.toString(), sha256: sha256(bytes) }));
  return Buffer.from(
    JSON.stringify({ statement: String(statement), signature: signature?.toString('base64'), files: listed }),
  );
}

/** A PDF of one page with these files, written by the library that writes our documents. */
export function asPdf(files: Files, words = 'Credit agreements report'): Promise<Buffer> {
  const at = new Date('2026-03-02T10:15:00Z');
  const document = new PDFDocument({ pdfVersion: '1.7', info: { Title: 'Report', CreationDate: at, ModDate: at } });
  const parts: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    document.on('error', reject);
  });
  document.text(words);
  for (const [name, bytes] of Object.entries(files)) {
    document.file(bytes, { name, description: `About ${name} (attached)`, creationDate: at, modifiedDate: at });
  }
  document.end();
  return done;
}

export async function publishedKeys(server: Pick<TestServer, 'baseUrl'>): Promise<PublishedKey[]> {
  const { text } = await send(server.baseUrl, { method: 'GET', path: '/.well-known/trefoil-evidence-keys.json' });
  return (JSON.parse(text) as { keys: PublishedKey[] }).keys;
}
