// The lines of VERIFY.txt, run as they stand in the text, with tools that are not ours.
import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../harness.ts';
import { asPdf, attachedFiles, type Files, newEvidence } from '../support/evidence.ts';

let server: TestServer;
let files: Files;
let others: Files;
const folders: string[] = [];
beforeAll(async () => {
  server = await startServer();
  files = attachedFiles(await newEvidence(server));
  others = attachedFiles(await newEvidence(server));
});
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true });
  await server?.close();
});

type Outcome = { readonly code: number; readonly output: string };

const shell = (line: string, cwd: string): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', line], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });

async function newFolder(given: Files): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trefoil-openssl-'));
  folders.push(folder);
  writeFileSync(join(folder, 'report.pdf'), await asPdf(given));
  return folder;
}

/** Saves the PDF in an empty folder and types every line of a text there, as it is or with something changed. */
async function follow(given: Files, text = String(files['VERIFY.txt'])): Promise<Outcome[]> {
  const folder = await newFolder(given);
  const lines = text.match(/^ {4}.*$/gm) ?? [];
  expect(lines).toHaveLength(8);
  const outcomes: Outcome[] = [];
  for (const line of lines) outcomes.push(await shell(line.trim(), folder));
  return outcomes;
}

const failing = async (given: Files, text?: string) =>
  (await follow(given, text)).flatMap(({ code }, index) => (code === 0 ? [] : [index]));

test('good: every line ends well, and says what the text says', async () => {
  const outcomes = await follow(files);
  expect(outcomes.slice(0, 5).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  const [signature, report, provenance] = outcomes.slice(5);
  expect(signature).toEqual({ code: 0, output: expect.stringContaining('Signature Verified Successfully') });
  expect([report, provenance]).toEqual([
    { code: 0, output: '1\n' },
    { code: 0, output: '1\n' },
  ]);
});

test('a changed byte, a swapped file, another statement: the line about it fails', async () => {
  const flip = (name: string) => {
    const changed = Buffer.from(files[name] ?? '');
    changed.writeUInt8(changed.readUInt8(changed.length >> 1) ^ 1, changed.length >> 1);
    return { ...files, [name]: changed };
  };
  expect(await failing(flip('statement.json'))).toContain(5);
  expect(await failing(flip('statement.sig'))).toEqual([5]);
  expect(await failing(flip('report.json'))).toEqual([6]);
  expect(await failing(flip('provenance.json'))).toEqual([7]);
  expect(await failing({ ...files, 'report.json': others['report.json'] ?? Buffer.alloc(0) })).toEqual([6]);
  const theirs = { ...others, 'statement.json': files['statement.json'], 'statement.sig': files['statement.sig'] };
  expect(await failing(theirs as Files)).toEqual([6, 7]);
}, 60_000);

test('a forger who attaches a key of their own under the name of ours does not get it used', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
  const statement = Buffer.from(String(files['statement.json']).replace('"isTest":true', '"isTest":false'));
  expect(statement.equals(files['statement.json'] ?? statement)).toBe(false);
  const forged = { ...files, 'statement.json': statement, 'statement.sig': sign(null, statement, privateKey) };
  const { kid } = JSON.parse(String(statement)) as { kid: string };
  for (const name of [`${kid}.pem`, `./${kid}.pem`, `../${kid}.pem`]) {
    const attack = { ...forged, [name]: pem };
    expect([name, await failing(attack)]).toEqual([name, expect.arrayContaining([5])]);
    // Also where our key cannot be fetched.
    const text = String(files['VERIFY.txt']).replace(/(curl .*)\.pem$/m, '$1.none');
    expect([name, await failing(attack, text)]).toEqual([name, expect.arrayContaining([0, 5])]);
  }
}, 60_000);

test('the text that a reader gets is the one that the operation’s key and address give', async () => {
  const folder = await newFolder(files);
  expect(await shell('pdfdetach -saveall report.pdf', folder)).toMatchObject({ code: 0 });
  const text = readFileSync(join(folder, 'VERIFY.txt'), 'utf8');
  expect(text).toContain(`${server.baseUrl}/.well-known/trefoil-evidence-keys.json`);
  expect(text.split('\n').filter((line) => line.length > 80 && !line.startsWith('    '))).toEqual([]);
});
