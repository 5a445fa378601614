// `trefoil evidence verify`: as a process without any setting, and for most cases in this one, where reading the configuration
// throws.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GenerateRequest } from '@trefoil/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyFile } from '../../src/cli/evidence-commands.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { repaint as paintAgain } from '../../src/documents/repaint.ts';
import { newEvidenceKeys } from '../../src/evidence/evidence-keys.ts';
import { type Statement, statementText } from '../../src/evidence/rules/statement.ts';
import { generateBody, startServer, type TestServer } from '../harness.ts';
import { type Run, runProcess } from '../support/command-line.ts';
import {
  asJson,
  asPdf,
  attachedFiles,
  completeReport,
  type Files,
  fetchPdf,
  newEvidence,
  publishedKeys,
} from '../support/evidence.ts';

let server: TestServer;
let folder: string;
let files: Files;
let others: Files;
let keys: string;
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'trefoil-evidence-'));
  files = attachedFiles(await newEvidence(server));
  others = attachedFiles(await newEvidence(server));
  keys = keep('keys.json', JSON.stringify({ keys: await publishedKeys(server) }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server?.close();
});

function keep(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function run(...args: string[]): Promise<Run> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const noConfig = () => {
    throw new Error('the configuration was asked for');
  };
  const terminal = { log: (text: string) => stdout.push(text), error: (text: string) => stderr.push(text) };
  const code = await runCommand(['evidence', 'verify', ...args], noConfig, terminal);
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

const fetchDocument = async (changes: Partial<GenerateRequest> = {}) =>
  fetchPdf(server, await completeReport(server, changes));

test('exit code 0 for a good PDF, whose pages are painted again, and a good JSON', async () => {
  const pdf = await runProcess(['evidence', 'verify', keep('good.pdf', await fetchDocument()), '--keys', keys], {});
  expect(pdf).toMatchObject({ code: 0, stderr: '' });
  expect(pdf.stdout).toMatch(
    /^GOOD: our key signed this data[^\n]*\nThe visible pages are the ones that this data gives/,
  );
  const json = await run('--file', keep('good.json', asJson(files)), '--keys', keys, '--json');
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({ verdict: 'good', pages: 'none', form: 'json', wrongFiles: [] });
}, 60_000);

test('exit code 1, told apart: altered, swapped, unknown key, revoked key before and after, none of ours', async () => {
  const flip = (bytes: Buffer = Buffer.alloc(1)) =>
    Buffer.concat([Buffer.from([bytes.readUInt8(0) ^ 1]), bytes.subarray(1)]);
  const altered = { ...files, 'report.json': flip(files['report.json']) };
  const forged = { ...files, 'statement.sig': flip(files['statement.sig']) };
  const swapped = { ...others, 'statement.json': files['statement.json'], 'statement.sig': files['statement.sig'] };
  const [stranger] = JSON.parse(newEvidenceKeys()) as [object];
  const unknown = keep('other.json', JSON.stringify({ keys: [{ ...stranger, validUntil: null, revokedAt: null }] }));
  const published = await publishedKeys(server);
  const revoked = (name: string, revokedAt: string) =>
    keep(name, JSON.stringify({ keys: published.map((key) => ({ ...key, revokedAt })) }));
  const rows: [Buffer, string, string, RegExp][] = [
    [await asPdf(altered), keys, 'file-altered', /^ALTERED: .* report\.json\./],
    [asJson(forged), keys, 'statement-altered', /^ALTERED: the signature/],
    [await asPdf(swapped as Files), keys, 'file-swapped', /^SWAPPED: /],
    [await asPdf(files), unknown, 'unknown-key', /^UNKNOWN KEY: /],
    [await asPdf(files), revoked('later.json', '2099-01-01T00:00:00Z'), 'revoked-key', /signed before that/],
    [await asPdf(files), revoked('early.json', '2020-01-01T00:00:00Z'), 'revoked-key', /signed after that/],
    [readFileSync(keys), keys, 'not-evidence', /^NOT OURS: /],
  ];
  for (const [content, by, verdict, sentence] of rows) {
    const path = keep('case', content);
    const [words, data] = [await run(path, '--keys', by), await run(path, '--keys', by, '--json')];
    expect([verdict, words.code, data.code]).toEqual([verdict, 1, 1]);
    expect(words.stdout).toMatch(sentence);
    expect(JSON.parse(data.stdout)).toMatchObject({ verdict });
  }
});

test('what a hostile file names itself does not reach the terminal as it is', async () => {
  const hostile = '\u001b[2J\u009b1mGOOD\u202e';
  const added = { ...files, [`${hostile}.txt`]: Buffer.from('x') };
  const told = await run(keep('case', asJson(added)), '--keys', keys);
  expect(told).toMatchObject({ code: 1, stderr: '' });
  expect(told.stdout).toMatch(/^ALTERED: the statement is genuine, but not as it was signed: \?\[2J\?1mGOOD\?\.txt\./);
  const statement = { ...(JSON.parse(String(files['statement.json'])) as Statement), kid: hostile };
  const renamed = { ...files, 'statement.json': Buffer.from(statementText(statement)) };
  const foreign = await run(keep('case', asJson(renamed)), '--keys', keys);
  expect(foreign.stdout).toMatch(/^ALTERED: the signature/);
  for (const { stdout } of [told, foreign]) expect(stdout).toBe(stdout.replace(/[^\P{C}\n]/gu, '?'));
});

test('a document of ours with an altered page and true attachments is told, also one whose whole pages were replaced', async () => {
  // With a middle name and a former address, which the report itself does not have.
  const ukAddress = { buildingName: 'Ty Gŵyr', townOrCity: 'Tarrageo', postcode: 'HS10 2SD' };
  const { addresses } = generateBody();
  const changes = { middleName: 'Łucja', addresses: [...addresses, { type: 'previous', ukAddress }] };
  const document = await fetchDocument(changes);
  const same = await run(keep('ours.pdf', document), '--keys', keys, '--json');
  expect(JSON.parse(same.stdout)).toMatchObject({ verdict: 'good', pages: 'same' });
  const pages = Buffer.from(document.toString('latin1').replace(/\/MediaBox \[0 0 (\d)/, '/MediaBox [0 0 9'), 'latin1');
  expect(pages.equals(document)).toBe(false);
  for (const content of [pages, await asPdf(files)]) {
    const told = await run(keep('altered.pdf', content), '--keys', keys, '--json');
    expect(told.code).toBe(1);
    expect(JSON.parse(told.stdout)).toMatchObject({ verdict: 'pages-altered', pages: 'different' });
  }
});

test('with a painter: the same pages are good, and altered pages with true attachments are told', async () => {
  const [shown, changed] = [await asPdf(files), await asPdf(files, 'You owe nothing')];
  const repaint = async () => shown;
  const good = await verifyFile(keep('same.pdf', shown), keys, repaint);
  expect(good).toMatchObject({ isAlarm: false, data: { verdict: 'good', pages: 'same' } });
  const altered = await verifyFile(keep('pages.pdf', changed), keys, repaint);
  expect(altered).toMatchObject({ isAlarm: true, data: { verdict: 'pages-altered', pages: 'different' } });
  expect(altered.text).toMatch(
    /^GOOD DATA, OTHER PAGES: .*\nThe visible pages are not the ones that this release paints/,
  );
  const unable = await verifyFile(keep('pages.pdf', changed), keys, async () => undefined);
  expect(unable).toMatchObject({ isAlarm: false, data: { verdict: 'good', pages: 'not-compared' } });
  expect(unable.text).toMatch(/^GOOD DATA, PAGES NOT CHECKED: our key signed .*\nThe visible pages were not compared/);
  // What a revoked key signed is not painted: a thief of the key chooses what is in it.
  const revokedAt = '2099-01-01T00:00:00Z';
  const lost = (await publishedKeys(server)).map((key) => ({ ...key, revokedAt }));
  const withdrawn = await verifyFile(
    keep('same.pdf', shown),
    keep('lost.json', JSON.stringify({ keys: lost })),
    repaint,
  );
  expect(withdrawn).toMatchObject({ isAlarm: true, data: { verdict: 'revoked-key', pages: 'not-compared' } });
});

test('signed files of a form that this release does not know are not painted, and nothing is thrown', async () => {
  const statement = JSON.parse(String(files['statement.json'])) as Statement;
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const salted = (report: string) => `{"salt":"${'0'.repeat(32)}","report":${report}}`;
  const { 'report.json': report, 'provenance.json': provenance } = files;
  for (const [first, second] of [
    [String(report), '{}'],
    [String(report), 'null'],
    [String(report), 'no JSON'],
    [salted('{}'), String(provenance)],
    [salted('no JSON'), String(provenance)],
    ['{}', String(provenance)],
  ] as const) {
    const listed = [
      { name: 'report.json', bytes: bytes(first) },
      { name: 'provenance.json', bytes: bytes(second) },
    ];
    const evidence = { form: 'pdf', statement: bytes(''), signature: bytes(''), files: listed, beside: [] } as const;
    expect(await paintAgain(evidence, statement)).toBeUndefined();
  }
});

test('exit code 2 for what is not understood; a file that is not there or is no list of keys is refused', async () => {
  expect(await run(keys)).toMatchObject({ code: 2, stdout: '' });
  expect(await run('a.pdf', 'b.pdf', '--keys', keys)).toMatchObject({ code: 2, stdout: '' });
  const gone = await run(join(folder, 'none.pdf'), '--keys', keys);
  expect(gone).toMatchObject({ code: 1, stdout: '', stderr: 'The file cannot be read (ENOENT).' });
  for (const text of ['{}', '{"keys":[]}', 'hello', '{"keys":[{}],"keys":[{}]}']) {
    const wrong = await run(keys, '--keys', keep('wrong.json', text));
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/^The file of --keys is not a list of evidence keys/);
  }
  expect((await run('--help')).stdout).toContain('evidence verify <file> --keys <file>');
});
