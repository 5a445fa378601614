// The samples of the OpenAPI document (contract/src/openapi-samples.ts): every method of the client library has one. They and the
// TypeScript of the documents compile as a reader would paste them into a program that has the values they name. Blocks marked
// `run` are left out: tools/samples runs them.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from '@trefoil/contract';
import { expect, test } from 'vitest';

type Operation = { readonly operationId: string; readonly 'x-codeSamples'?: readonly { readonly source: string }[] };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

const document = buildOpenApi('0.0.0') as unknown as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** What the samples leave to their reader: settings, and ids, which are named as in the paths. */
const names = new Set([...JSON.stringify(document.paths).matchAll(/\{(\w+Id)\}/g)].map(([, name]) => name));
const GIVEN = `
declare const baseUrl: string, clientId: string, clientSecret: string, challengeId: string;
declare const ${[...names].map((name) => `${name}: string`).join(', ')};
declare const getToken: () => Promise<string>;
declare const trefoil: ReturnType<typeof import('@trefoil/sdk').createTrefoil>;
declare const outcomeOf: typeof import('@trefoil/sdk').outcomeOf;
declare const TrefoilError: typeof import('@trefoil/sdk').TrefoilError;
declare const createTrefoil: typeof import('@trefoil/sdk').createTrefoil;
type TrefoilError = import('@trefoil/sdk').TrefoilError;
declare const request: import('@trefoil/sdk').GenerateRequest, idempotencyKey: string, code: string, cursor: string;
declare const person: Parameters<typeof trefoil.eraseSubject>[0];
declare const options: Parameters<typeof import('@trefoil/sdk').createTrefoil>[0];
`;

/** What a reader's own program does, by the names of the documents. */
const READERS = `
declare const show: (creditReport: object, message?: string) => void, stop: (reason?: string | null, message?: string | null) => void;
declare const askForTheFormerAddress: (message: string) => void, askAgain: (attempts: number) => void;
declare const askForTheCode: (creditReportId: string, challengeId: string) => void, unreachable: (outcome: never) => never;
declare const alertFinance: (words: string) => void, keepSafe: (secret: string | undefined) => void;
declare const handle: (event: { readonly id: string }) => Promise<void>, queue: typeof handle;
declare const loadCursor: () => Promise<string>, saveCursor: (cursor: string) => Promise<void>;
declare const log: Record<'info' | 'warn', (fields: object) => void>;
// Express and OpenTelemetry, as far as the documents use them.
declare const express: { raw: (options: object) => unknown };
declare const app: { post: (path: string, raw: unknown, handler: (request: any, response: any) => Promise<void>) => void };
declare const tracer: { startActiveSpan: <T>(name: string, run: (span: { end(): void }) => T) => T };
declare const context: { active(): object };
declare const propagation: {
  inject: (active: object, headers: Headers, setter: { set: (to: Headers, name: string, value: string) => void }) => void;
};
`;

/** A block is a part of a reader's function; its imports are the file's. */
function blocksOf(path: string): [string, string][] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, block = ''], at) => {
    const imports = block.split('\n').filter((line) => line.startsWith('import '));
    const others = block.split('\n').filter((line) => !line.startsWith('import '));
    return [
      `${path.replaceAll(/[^a-z]/gi, '-')}-${at + 1}.ts`,
      [...imports, 'export async function sample() {', ...others, '}'].join('\n'),
    ];
  });
}

/** What the compiler says of these files. They are inside the repository, so that they find @trefoil/sdk. */
function compile(files: Readonly<Record<string, string>>): string {
  mkdirSync(join(ROOT, '.trefoil'), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(ROOT, '.trefoil/code-samples-'));
  try {
    // A reader's rules are looser than ours.
    const compilerOptions = { noUnusedLocals: false, noPropertyAccessFromIndexSignature: false };
    const configuration = JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'], compilerOptions });
    for (const [name, text] of Object.entries({ ...files, 'tsconfig.json': configuration })) {
      writeFileSync(join(folder, name), text);
    }
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    return spawnSync(tsc, ['--noEmit', '-p', folder], { cwd: ROOT, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every operation with a method of the client library has a sample', () => {
  const silent = operations.filter((operation) => operation['x-codeSamples']?.length !== 1);
  expect(silent.map(({ operationId }) => operationId)).toEqual(['requestToken', 'getFingerprintScript']);
});

test('every sample compiles against the client library, in the reference and in the documents', () => {
  const samples = operations.flatMap(({ operationId, 'x-codeSamples': all = [] }) =>
    all.map(({ source }) => [`${operationId}.ts`, source] as const),
  );
  expect(samples.length).toBeGreaterThan(50);
  const blocks = globSync(['README.md', 'sdk/README.md', 'docs/{guides,site,operate}/*.md'], { cwd: ROOT }).flatMap(
    blocksOf,
  );
  expect(blocks.length).toBeGreaterThan(10);
  const files = { 'given.d.ts': GIVEN, 'readers.d.ts': READERS, ...Object.fromEntries([...samples, ...blocks]) };
  expect(compile(files)).toBe('');
});
